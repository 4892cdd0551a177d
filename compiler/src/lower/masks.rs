//! Booleans that are read as bytes.

use super::{
    emit::{Emitter, Result, Tensor},
    types,
};
use iree_abi::DType;
use iree_dialects::{flow, stablehlo::ComparisonDirection};
use iree_dsl_ir::Scalar;

/// The same booleans, read as bytes.
pub(super) fn from_bytes<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    mask: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let ty = types::with_dtype(&mask.ty, DType::I8);
    let sizes = emitter.unknown(&ty.shape)?;
    let value = flow::TensorBitcastOperation::builder(emitter.context, emitter.location)
        .source(mask.value)
        .source_dims(&sizes)
        .result_dims(&emitter.of_memory(&ty.shape)?)
        .result(emitter.tensor_type(&ty)?)
        .append_to(&emitter.block)?
        .result()?;
    let bytes = Tensor { value, ty };
    let zero = emitter.splat(Scalar::Integer(0), &bytes.ty)?;
    emitter.compare(ComparisonDirection::NotEqual, &bytes, &zero)
}
