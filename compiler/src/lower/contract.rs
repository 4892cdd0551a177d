use super::{
    convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    opaque, shape, types,
};
use crate::{
    ir::Scalar,
    op::{DotGeneral, Transpose},
};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
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
    let is_known = lhs.ty.shape.known().is_some() && rhs.ty.shape.known().is_some();
    multiply(emitter, &lhs, &rhs, ty, |lhs, rhs, ty| match is_known {
        true => contract(emitter, op, lhs, rhs, ty),
        false => contract_matrices(emitter, op, lhs, rhs, ty),
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

/// A contraction as a product of matrices: for others IREE 3.13 would have to reshape tensors whose sizes
/// it does not know.
fn contract_matrices<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
    ty: TensorType,
) -> Result<Tensor<'c, 'b>> {
    let free = |tensor: &Tensor<'c, 'b>, batch: &[usize], summed: &[usize]| {
        let axes = 0..tensor.ty.shape.rank();
        axes.filter(|axis| !batch.contains(axis) && !summed.contains(axis))
            .collect::<Vec<_>>()
    };
    let rows = free(lhs, &op.batch.0, &op.contract.0);
    let columns = free(rhs, &op.batch.1, &op.contract.1);
    let a = matrices(emitter, lhs, [&op.batch.0, &rows, &op.contract.0])?;
    let b = matrices(emitter, rhs, [&op.batch.1, &op.contract.1, &columns])?;
    let left = a.ty.shape.dims().iter().take(2);
    let right = b.ty.shape.dims().iter().skip(2);
    let dims = left.chain(right).cloned().collect();
    let plain = DotGeneral {
        batch: (vec![0], vec![0]),
        contract: (vec![2], vec![1]),
        dtype: op.dtype,
    };
    let product_type = TensorType::new(ty.dtype, Shape::new(dims));
    let product = contract(emitter, &plain, &a, &b, product_type)?;
    emitter.reshape(&product, &ty.shape)
}

/// A tensor with three axes, each of which is several of its axes.
fn matrices<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
    groups: [&[usize]; 3],
) -> Result<Tensor<'c, 'b>> {
    let dims_of = |axes: &[usize]| {
        let dims = axes
            .iter()
            .filter_map(|axis| tensor.ty.shape.dims().get(*axis));
        Shape::new(dims.cloned().collect())
    };
    let op = Transpose {
        permutation: groups.concat(),
    };
    let ty = TensorType::new(tensor.dtype(), dims_of(&op.permutation));
    let turned = shape::lower_transpose(emitter, &op, tensor, &ty)?;
    let size = |axes: &[usize]| {
        let size = dims_of(axes).element_count().and_then(Dim::from_extent);
        size.ok_or(LowerCause::Lost("the size of a matrix"))
    };
    let dims = groups.into_iter().map(size).collect::<Result<Vec<_>>>()?;
    emitter.reshape(&turned, &Shape::new(dims))
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
