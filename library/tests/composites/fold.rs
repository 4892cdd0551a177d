//! Elements combined by a function for which their order matters.

use crate::building::evaluated;
use iree_dsl_library::{
    Term,
    fold::{merged, pairwise, started},
};
use ndarray::{Array2, Array3, Axis, arr0};

/// Later elements count more.
fn combined(a: f64, b: f64) -> f64 {
    a + 2.0 * b
}

fn combine<'x, V: Clone>(a: Term<'x, V>, b: Term<'x, V>) -> Term<'x, V> {
    a + b * 2.0
}

/// Neighbours first, and then those that are left.
fn pairs(mut elements: Vec<f64>) -> Option<f64> {
    let mut left_over = Vec::new();
    while elements.len() > 1 {
        if elements.len() % 2 == 1 {
            left_over.extend(elements.pop());
        }
        let next = elements.chunks(2).map(|pair| combined(pair[0], pair[1]));
        elements = next.collect();
    }
    let first = elements.pop()?;
    Some(left_over.into_iter().rev().fold(first, combined))
}

#[test]
fn axes_become_one_in_their_order() {
    let x = Array3::from_shape_fn((2, 3, 4), |(a, b, c)| (100 * a + 10 * b + c) as f64);
    let expected = Array2::from_shape_fn((3, 8), |(b, at)| x[(at / 4, b, at % 4)]);
    let found = evaluated([x.view().into()], |[x]| merged(&x, vec![2, 0]));
    assert_eq!(found, Ok(expected.into()));
    let found = evaluated([x.view().into()], |[x]| merged(&x, vec![2]));
    assert_eq!(found, Ok(x.into()));
}

#[test]
fn neighbours_are_combined_first() {
    for size in 0..9 {
        let x = Array2::from_shape_fn((2, size), |(row, column)| (7 * row + column) as f64 + 0.5);
        let rows = x.axis_iter(Axis(0)).map(|row| match pairs(row.to_vec()) {
            Some(all) => combined(3.0, all),
            None => 3.0,
        });
        let expected: ndarray::Array1<f64> = rows.collect();
        let found = evaluated([x.into(), arr0(3.0).into()], |[x, first]| {
            let start = started(&x, &first);
            pairwise(&x, start, size, combine)
        });
        assert_eq!(found, Ok(expected.into()), "{size}");
    }
}
