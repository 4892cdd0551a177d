use iree_abi::TensorType;
use iree_dsl_ir::{SpanId, op::InferError};
use thiserror::Error;

/// Why a function has no derivative.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The module has no such function.
    #[error("there is no function with the number {0}")]
    NoFunction(usize),
    /// The function has no such parameter, or it is named twice.
    #[error("`{function}` has no parameter {index} beside the others")]
    NoParameter {
        /// The function.
        function: String,
        /// The number of the parameter, from 0.
        index: usize,
    },
    /// An input is of integers or truth values.
    #[error("`{parameter}` is a `{ty}`: only real and complex numbers have derivatives")]
    Discrete {
        /// The name of the parameter.
        parameter: String,
        /// Its type.
        ty: TensorType,
    },
    /// Nothing that the function returns depends on an input.
    #[error("no result of `{function}` depends on `{parameter}`")]
    Independent {
        /// The function.
        function: String,
        /// The name of the parameter.
        parameter: String,
    },
    /// An operation on the way from the inputs to the results has no rule.
    #[error("`{operation}` is not differentiable: {reason}")]
    NotDifferentiable {
        /// The operation.
        operation: &'static str,
        /// Why it has none.
        reason: Reason,
        /// The expression that it came from.
        span: SpanId,
    },
    /// A global is stored for each element of a batch.
    #[error("a global cannot be stored for each element of a batch")]
    StoredByElement {
        /// The expression that stores it.
        span: SpanId,
    },
    /// What was made is not sound: a mistake of ours.
    #[error("internal error: `{operation}` of a derivative: {error}")]
    Unsound {
        /// The operation.
        operation: &'static str,
        /// What is wrong with it.
        error: InferError,
        /// The expression whose derivative it is for.
        span: SpanId,
    },
    /// Something is missing that every verified module has: a mistake of ours.
    #[error("internal error: {0} is missing")]
    Lost(&'static str),
}

/// Why an operation has no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// A global that is differentiated is loaded or stored by one.
    #[error("there is no rule for regions that load or store globals which are differentiated")]
    Global,
    /// The rule of a function leads cotangents back only.
    #[error("its rule is one for reverse mode only")]
    Backwards,
    /// Nothing counts the iterations, and they keep something.
    #[error("in reverse mode the iterations must be counted")]
    Uncounted,
    /// Nothing is known of what it computes.
    #[error("what it computes is not known here")]
    Opaque,
}

/// What may not exist.
pub(crate) type Result<T> = std::result::Result<T, Error>;
