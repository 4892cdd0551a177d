use super::{InferError, arity};
use iree_abi::{DType, Site, TensorType};

/// Something that the host hears of while the program runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The key of a trace, or what an assertion says.
    pub text: String,
    /// Which of the module's sites it is.
    pub site: usize,
}

impl Observation {
    /// An observation whose number is not known yet.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            site: 0,
        }
    }

    /// What IREE has for it.
    pub fn marked(&self) -> String {
        Site::marked(self.site, &self.text)
    }
}

/// Any tensors, and no results.
pub(super) fn infer_trace(operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    match operands.is_empty() {
        true => Err(InferError::OperandCount {
            expected: 1,
            found: 0,
        }),
        false => Ok(Vec::new()),
    }
}

/// A single truth value, and no results.
pub(super) fn infer_assert(operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
    let [condition] = arity::exactly(operands)?;
    let expected = TensorType::new(DType::Bool, []);
    arity::same(&[expected, condition.clone()])?;
    Ok(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_take_anything_and_assertions_one_truth_value() {
        let (truth, x) = (
            TensorType::new(DType::Bool, []),
            TensorType::new(DType::Bool, [2]),
        );
        let both = [truth.clone(), x.clone()];
        assert_eq!(infer_trace(&both), Ok(Vec::new()));
        assert!(infer_trace(&[]).is_err());
        assert_eq!(infer_assert(&[truth]), Ok(Vec::new()));
        assert!(infer_assert(&[x]).is_err());
        assert!(infer_assert(&both).is_err());
    }
}
