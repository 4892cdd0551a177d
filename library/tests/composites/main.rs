//! Composites on a builder of their own, evaluated and compared with plain Rust.

mod arrange;
mod building;
mod contract;
mod diagonal;
mod einsum;
mod fold;
mod fourier;
mod linalg;
mod lookup;
mod windows;

use building::evaluated;
use iree_abi::{DType, TensorType};
use iree_dsl_interpreter::Tensor;
use iree_dsl_ir::op::InferError;
use iree_dsl_library::{Error, activation, random, softmax, statistics};
use ndarray::{Array2, arr1, array};

fn close(found: &Tensor, expected: &Array2<f64>) {
    let found = found.array::<f64>().expect("numbers");
    assert_eq!(found.shape(), expected.shape());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= 1e-14 * expected.abs().max(1.0),
            "{found} is not {expected}"
        );
    }
}

fn numbers() -> Array2<f64> {
    array![[0.5, -1.0, 700.0], [2.0, 2.0, -3.0]]
}

#[test]
fn softmax_of_large_numbers_does_not_overflow() {
    let x = numbers();
    let expected = Array2::from_shape_fn(x.dim(), |(row, column)| {
        let largest = x.row(row).fold(f64::MIN, |a, b| a.max(*b));
        let sum: f64 = x.row(row).iter().map(|x| (x - largest).exp()).sum();
        (x[(row, column)] - largest).exp() / sum
    });
    let found = evaluated([x.into()], |[x]| softmax::softmax(&x, 1)).expect("real numbers");
    close(&found, &expected);
}

#[test]
fn normalized_numbers_have_the_mean_zero() {
    let x = numbers();
    let expected = Array2::from_shape_fn(x.dim(), |(row, column)| {
        let mean = x.row(row).sum() / 3.0;
        let variance = x.row(row).iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 3.0;
        (x[(row, column)] - mean) / (variance + 0.25).sqrt()
    });
    let found = evaluated([x.into()], |[x]| statistics::normalize(&x, &[1], 0.25));
    close(&found.expect("real numbers"), &expected);
}

#[test]
fn what_is_refused_is_an_error_of_the_whole_formula() {
    let integers = Tensor::from(arr1(&[1_i32, 2]));
    let refused = evaluated([integers], |[x]| activation::gelu(&x) + 1.0);
    let expected = InferError::DType {
        operation: "",
        dtype: DType::I32,
    };
    assert_eq!(refused.err(), Some(Error::Refused(expected)));
}

#[test]
fn more_random_numbers_than_an_index_reaches_are_refused() {
    let key = Tensor::from(arr1(&[0_u32, 7]));
    let ty = TensorType::new(DType::U8, [1 << 16, 1 << 17]);
    let refused = evaluated([key], |[key]| random::bits(&key, &ty));
    assert_eq!(refused.err(), Some(Error::TooManyNumbers));
}

/// JAX 0.10: `jax.random.bits(jax.random.key(7), (4,), "uint32")`.
#[test]
fn random_bits_are_those_of_jax() {
    let key = Tensor::from(arr1(&[0_u32, 7]));
    let ty = TensorType::new(DType::U32, [4]);
    let found = evaluated([key], |[key]| random::bits(&key, &ty)).expect("few numbers");
    let expected = [
        2_895_194_379_u32,
        4_185_947_648,
        1_300_703_658,
        1_906_787_632,
    ];
    assert_eq!(found, Tensor::from(arr1(&expected)));
}
