//! Linear algebra, whose results are multiplied.

use crate::building::evaluated;
use iree_abi::DType;
use iree_dsl_interpreter::Tensor;
use iree_dsl_ir::op::{InferError, Matrices, Solve};
use iree_dsl_library::{
    Error,
    linalg::{determinant, expand_cholesky, expand_solve},
};
use ndarray::{Array2, Array3, ArrayD, Axis, Ix2, arr1, array, stack};
use num_complex::Complex64;

/// Two positive definite matrices with so many rows, for lists and loops of steps.
fn positive(rows: usize) -> Array3<f64> {
    let of = |seed: usize| {
        let factor = Array2::from_shape_fn((rows, rows), |(row, column)| {
            ((row * 7 + column * 5 + seed) % 11) as f64 / 11.0 - 0.4
        });
        factor.dot(&factor.t()) + Array2::<f64>::eye(rows)
    };
    stack![Axis(0), of(1), of(4)]
}

fn three(found: Result<Tensor, Error>) -> Array3<f64> {
    let found = found.expect("numbers");
    let found = found.array::<f64>().expect("real numbers").to_owned();
    found.into_owned().into_dimensionality().expect("a batch")
}

fn assert_close(found: &Array2<f64>, expected: &Array2<f64>) {
    let far = (found - expected).iter().any(|far| far.abs() > 1e-12);
    assert!(!far, "{found} is not {expected}");
}

#[test]
fn factors_multiply_to_the_matrix() {
    for rows in [0, 1, 3, 4, 5, 9] {
        let a = positive(rows);
        let factors = three(evaluated([a.clone().into()], |[a]| expand_cholesky(&a)));
        for (factor, a) in factors.outer_iter().zip(a.outer_iter()) {
            assert_close(&factor.dot(&factor.t()), &a.to_owned());
            let above = factor
                .indexed_iter()
                .filter(|((row, column), _)| row < column);
            assert!(above.into_iter().all(|(_, number)| *number == 0.0));
        }
    }
}

#[test]
fn complex_factors_multiply_to_the_matrix() {
    let i = Complex64::i();
    let a = array![
        [Complex64::from(4.0), 1.0 - 2.0 * i],
        [1.0 + 2.0 * i, 3.0.into()]
    ];
    // Of what is read, the diagonal counts as real.
    let read = array![[4.0 + i, i], [1.0 + 2.0 * i, 3.0 - 5.0 * i]];
    let found = evaluated([read.into()], |[a]| expand_cholesky(&a)).expect("numbers");
    let factor = found
        .array::<Complex64>()
        .expect("complex numbers")
        .to_owned();
    let factor = factor
        .into_owned()
        .into_dimensionality::<Ix2>()
        .expect("a matrix");
    let product = factor.dot(&factor.t().mapv(|number| number.conj()));
    assert!((product - a).iter().all(|far| far.norm() < 1e-14));
}

/// The part of a matrix that counts.
fn read(a: &Array2<f64>, op: Solve) -> Array2<f64> {
    let mut a = a.clone();
    for ((row, column), number) in a.indexed_iter_mut() {
        let (is_zero, is_one) = match op.matrices {
            Matrices::General => (false, false),
            Matrices::Lower => (row < column, false),
            Matrices::Upper => (row > column, false),
            Matrices::UnitLower => (row < column, row == column),
            Matrices::UnitUpper => (row > column, row == column),
        };
        if is_zero || is_one {
            *number = f64::from(u8::from(is_one));
        }
    }
    match op.transposed {
        true => a.reversed_axes(),
        false => a,
    }
}

#[test]
fn solutions_multiply_to_the_right_side() {
    for rows in [1, 3, 4, 5, 9] {
        let b = Array3::from_shape_fn((2, rows, 2), |(batch, row, column)| {
            (batch + row * 3 + column) as f64 - 2.0
        });
        for op in Solve::ALL {
            let mut a = positive(rows);
            if rows > 1 && op.matrices == Matrices::General {
                // So that rows are exchanged.
                a[(0, 0, 0)] = 0.0;
            }
            let operands = [a.clone().into(), b.clone().into()];
            let x = three(evaluated(operands, |[a, b]| expand_solve(*op, &a, &b)));
            for ((x, a), b) in x.outer_iter().zip(a.outer_iter()).zip(b.outer_iter()) {
                assert_close(&read(&a.to_owned(), *op).dot(&x), &b.to_owned());
            }
        }
    }
}

#[test]
fn determinants_have_the_sign_of_the_rows() {
    let exchanged = Array2::<f64>::eye(5).select(Axis(0), &[1, 0, 2, 4, 3]) * 2.0;
    let turned = Array2::<f64>::eye(5).select(Axis(0), &[1, 2, 0, 3, 4]);
    let once = Array2::<f64>::eye(5).select(Axis(0), &[1, 0, 2, 3, 4]);
    let zero = Array2::<f64>::zeros((5, 5));
    let a = stack![Axis(0), exchanged, turned, once, zero];
    let found = evaluated([a.into()], |[a]| determinant(&a));
    assert_eq!(found, Ok(Tensor::from(arr1(&[32.0, 1.0, -1.0, 0.0]))));
}

#[test]
fn narrow_numbers_are_computed_with_as_wide_ones() {
    let a: ArrayD<f64> = positive(9).into_dyn();
    let found = evaluated([a.clone().into()], |[a]| {
        expand_cholesky(&a.convert(DType::BF16))
    });
    let wide = evaluated([a.into()], |[a]| {
        expand_cholesky(&a.convert(DType::BF16).convert(DType::F32)).convert(DType::BF16)
    });
    assert_eq!(found, wide);
}

#[test]
fn a_vector_has_no_determinant() {
    let refused = evaluated([arr1(&[1.0, 2.0]).into()], |[a]| determinant(&a));
    let expected = InferError::Axis { axis: 1, rank: 1 };
    assert_eq!(refused, Err(Error::Refused(expected)));
}
