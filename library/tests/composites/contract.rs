//! Products of vectors and matrices, compared with sums.

use crate::building::evaluated;
use iree_dsl_interpreter::Tensor;
use iree_dsl_ir::{ValueId, op::InferError};
use iree_dsl_library::{
    Error, Term,
    contract::{dot, matmul, outer},
};
use ndarray::{ArrayD, Axis, Ix2};

/// Numbers that differ, and whose products and sums are exact.
fn numbers(shape: &[usize], first: usize) -> ArrayD<f64> {
    let count = shape.iter().product();
    let numbers = (0..count).map(|place| ((place * 5 + first) % 7) as f64 - 3.0);
    ArrayD::from_shape_vec(shape, numbers.collect()).expect("as many as the shape has")
}

type Product = for<'x> fn(&Term<'x, ValueId>, &Term<'x, ValueId>) -> Term<'x, ValueId>;

fn product(run: Product, lhs: &ArrayD<f64>, rhs: &ArrayD<f64>) -> Result<Tensor, Error> {
    let operands = [lhs.view().into(), rhs.view().into()];
    evaluated(operands, |[lhs, rhs]| run(&lhs, &rhs))
}

/// The product of the matrices at an index of the batch.
fn expected(lhs: &ArrayD<f64>, rhs: &ArrayD<f64>) -> ArrayD<f64> {
    let matrix = |x: &ArrayD<f64>| x.clone().into_dimensionality::<Ix2>().expect("a matrix");
    matrix(lhs).dot(&matrix(rhs)).into_dyn()
}

#[test]
fn matrices_are_multiplied_side_by_side() {
    let (lhs, rhs) = (numbers(&[2, 1, 3, 4], 1), numbers(&[5, 4, 2], 2));
    let found = product(matmul, &lhs, &rhs).expect("sizes that fit");
    let found = found.array::<f64>().expect("numbers");
    assert_eq!(found.shape(), [2, 5, 3, 2]);
    for (first, found) in found.axis_iter(Axis(0)).enumerate() {
        let left = lhs.index_axis(Axis(0), first).index_axis_move(Axis(0), 0);
        for (found, right) in found.axis_iter(Axis(0)).zip(rhs.axis_iter(Axis(0))) {
            assert_eq!(found, expected(&left.to_owned(), &right.to_owned()));
        }
    }
}

#[test]
fn a_matrix_on_the_right_multiplies_every_row() {
    let (lhs, rhs) = (numbers(&[2, 3, 4], 1), numbers(&[4, 2], 2));
    let rows = lhs
        .clone()
        .into_shape_with_order(vec![6, 4])
        .expect("as many");
    let rows = expected(&rows, &rhs).into_shape_with_order(vec![2, 3, 2]);
    let rows = Tensor::from(rows.expect("as many"));
    for run in [matmul as Product, dot] {
        assert_eq!(product(run, &lhs, &rhs).as_ref(), Ok(&rows));
    }
}

#[test]
fn vectors_are_rows_and_columns() {
    let (vector, matrices) = (numbers(&[4], 1), numbers(&[3, 4, 2], 2));
    let row = vector.clone().insert_axis(Axis(0));
    let each = matrices.axis_iter(Axis(0));
    let each: Vec<_> = each
        .map(|matrix| expected(&row, &matrix.to_owned()))
        .collect();
    let each: Vec<_> = each.iter().map(|row| row.view()).collect();
    let all = Tensor::from(ndarray::concatenate(Axis(0), &each).expect("rows"));
    for run in [matmul as Product, dot] {
        assert_eq!(product(run, &vector, &matrices).as_ref(), Ok(&all));
    }
    let column = numbers(&[2], 3);
    let sums = expected(&row, &matrices.index_axis(Axis(0), 0).to_owned());
    let sums = expected(&sums, &column.clone().insert_axis(Axis(1)));
    let first = matrices.index_axis_move(Axis(0), 0);
    let found = evaluated(
        [vector.into(), first.into(), column.into()],
        |[vector, first, column]| matmul(&matmul(&vector, &first), &column),
    );
    let number = sums.into_shape_with_order(vec![]).expect("one");
    assert_eq!(found, Ok(number.into()));
}

#[test]
fn every_number_is_multiplied_by_every_other() {
    let (lhs, rhs) = (numbers(&[3], 1), numbers(&[4], 2));
    let matrices = expected(
        &lhs.clone().insert_axis(Axis(1)),
        &rhs.clone().insert_axis(Axis(0)),
    );
    assert_eq!(product(outer, &lhs, &rhs), Ok(matrices.into()));
}

#[test]
fn what_does_not_fit_says_where() {
    let refused = |run: Product, lhs: &[usize], rhs: &[usize]| match product(
        run,
        &numbers(lhs, 0),
        &numbers(rhs, 0),
    ) {
        Err(Error::Refused(error)) => error,
        other => panic!("{other:?}"),
    };
    for (run, lhs, rhs) in [
        (matmul as Product, &[2, 3][..], &[2, 3][..]),
        (dot, &[2, 3], &[2]),
        (matmul, &[5, 2, 3], &[5, 2, 3]),
    ] {
        let error = refused(run, lhs, rhs);
        assert!(matches!(error, InferError::Contraction { .. }), "{error}");
    }
    let error = refused(matmul, &[5, 2, 3], &[4, 3, 2]);
    let batches = InferError::Broadcast([5].into(), [4].into());
    assert_eq!(error, batches);
    for run in [matmul as Product, dot] {
        let error = refused(run, &[], &[2]);
        assert!(matches!(error, InferError::Axis { .. }), "{error}");
    }
}
