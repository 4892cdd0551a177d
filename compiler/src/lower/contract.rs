use super::{
    convert,
    emit::{Emitter, Result, Tensor},
    opaque, types,
};
use crate::{ir::Scalar, op::DotGeneral};
use iree_abi::{DType, DTypeClass, TensorType};
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
    if !types::has_elements(ty) {
        return emitter.empty(ty);
    }
    if !types::has_elements(&lhs.ty) {
        return emitter.splat(Scalar::Integer(0), ty);
    }
    let lhs = summand(emitter, lhs, ty.dtype)?;
    let rhs = summand(emitter, rhs, ty.dtype)?;
    multiply(emitter, &lhs, &rhs, ty, |lhs, rhs, ty| {
        contract(emitter, op, lhs, rhs, ty)
    })
}

/// A factor of products whose sums have a type. IREE widens 16-bit numbers and integers with a sign by
/// itself.
fn summand<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    factor: &Tensor<'c, 'b>,
    dtype: DType,
) -> Result<Tensor<'c, 'b>> {
    match factor.dtype().class() {
        DTypeClass::Signed => Ok(factor.clone()),
        _ if accumulator(factor.dtype()) == dtype => Ok(factor.clone()),
        _ => convert::lower(emitter, dtype, factor),
    }
}

/// What a product of real numbers makes of numbers of any kind.
///
/// Complex numbers are multiplied by their parts: with data tiling, IREE cannot compile their products.
pub(super) fn multiply<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: &TensorType,
    product: impl Fn(&Tensor<'c, 'b>, &Tensor<'c, 'b>, TensorType) -> Result<Tensor<'c, 'b>>,
) -> Result<Tensor<'c, 'b>> {
    let wide = types::with_dtype(ty, accumulator(ty.dtype.real()));
    if !ty.dtype.is_complex() {
        let result = product(lhs, rhs, wide)?;
        return match result.ty == *ty {
            true => Ok(result),
            false => emitter.convert(&result, ty.dtype),
        };
    }
    let (a, b) = (emitter.real(lhs)?, emitter.imag(lhs)?);
    let (c, d) = (emitter.real(rhs)?, emitter.imag(rhs)?);
    let product = |lhs, rhs| product(lhs, rhs, wide.clone());
    let re = emitter.subtract(&product(&a, &c)?, &product(&b, &d)?)?;
    let im = emitter.add(&product(&a, &d)?, &product(&b, &c)?)?;
    opaque::complex(emitter, &re, &im, ty.dtype)
}

fn contract<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
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
        .result(emitter.tensor_type(&ty)?)
        .append_to(&emitter.block)?
        .result()?;
    Ok(Tensor { value, ty })
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
