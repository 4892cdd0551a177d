use super::error::LowerCause;
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dialects::prelude::*;

/// The MLIR type of a tensor. Integers without a sign are `ui8` … `ui64`.
pub(super) fn tensor<'c>(
    context: &'c Context,
    ty: &TensorType,
    location: Location<'c>,
) -> Result<Type<'c>, LowerCause> {
    let dim = |dim: &Dim| dim.known().map(|size| size as u64);
    let shape: Vec<_> = ty.shape.dims().iter().map(dim).collect();
    let element = element(context, ty.dtype)?;
    Ok(types::tensor(&shape, element, location)?)
}

/// The type that a global of this type is stored as. IREE has no globals of integers without a sign;
/// the bits are the same.
pub(super) fn stored(ty: &TensorType) -> TensorType {
    let dtype = match ty.dtype {
        DType::U8 => DType::I8,
        DType::U16 => DType::I16,
        DType::U32 => DType::I32,
        DType::U64 => DType::I64,
        other => other,
    };
    TensorType::new(dtype, ty.shape.clone())
}

/// The MLIR type of an element.
pub(super) fn element(context: &Context, dtype: DType) -> Result<Type<'_>, LowerCause> {
    Ok(match dtype {
        DType::Bool => IntegerType::new(context, 1).into(),
        DType::I8 => IntegerType::new(context, 8).into(),
        DType::I16 => IntegerType::new(context, 16).into(),
        DType::I32 => IntegerType::new(context, 32).into(),
        DType::I64 => IntegerType::new(context, 64).into(),
        DType::U8 => IntegerType::unsigned(context, 8).into(),
        DType::U16 => IntegerType::unsigned(context, 16).into(),
        DType::U32 => IntegerType::unsigned(context, 32).into(),
        DType::U64 => IntegerType::unsigned(context, 64).into(),
        DType::F16 => Type::float16(context),
        DType::BF16 => Type::bfloat16(context),
        DType::F32 => Type::float32(context),
        DType::F64 => Type::float64(context),
        DType::C64 | DType::C128 => types::complex(element(context, dtype.real())?)?,
        _ => return Err(LowerCause::Lost("an element type")),
    })
}

/// Whether a tensor of the type holds anything.
pub(super) fn has_elements(ty: &TensorType) -> bool {
    !ty.shape.dims().contains(&Dim::Static(0))
}

/// The type of functions from and to types.
pub(super) fn function<'c>(
    context: &'c Context,
    parameters: &[Type<'c>],
    results: &[Type<'c>],
) -> Type<'c> {
    types::function(context, parameters, results)
}

/// The type of the same tensor with other elements.
pub(super) fn with_dtype(ty: &TensorType, dtype: DType) -> TensorType {
    TensorType::new(dtype, ty.shape.clone())
}

/// The type of a tensor without axes.
pub(super) fn scalar(dtype: DType) -> TensorType {
    TensorType::new(dtype, Shape::default())
}

/// Axes as attributes hold them.
pub(super) fn axes(axes: &[usize]) -> Vec<i64> {
    axes.iter().map(|axis| *axis as i64).collect()
}
