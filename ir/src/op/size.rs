use super::{InferError, arity};
use iree_abi::{DType, Extent, TensorType};

/// A number computed from sizes that are known at the call, as a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// The number.
    pub extent: Extent,
    /// The type of the scalar, to which it is converted as by `as`. Not `bool`.
    pub dtype: DType,
}

impl Size {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        let [] = arity::exactly(operands)?;
        if self.dtype == DType::Bool {
            return Err(InferError::DType {
                operation: "size",
                dtype: DType::Bool,
            });
        }
        Ok(vec![TensorType::new(self.dtype, [])])
    }
}
