use super::InferError;
use iree_abi::{DType, TensorType};

/// The operands as an array, if there are as many.
pub(super) fn exactly<const N: usize>(
    operands: &[TensorType],
) -> Result<&[TensorType; N], InferError> {
    operands.try_into().map_err(|_| InferError::OperandCount {
        expected: N,
        found: operands.len(),
    })
}

/// One type for both operands.
pub(super) fn same(operands: &[TensorType]) -> Result<&TensorType, InferError> {
    let [lhs, rhs] = exactly(operands)?;
    same_dtype(lhs, rhs)?;
    if lhs.shape == rhs.shape {
        Ok(lhs)
    } else {
        Err(InferError::Shapes(lhs.shape.clone(), rhs.shape.clone()))
    }
}

/// One element type for both operands.
pub(super) fn same_dtype(lhs: &TensorType, rhs: &TensorType) -> Result<DType, InferError> {
    if lhs.dtype == rhs.dtype {
        Ok(lhs.dtype)
    } else {
        Err(InferError::DTypes(lhs.dtype, rhs.dtype))
    }
}

/// Refuses a list that has not one entry for each axis.
pub(super) fn check_count(expected: usize, found: usize) -> Result<(), InferError> {
    if expected == found {
        Ok(())
    } else {
        Err(InferError::AxisCount { expected, found })
    }
}

/// Refuses an axis that the type does not have.
pub(super) fn check_axis(axis: usize, ty: &TensorType) -> Result<(), InferError> {
    let rank = ty.shape.rank();
    if axis < rank {
        Ok(())
    } else {
        Err(InferError::Axis { axis, rank })
    }
}

/// Refuses axes that the type does not have or that occur twice.
pub(super) fn check_axes(axes: &[usize], ty: &TensorType) -> Result<(), InferError> {
    for (position, axis) in axes.iter().enumerate() {
        check_axis(*axis, ty)?;
        if axes.iter().take(position).any(|other| other == axis) {
            return Err(InferError::RepeatedAxis(*axis));
        }
    }
    Ok(())
}
