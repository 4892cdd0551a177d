use super::*;

fn node(kind: Kind, title: &str) -> Node {
    Node {
        kind,
        title: title.to_owned(),
        detail: "f32 3".to_owned(),
        hint: String::new(),
        inner: None,
    }
}

/// A chain of layers, each of a kernel with weights of its own and a line, between an input and a result.
fn chain(layers: usize) -> Graph {
    let mut graph = Graph::default();
    let mask = graph.add(node(Kind::Line, "mask"));
    let mut x = graph.add(node(Kind::Line, "embed(x)"));
    for _ in 0..layers {
        let kernel = graph.add(node(Kind::Kernel, "attention"));
        let sum = graph.add(node(Kind::Line, "x += attention"));
        graph.connect(x, kernel);
        graph.connect(mask, kernel);
        graph.connect(x, sum);
        graph.connect(kernel, sum);
        x = sum;
    }
    let result = graph.add(node(Kind::Result, "result"));
    graph.connect(x, result);
    for layer in 0..layers {
        let weights = graph.add(node(Kind::Load, &format!("layers.{layer}.w")));
        graph.connect(weights, 2 + 2 * layer);
    }
    graph
}

fn titles(graph: &Graph) -> Vec<&str> {
    graph.nodes.iter().map(|node| node.title.as_str()).collect()
}

#[test]
fn equal_layers_are_drawn_once() {
    let folded = chain(6).folded();
    assert_eq!(
        titles(&folded),
        ["mask", "embed(x)", "6 times", "result", "layers.0…5.w"]
    );
    assert_eq!(folded.edges(), [(0, 2), (1, 2), (2, 3), (4, 2)]);
    let inner = folded.nodes[2].inner.as_ref().unwrap();
    assert_eq!(
        titles(inner),
        ["attention", "x += attention", "", "", "layers.0…5.w"]
    );
    assert_eq!(inner.nodes[2].kind, Kind::Parameter);
    assert!(inner.edges().contains(&(0, 1)) && inner.edges().contains(&(4, 0)));
}

#[test]
fn what_is_there_once_stays() {
    let graph = chain(1);
    assert_eq!(graph.clone().folded(), graph);
}

#[test]
fn a_layer_that_somebody_else_reads_is_drawn_alone() {
    let mut graph = chain(4);
    let is_result = |node: &Node| node.kind == Kind::Result;
    let result = graph.nodes.iter().position(is_result).unwrap();
    // The sum of the first layer.
    graph.connect(3, result);
    let folded = graph.folded();
    let titles = titles(&folded);
    assert!(titles.contains(&"3 times"), "{titles:?}");
    assert!(
        titles.contains(&"attention") && titles.contains(&"layers.0.w"),
        "{titles:?}"
    );
    assert!(titles.contains(&"layers.1…3.w"), "{titles:?}");
}

#[test]
fn equal_boxes_beside_each_other_are_not_folded() {
    let mut graph = Graph::default();
    let sum = graph.add(node(Kind::Result, "sum"));
    for head in 0..3 {
        let own = graph.add(node(Kind::Kernel, "head"));
        let weights = graph.add(node(Kind::Load, &format!("heads.{head}")));
        graph.connect(weights, own);
        graph.connect(own, sum);
    }
    assert_eq!(graph.clone().folded(), graph);
}

#[test]
fn layers_of_other_shapes_are_not_folded() {
    let mut graph = chain(3);
    graph.nodes[4].detail = "f32 4".to_owned();
    let folded = graph.folded();
    assert!(!titles(&folded).contains(&"3 times"));
}

#[test]
fn layers_within_kernels_are_folded_too() {
    let mut graph = Graph::default();
    graph.add(Node {
        inner: Some(chain(5)),
        ..node(Kind::Kernel, "encode")
    });
    let folded = graph.folded();
    let inner = folded.nodes[0].inner.as_ref().unwrap();
    assert!(titles(inner).contains(&"5 times"));
}

#[test]
fn what_layers_store_is_folded_with_them() {
    let mut graph = chain(3);
    for layer in 0..3 {
        let stored = graph.add(node(Kind::Store, &format!("cache.{layer}")));
        graph.connect(2 + 2 * layer, stored);
    }
    let folded = graph.folded();
    assert_eq!(
        titles(&folded),
        [
            "mask",
            "embed(x)",
            "3 times",
            "result",
            "layers.0…2.w",
            "cache.0…2"
        ]
    );
    assert!(folded.edges().contains(&(2, 5)));
}

#[test]
fn the_first_layer_may_begin_with_a_parameter() {
    let mut graph = chain(4);
    graph.nodes[1] = node(Kind::Parameter, "x");
    let folded = graph.folded();
    assert!(
        titles(&folded).contains(&"4 times"),
        "{:?}",
        titles(&folded)
    );
    let all = folded.nodes.iter().find(|node| node.kind == Kind::Repeated);
    let inner = all.unwrap().inner.as_ref().unwrap();
    assert!(!titles(inner).contains(&"x"), "{:?}", titles(inner));
}
