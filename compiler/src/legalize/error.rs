use iree_dsl_ir::{SpanId, verify::VerifyError};
use std::fmt;

/// What is wrong with a module that passes made. It is a mistake of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalizeError {
    errors: Vec<VerifyError>,
}

impl LegalizeError {
    /// Where the first mistake is.
    pub fn span(&self) -> SpanId {
        let first = self.errors.first();
        first.map_or(SpanId::CALL_SITE, |error| error.span)
    }
}

impl From<Vec<VerifyError>> for LegalizeError {
    fn from(errors: Vec<VerifyError>) -> Self {
        Self { errors }
    }
}

impl fmt::Display for LegalizeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a pass made something that is not sound")?;
        let mut errors = self.errors.iter();
        errors.try_for_each(|error| write!(formatter, "; {error}"))
    }
}

impl std::error::Error for LegalizeError {}
