//! Elements put elsewhere and repeated, and what is put around them, compared with indexing.

use crate::building::evaluated;
use iree_abi::Extent;
use iree_dsl_library::{
    arrange::{repeated, rotated, rotated_to, stacked, tiled},
    pad::padded,
};
use ndarray::{Array2, Array3, Axis, arr0};

fn numbers() -> Array2<f64> {
    Array2::from_shape_fn((2, 3), |(row, column)| (10 * row + column) as f64)
}

#[test]
fn rotated_elements_begin_elsewhere() {
    let expected =
        Array2::from_shape_fn((2, 3), |(row, column)| numbers()[(row, (column + 2) % 3)]);
    let found = evaluated([numbers().into()], |[x]| rotated(&x, 1, Extent::from(2)));
    assert_eq!(found, Ok(expected.into()));
}

#[test]
fn elements_are_rotated_to_a_place_that_is_computed() {
    for first in 0..3 {
        let expected = Array2::from_shape_fn((2, 3), |(row, column)| {
            numbers()[(row, (column + first) % 3)]
        });
        let operands = [numbers().into(), arr0(first as i32).into()];
        let found = evaluated(operands, |[x, first]| rotated_to(&x, 1, &first));
        assert_eq!(found, Ok(expected.into()));
    }
}

#[test]
fn stacked_tensors_have_an_axis_more() {
    for axis in 0..3 {
        let (x, y) = (numbers(), numbers() + 100.0);
        let expected = ndarray::stack(Axis(axis), &[x.view(), y.view()]).expect("one shape");
        let found = evaluated([x.into(), y.into()], |terms| {
            stacked(terms, axis).expect("there are two")
        });
        assert_eq!(found, Ok(expected.into()), "{axis}");
    }
}

#[test]
fn repeated_elements_follow_each_other() {
    let expected = Array2::from_shape_fn((6, 3), |(row, column)| numbers()[(row / 3, column)]);
    let found = evaluated([numbers().into()], |[x]| repeated(&x, &Extent::from(3), 0));
    assert_eq!(found, Ok(expected.into()));
}

#[test]
fn tiles_follow_each_other() {
    let expected =
        Array3::from_shape_fn((2, 2, 6), |(_, row, column)| numbers()[(row, column % 3)]);
    let times = [2, 1, 2_usize].map(Extent::from);
    let found = evaluated([numbers().into()], |[x]| tiled(&x, &times));
    assert_eq!(found, Ok(expected.into()));
}

#[test]
fn numbers_are_put_around_and_between() {
    // A row before, and a number between neighbours; what is negative is cut off.
    let (low, high) = (
        [Extent::from(1), Extent::constant(-1)],
        [0, 2].map(Extent::from),
    );
    let expected = Array2::from_shape_fn((3, 6), |(row, column)| {
        match (row.checked_sub(1), column % 2, column.div_ceil(2)) {
            (Some(row), 1, column @ ..3) => numbers()[(row, column)],
            _ => 0.5,
        }
    });
    let operands = [numbers().into(), arr0(0.5).into()];
    let found = evaluated(operands, |[x, value]| {
        padded(&x, &value, &low, &high, vec![0, 1])
    });
    assert_eq!(found, Ok(expected.into()));
}
