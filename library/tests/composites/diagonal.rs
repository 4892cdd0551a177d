//! Triangles, compared with indexing.

use crate::building::{built, evaluated};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::CompareOp;
use iree_dsl_library::diagonal::{diagonal, eye, trace, triangle};
use ndarray::{Array2, Array3, Axis};

#[test]
fn the_diagonal_is_one() {
    let ty = TensorType::new(DType::F64, [2, 3]);
    let expected = Array2::from_shape_fn((2, 3), |(row, column)| f64::from(row == column));
    let found = built(|builder| eye(builder, &ty));
    assert_eq!(found, Ok(expected.into()));
}

#[test]
fn what_is_on_the_other_side_is_zero() {
    let x = Array3::from_shape_fn((2, 3, 4), |(a, b, c)| (100 * a + 10 * b + c + 1) as f64);
    for distance in [-2, 0, 1] {
        let kept = |lower: bool| {
            Array3::from_shape_fn(x.dim(), |(a, row, column)| {
                let below = row as i32 + distance - column as i32;
                let is_kept = if lower { below >= 0 } else { below <= 0 };
                if is_kept { x[(a, row, column)] } else { 0.0 }
            })
        };
        for (relation, lower) in [
            (CompareOp::GreaterEqual, true),
            (CompareOp::LessEqual, false),
        ] {
            let found = evaluated([x.view().into()], |[x]| triangle(&x, relation, distance));
            assert_eq!(found, Ok(kept(lower).into()), "{distance}");
        }
    }
}

#[test]
fn what_is_on_the_diagonal_is_left() {
    for (rows, columns) in [(3, 3), (3, 4), (4, 3), (1, 3), (0, 3)] {
        let x = Array3::from_shape_fn((2, rows, columns), |(a, b, c)| {
            (100 * a + 10 * b + c + 1) as f64
        });
        let size = rows.min(columns);
        let expected = Array2::from_shape_fn((2, size), |(a, b)| x[(a, b, b)]);
        let sums = expected.sum_axis(Axis(1));
        let found = evaluated([x.view().into()], |[x]| diagonal(&x));
        assert_eq!(found, Ok(expected.into()), "{rows} and {columns}");
        let found = evaluated([x.view().into()], |[x]| trace(&x));
        assert_eq!(found, Ok(sums.into()), "{rows} and {columns}");
    }
}
