//! Batches of matrices.

use crate::building::evaluated;
use iree_abi::{DType, TensorType};
use iree_dsl_interpreter::Tensor;
use iree_dsl_ir::op::InferError;
use iree_dsl_library::{
    Error,
    linalg::{batch, restored, right_side},
};
use ndarray::{Array4, arr1};

fn matrices() -> Array4<f64> {
    Array4::from_shape_fn((2, 3, 4, 5), |(a, b, c, d)| {
        (1000 * a + 100 * b + 10 * c + d) as f64
    })
}

#[test]
fn the_axes_before_the_last_two_are_one_and_come_back() {
    let stacked = matrices()
        .into_shape_with_order((6, 4, 5))
        .expect("as many");
    let found = evaluated([matrices().into()], |[x]| batch(&x));
    assert_eq!(found, Ok(stacked.into()));
    let found = evaluated([matrices().into()], |[x]| {
        restored(&batch(&x), &x.shape(), x.dtype())
    });
    assert_eq!(found, Ok(matrices().into()));
}

#[test]
fn narrow_numbers_are_computed_with_as_wide_ones() {
    let ty = |dtype| TensorType::new(dtype, [2, 3, 4, 5]);
    let found = evaluated([matrices().into()], |[x]| batch(&x.convert(DType::BF16)));
    let found = found.expect("matrices").ty();
    assert_eq!(found, TensorType::new(DType::F32, [6, 4, 5]));
    let found = evaluated([matrices().into()], |[x]| {
        restored(&batch(&x), &x.shape(), DType::BF16)
    });
    assert_eq!(found.expect("matrices").ty(), ty(DType::BF16));
}

#[test]
fn a_vector_on_the_right_side_is_a_column() {
    let vector = Tensor::from(arr1(&[1.0, 2.0]));
    let found = evaluated([vector.clone()], |[b]| right_side(&b));
    let found = found.expect("a vector").ty();
    assert_eq!(found, TensorType::new(DType::F64, [1, 2, 1]));
    let refused = evaluated([vector], |[b]| batch(&b));
    let expected = InferError::Axis { axis: 1, rank: 1 };
    assert_eq!(refused, Err(Error::Refused(expected)));
}
