//! Tensors with the same number everywhere.

use super::{
    constant,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, types,
};
use iree_abi::TensorType;
use iree_dialects::{arith, linalg, prelude::*, tensor};

/// A real number that is known while building, in a tensor of sizes that may not be.
///
/// IREE 3.13 makes a dispatch of what StableHLO says this with, if sizes are not known. A dispatch that reads nothing
/// is repeated where a copy of its result is needed, because the result is then changed in place, and after that the
/// repetitions are made one again. Nothing makes one of several fillings.
/// Defect `equal-splats-share-memory`.
pub(super) fn constant<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    bytes: &[u8],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let stored = types::stored(ty);
    let number = arith::ConstantOperation::builder(emitter.context, emitter.location)
        .value(constant::number(emitter.context, bytes, stored.dtype)?)
        .result(types::element(emitter.context, stored.dtype)?)
        .append_to(&emitter.block)?;
    global::cast(emitter, with(emitter, number.result()?, &stored)?, ty)
}

/// A number in a tensor of a type without integers without a sign.
pub(super) fn with<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    number: Value<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let tensor_type = emitter.tensor_type(ty)?;
    let empty = tensor::EmptyOperation::builder(emitter.context, emitter.location)
        .dynamic_sizes(&emitter.unknown(&ty.shape)?)
        .result(tensor_type)
        .append_to(&emitter.block)?
        .result()?;
    let element = (number.r#type(), emitter.location);
    let block = Block::new(&[element, element]);
    let lost = |_| LowerCause::Lost("the argument of a block");
    linalg::YieldOperation::builder(emitter.context, emitter.location)
        .values(&[block.argument(0).map_err(lost)?.into()])
        .append_to(&block)?;
    let body = Region::new();
    body.append_block(block);
    let filled = linalg::FillOperation::builder(emitter.context, emitter.location)
        .inputs(&[number])
        .outputs(&[empty])
        .result_tensors(&[tensor_type])
        .region(body)
        .append_to(&emitter.block)?;
    let value = filled.result_tensors()?.first().copied();
    Ok(Tensor {
        value: value.ok_or(LowerCause::Lost("the result of a fill"))?,
        ty: ty.clone(),
    })
}
