use super::{
    emit::{Emitter, Result, Tensor},
    opaque, types,
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
    if !types::has_elements(ty) {
        return emitter.empty(ty);
    }
    if !types::has_elements(&lhs.ty) {
        return emitter.splat(Scalar::Integer(0), ty);
    }
    if ty.dtype.is_complex() {
        return lower_complex(emitter, op, lhs, rhs, ty);
    }
    let wide = types::with_dtype(ty, accumulator(ty.dtype));
    let product = contract(emitter, op, lhs, rhs, wide)?;
    if product.ty == *ty {
        Ok(product)
    } else {
        emitter.convert(&product, ty.dtype)
    }
}

/// Four products of real numbers: with data tiling, IREE cannot compile one of complex numbers.
fn lower_complex<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let (a, b) = (emitter.real(lhs)?, emitter.imag(lhs)?);
    let (c, d) = (emitter.real(rhs)?, emitter.imag(rhs)?);
    let part = types::with_dtype(ty, ty.dtype.real());
    let product = |lhs, rhs| contract(emitter, op, lhs, rhs, part.clone());
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
