use crate::span::SpanId;
use iree_dialects::Diagnostics;
use thiserror::Error;

/// A sound module could not be turned into MLIR.
#[derive(Debug, Error)]
#[error("{cause}")]
pub struct LowerError {
    /// The expression that it happened at.
    pub span: SpanId,
    /// Why.
    pub cause: LowerCause,
}

/// Why a sound module could not be turned into MLIR.
#[derive(Debug, Error)]
pub enum LowerCause {
    /// MLIR has no such type, attribute or operation.
    #[error(transparent)]
    Dialect(#[from] iree_dialects::Error),
    /// The lowering itself broke a rule that verification had established.
    #[error("lowering lost {0}")]
    Lost(&'static str),
    /// MLIR found the module wrong.
    #[error("MLIR refuses the module: {0}")]
    Refused(#[from] Diagnostics),
}

impl LowerCause {
    /// The error at an expression.
    pub(super) fn at(self, span: SpanId) -> LowerError {
        LowerError { span, cause: self }
    }
}
