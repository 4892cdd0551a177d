use super::{InferError, arity};
use iree_abi::{DType, TensorType};

/// Rust's `as`: integers wrap, real numbers saturate and NaN becomes 0. `bool` becomes 0 or 1, and
/// everything but 0 becomes true. A complex number does not become a real one.
pub(super) fn infer(dtype: DType, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    let [operand] = arity::exactly(operands)?;
    if operand.dtype.is_complex() && !dtype.is_complex() {
        return Err(InferError::DTypes(operand.dtype, dtype));
    }
    Ok(vec![TensorType::new(dtype, operand.shape.clone())])
}

/// Between floating-point numbers and integers, in both directions.
pub(super) fn infer_bitcast(
    dtype: DType,
    operands: &[TensorType],
) -> Result<Vec<TensorType>, InferError> {
    let [operand] = arity::exactly(operands)?;
    let has_bits = |dtype: DType| dtype.is_float() || dtype.is_integer();
    let fits = dtype.size() == operand.dtype.size();
    if !fits || !has_bits(dtype) || !has_bits(operand.dtype) {
        return Err(InferError::DTypes(operand.dtype, dtype));
    }
    Ok(vec![TensorType::new(dtype, operand.shape.clone())])
}
