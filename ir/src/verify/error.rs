use crate::{SpanId, op::InferError};
use iree_abi::TensorType;
use thiserror::Error;

/// A rule of the representation that a module breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {violation}")]
pub struct VerifyError {
    /// The function or global, and the operation: `function `run`, operation 3 (`add`)`.
    pub place: String,
    /// The rule.
    pub violation: Violation,
    /// The expression that the place came from.
    pub span: SpanId,
}

/// A rule of the representation that is broken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Violation {
    /// A module, function or global without a name.
    #[error("it has no name")]
    NoName,
    /// Two functions, or two globals, with one name.
    #[error("the name is taken by an earlier one")]
    NameTaken,
    /// A parameter without a scope or a key.
    #[error("its parameter has no scope or no key")]
    NoParameterName,
    /// Two globals that are the same parameter.
    #[error("an earlier global is the same parameter")]
    ParameterTaken,
    /// A size that none of the function's parameters tells.
    #[error("no parameter tells the size `{0}`")]
    UnknownSize(String),
    /// A value that the function does not have.
    #[error("there is no value {0}")]
    UnknownValue(usize),
    /// An operation that the function does not have.
    #[error("there is no operation {0}")]
    UnknownOperation(usize),
    /// A function that the module does not have.
    #[error("there is no function {0}")]
    UnknownFunction(usize),
    /// A global that the module does not have.
    #[error("there is no global {0}")]
    UnknownGlobal(usize),
    /// A value is used where it does not exist yet, or no longer.
    #[error("the value {0} is not defined here")]
    NotDefined(usize),
    /// A value is the result of two operations, or a parameter twice.
    #[error("the value {0} is defined twice")]
    DefinedTwice(usize),
    /// A value that nothing defines.
    #[error("nothing defines the value {0}")]
    NeverDefined(usize),
    /// An operation occurs twice in the function's regions.
    #[error("the operation {0} occurs twice")]
    OccursTwice(usize),
    /// An operation is in none of the function's regions.
    #[error("the operation {0} is in no region")]
    InNoRegion(usize),
    /// The operation does not exist for its operands.
    #[error("{0}")]
    Infer(#[from] InferError),
    /// The recorded results are not those of the operation.
    #[error("the operation gives {}, recorded are {}", list(.inferred), list(.recorded))]
    ResultTypes {
        /// What the operation gives.
        inferred: Vec<TensorType>,
        /// What the values say.
        recorded: Vec<TensorType>,
    },
    /// A call of a function that does not stand before the caller.
    #[error("the callee `{0}` does not stand before the caller")]
    CalleeNotBefore(String),
    /// A call whose types are not those of the callee.
    #[error("the callee `{0}` has other parameters or results")]
    CalleeTypes(String),
    /// A load or store with another type than the global's.
    #[error("the global `{name}` is a `{expected}`, the access a `{found}`")]
    GlobalType {
        /// The global.
        name: String,
        /// Its type.
        expected: TensorType,
        /// The type of the access.
        found: TensorType,
    },
    /// A store of a global that does not change.
    #[error("the global `{0}` is not mutable")]
    ImmutableGlobal(String),
    /// A first value of another type.
    #[error("its first value is a `{found}`, its type `{expected}`")]
    InitType {
        /// The global's type.
        expected: TensorType,
        /// The type of the first value.
        found: TensorType,
    },
    /// An initialiser without that result.
    #[error("the initialiser `{function}` has no result {index}")]
    InitResult {
        /// The initialiser.
        function: String,
        /// The result.
        index: usize,
    },
    /// An initialiser that takes parameters.
    #[error("the initialiser `{0}` has parameters")]
    InitParameters(String),
    /// An initialiser that loads or stores globals, which may not be initialised when it runs.
    #[error("the initialiser `{0}` accesses globals")]
    InitAccess(String),
    /// Not one name for each parameter.
    #[error("{parameters} parameters have {names} names")]
    ParameterNames {
        /// How many parameters there are.
        parameters: usize,
        /// How many names there are.
        names: usize,
    },
}

fn list(types: &[TensorType]) -> String {
    let types: Vec<_> = types.iter().map(|ty| format!("`{ty}`")).collect();
    format!("({})", types.join(", "))
}
