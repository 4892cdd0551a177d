//! Fourier transforms, compared with their sums.

use crate::building::evaluated;
use iree_abi::Extent;
use iree_dsl_interpreter::Tensor;
use iree_dsl_ir::{
    ValueId,
    op::{Fourier, InferError},
};
use iree_dsl_library::{
    Error, Term,
    fourier::{along, checked, complex, half, of_half},
};
use ndarray::{Array1, Array2, ArrayView1, Axis, array, s};
use num_complex::Complex64;
use std::f64::consts::TAU;

/// All lengths are known here.
fn never<'x>(_: &Term<'x, ValueId>, _: Fourier) -> Term<'x, ValueId> {
    panic!("the length is known")
}

/// The sum of each frequency.
fn sums(line: ArrayView1<'_, Complex64>) -> Array1<Complex64> {
    let count = line.len();
    let turned = |frequency: usize, place: usize| {
        let turn = (frequency * place % count) as f64 / count as f64;
        line[place] * Complex64::cis(-TAU * turn)
    };
    (0..count)
        .map(|frequency| (0..count).map(|place| turned(frequency, place)).sum())
        .collect()
}

fn transformed(x: &Array2<Complex64>, axis: usize) -> Array2<Complex64> {
    let mut result = x.clone();
    for (mut line, of) in result
        .lanes_mut(Axis(axis))
        .into_iter()
        .zip(x.lanes(Axis(axis)))
    {
        line.assign(&sums(of));
    }
    result
}

fn numbers() -> Array2<f64> {
    array![[0.5, -1.0, 7.0, 2.0, 3.0], [2.0, 2.0, -3.0, 0.25, 1.0]]
}

fn close(found: Result<Tensor, Error>, expected: &Array2<f64>) {
    let found = found.expect("numbers that have transforms");
    let found = found.array::<f64>().expect("numbers");
    assert_eq!(found.shape(), expected.shape());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} is not {expected}"
        );
    }
}

#[test]
fn axes_are_transformed_one_after_the_other() {
    let whole = numbers().mapv(Complex64::from);
    let expected = transformed(&transformed(&whole, 1), 0);
    let found = evaluated([numbers().into()], |[x]| {
        along(&complex(&x), Fourier::Forward, &[0, 1], never).real()
    });
    close(found, &expected.mapv(|z| z.re));
    let found = evaluated([numbers().into()], |[x]| {
        along(&complex(&x), Fourier::Forward, &[0, 1], never).imag()
    });
    close(found, &expected.mapv(|z| z.im));
}

#[test]
fn half_of_the_frequencies_are_enough() {
    for columns in [4, 5] {
        let x = numbers().slice_move(s![.., ..columns]);
        let whole = transformed(&x.mapv(Complex64::from), 1);
        let first = whole.slice_move(s![.., ..columns / 2 + 1]);
        let found = evaluated([x.view().into()], |[x]| half(&complex(&x), never).real());
        close(found, &first.mapv(|z| z.re));
        let found = evaluated([x.view().into()], |[x]| half(&complex(&x), never).imag());
        close(found, &first.mapv(|z| z.im));
        let length = Extent::from(columns);
        let back = evaluated([x.view().into()], |[x]| {
            of_half(&half(&complex(&x), never), &length, never)
        });
        close(back, &x);
    }
}

/// As NumPy has it: frequencies that are missing are zero, and others do not count.
#[test]
fn another_length_has_other_frequencies() {
    let x = numbers().slice_move(s![.., ..4]);
    for length in [2, 3, 6] {
        let mut whole = Array2::<Complex64>::zeros((2, length));
        for frequency in 0..length {
            // Of the three that there are, or the mirror image of one.
            let (first, is_mirrored) = match frequency <= length / 2 {
                true => (frequency, false),
                false => (length - frequency, true),
            };
            for row in (0..2).filter(|_| first < 3) {
                let number = transformed(&x.mapv(Complex64::from), 1)[(row, first)];
                whole[(row, frequency)] = if is_mirrored { number.conj() } else { number };
            }
        }
        // The inverse is the transform of the conjugates, divided by their number.
        let expected = transformed(&whole.mapv(|z| z.conj()), 1);
        let expected = expected.mapv(|z| z.re / length as f64);
        let length = Extent::from(length);
        let found = evaluated([x.view().into()], |[x]| {
            of_half(&half(&complex(&x), never), &length, never)
        });
        close(found, &expected);
    }
}

#[test]
fn nothing_and_integers_have_no_transform() {
    let nothing = Tensor::from(Array2::<f64>::zeros((2, 0)));
    let refused = evaluated([nothing], |[x]| checked(&x));
    assert_eq!(refused, Err(Error::Refused(InferError::Empty("fourier"))));
    let integers = Tensor::from(array![[1_i32, 2]]);
    let refused = evaluated([integers], |[x]| half(&complex(&x), never));
    assert!(matches!(
        refused,
        Err(Error::Refused(InferError::DType { .. }))
    ));
}
