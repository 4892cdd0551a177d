//! Numbers computed from sizes that are known at the call.

use crate::{Cause, Element, Tensor, number::Exact, sizes::Sizes, tensor::with_element};
use iree_dsl_ir::op::Size;

pub(super) fn evaluate(op: &Size, sizes: &Sizes) -> Result<Tensor, Cause> {
    let value = sizes.value(&op.extent)?;
    with_element!(op.dtype, T => Ok(Tensor::from(T::nearest(Exact::Integer(value)))))
}
