use super::{InferError, arity, shape};
use crate::{Constant, ConstantData};
use iree_abi::{DType, TensorType};

/// The index along one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iota {
    /// The type of the result. Not `bool`.
    pub ty: TensorType,
    /// The axis.
    pub axis: usize,
}

impl Iota {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [] = arity::exactly(operands)?;
        arity::check_axis(self.axis, &self.ty)?;
        if self.ty.dtype == DType::Bool {
            return Err(InferError::DType {
                operation: "iota",
                dtype: DType::Bool,
            });
        }
        Ok(vec![self.ty.clone()])
    }
}

pub(super) fn infer_constant(
    constant: &Constant,
    operands: &[TensorType],
) -> Result<Vec<TensorType>, InferError> {
    let [] = arity::exactly(operands)?;
    let size = constant.ty.dtype.size();
    let count = shape::element_count(&constant.ty.shape)?;
    let (expected, found) = match &constant.data {
        ConstantData::Splat(bytes) => (size, bytes.len()),
        ConstantData::Dense(bytes) => (size.saturating_mul(count), bytes.len()),
    };
    if expected == found {
        Ok(vec![constant.ty.clone()])
    } else {
        Err(InferError::ConstantSize { expected, found })
    }
}
