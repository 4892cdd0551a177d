use iree_dsl_ir::{SpanId, verify::VerifyError};
use thiserror::Error;

/// What is wrong with a module on its way to IREE. It is a mistake of ours.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LegalizeError {
    /// An operation could not be expanded.
    #[error("`{operation}` was not expanded; {error}")]
    Expansion {
        /// The operation.
        operation: &'static str,
        /// The expression that it came from.
        span: SpanId,
        /// What an operation of the expansion refuses.
        error: iree_dsl_library::Error,
    },
    /// What passes made is not sound.
    #[error("a pass made something that is not sound{}", list(.0))]
    Unsound(Vec<VerifyError>),
}

impl LegalizeError {
    /// Where the first mistake is.
    pub fn span(&self) -> SpanId {
        match self {
            Self::Expansion { span, .. } => *span,
            Self::Unsound(errors) => {
                let first = errors.first();
                first.map_or(SpanId::CALL_SITE, |error| error.span)
            }
        }
    }
}

impl From<Vec<VerifyError>> for LegalizeError {
    fn from(errors: Vec<VerifyError>) -> Self {
        Self::Unsound(errors)
    }
}

fn list(errors: &[VerifyError]) -> String {
    errors.iter().map(|error| format!("; {error}")).collect()
}
