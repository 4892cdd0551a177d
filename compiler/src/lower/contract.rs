use super::{
    emit::{Emitter, Result, Tensor},
    types,
};
use crate::{ir::Scalar, op::DotGeneral};
use iree_abi::{DType, TensorType};
use iree_dialects::stablehlo::{
    self,
    attributes::{DotDimensions, dot_dimension_numbers},
};

/// Sums of 16-bit numbers are kept as `f32` and rounded at the end.
pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if !types::has_elements(&lhs.ty) {
        return emitter.splat(Scalar::Integer(0), ty);
    }
    let wide = types::with_dtype(ty, accumulator(ty.dtype));
    let dimensions = DotDimensions {
        lhs_batching: &signed(&op.batch.0),
        rhs_batching: &signed(&op.batch.1),
        lhs_contracting: &signed(&op.contract.0),
        rhs_contracting: &signed(&op.contract.1),
    };
    let numbers = dot_dimension_numbers(emitter.context, &dimensions)?;
    let value = stablehlo::DotGeneralOperation::builder(emitter.context, emitter.location)
        .lhs(lhs.value)
        .rhs(rhs.value)
        .dot_dimension_numbers(numbers)
        .result(emitter.tensor_type(&wide)?)
        .append_to(&emitter.block)?
        .result()?;
    let product = Tensor { value, ty: wide };
    if product.ty == *ty {
        Ok(product)
    } else {
        emitter.convert(&product, ty.dtype)
    }
}

/// The type in which sums of numbers of a type are kept.
pub(super) fn accumulator(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    }
}

fn signed(axes: &[usize]) -> Vec<i64> {
    axes.iter().map(|axis| *axis as i64).collect()
}
