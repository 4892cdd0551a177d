use super::*;

const BOX: Size = Size {
    width: 100.0,
    height: 20.0,
};

#[test]
fn boxes_stand_below_what_leads_to_them_and_apart() {
    let edges = [
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 4),
        (2, 4),
        (3, 4),
        (0, 4),
        (5, 4),
    ];
    let layout = place(&[BOX; 6], &edges);
    for (from, to) in edges {
        assert!(layout.corners[from].y + BOX.height < layout.corners[to].y);
    }
    for (index, one) in layout.corners.iter().enumerate() {
        for other in &layout.corners[index + 1..] {
            let apart =
                (one.x - other.x).abs() >= BOX.width || (one.y - other.y).abs() >= BOX.height;
            assert!(apart, "{one:?} {other:?}");
        }
    }
    // What leads only to the last box stands just above it.
    assert_eq!(layout.corners[5].y, layout.corners[1].y);
}

#[test]
fn an_edge_over_a_layer_goes_around_its_boxes() {
    let layout = place(&[BOX; 3], &[(0, 1), (1, 2), (0, 2)]);
    let route = &layout.routes[2];
    let passed = layout.corners[1];
    let (first, last) = (route[1], route[2]);
    assert_eq!(first.x, last.x);
    assert!(first.y <= passed.y && last.y >= passed.y + BOX.height);
    assert!(
        first.x < passed.x || first.x > passed.x + BOX.width,
        "{route:?}"
    );
}

#[test]
fn edges_do_not_cross_where_they_need_not() {
    let layout = place(&[BOX; 4], &[(0, 3), (1, 2)]);
    let x = |node: usize| layout.corners[node].x;
    assert_eq!(x(0) < x(1), x(3) < x(2));
}

#[test]
fn nothing_has_no_size() {
    let layout = place(&[], &[]);
    assert_eq!(
        layout.size,
        Size {
            width: 0.0,
            height: 0.0
        }
    );
}

#[test]
fn a_cycle_does_not_hang() {
    place(&[BOX; 2], &[(0, 1), (1, 0)]);
}
