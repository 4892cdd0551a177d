use super::{InferError, arity};
use crate::{FunctionId, GlobalId};
use iree_abi::TensorType;

/// The results of another function of the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The function, which stands before the caller.
    pub callee: FunctionId,
    /// The types of its parameters.
    pub parameters: Vec<TensorType>,
    /// The types of its results.
    pub results: Vec<TensorType>,
}

impl Call {
    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        Self::check(&self.parameters, operands)?;
        Ok(self.results.clone())
    }

    /// Whether a function with these parameters takes these operands.
    pub(super) fn check(
        parameters: &[TensorType],
        operands: &[TensorType],
    ) -> Result<(), InferError> {
        if operands.len() != parameters.len() {
            return Err(InferError::OperandCount {
                expected: parameters.len(),
                found: operands.len(),
            });
        }
        let mut pairs = operands.iter().zip(parameters);
        pairs.try_for_each(|(operand, parameter)| {
            arity::same(&[parameter.clone(), operand.clone()]).map(drop)
        })
    }
}

/// A load or a store of a global.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GlobalAccess {
    /// The global.
    pub global: GlobalId,
    /// Its type.
    pub ty: TensorType,
}

impl GlobalAccess {
    pub(super) fn infer_load(
        &self,
        operands: &[TensorType],
    ) -> Result<Vec<TensorType>, InferError> {
        let [] = arity::exactly(operands)?;
        Ok(vec![self.ty.clone()])
    }

    pub(super) fn infer_store(
        &self,
        operands: &[TensorType],
    ) -> Result<Vec<TensorType>, InferError> {
        let [operand] = arity::exactly(operands)?;
        arity::same(&[self.ty.clone(), operand.clone()])?;
        Ok(Vec::new())
    }
}
