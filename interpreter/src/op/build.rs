//! Tensors from nothing.

use super::from_indices;
use crate::{
    Cause, Element, Tensor,
    number::Exact,
    tensor::{from_elements, with_element},
};
use iree_dsl_ir::{Constant, ConstantData, op::Iota};

pub(crate) fn constant(constant: &Constant, shape: &[usize]) -> Result<Tensor, Cause> {
    with_element!(constant.ty.dtype, T => {
        let elements: Vec<T> = match &constant.data {
            ConstantData::Splat(bytes) => vec![T::from_bytes(bytes); shape.iter().product()],
            ConstantData::Dense(bytes) => {
                let elements = bytes.chunks_exact(T::DTYPE.size());
                elements.map(T::from_bytes).collect()
            }
        };
        from_elements(shape, elements)
    })
}

/// The index along an axis; one that the type does not hold is converted as by `as`.
pub(super) fn iota(op: &Iota, shape: &[usize]) -> Result<Tensor, Cause> {
    with_element!(op.ty.dtype, T => {
        from_indices(shape, |index| {
            let index = index.get(op.axis).ok_or(Cause::Lost("an axis"))?;
            Ok(T::nearest(Exact::Integer(*index as i128)))
        })
    })
}
