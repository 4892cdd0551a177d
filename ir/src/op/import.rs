use super::{Call, InferError};
use iree_abi::{HOST, TensorType};

/// The results of a function of the host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// What the host calls it.
    pub name: String,
    /// The names of its parameters, those of leaves with their path.
    pub names: Vec<String>,
    /// The types of its parameters.
    pub parameters: Vec<TensorType>,
    /// The types of its results.
    pub results: Vec<TensorType>,
}

impl Import {
    /// Its name in IREE.
    pub fn symbol(&self) -> String {
        format!("{HOST}.{}", self.name)
    }

    pub(super) fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        Call::check(&self.parameters, operands)?;
        Ok(self.results.clone())
    }
}
