use crate::ImportError;
use iree_abi::{DType, Dim, Extent, TensorType};
use iree_dsl_ir::{ParameterName, SpanId};
use std::sync::Arc;
use thiserror::Error;

/// Why a module cannot be loaded or a call has no results.
#[derive(Clone, Debug, Error)]
pub enum Error {
    /// The module has no public function of this name.
    #[error("there is no public function `{0}`")]
    NoFunction(String),
    /// The function takes another number of arguments.
    #[error("`{function}` takes {expected} arguments, found {found}")]
    ArgumentCount {
        /// The function.
        function: String,
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// An argument has another element type, another number of axes or another size than its parameter.
    #[error("`{function}`: `{parameter}` is a `{expected}`, found a `{found}`")]
    ArgumentType {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
        /// Its type.
        expected: TensorType,
        /// The type of the argument.
        found: TensorType,
    },
    /// Two sizes with one name differ.
    #[error(transparent)]
    SizeConflict(Box<SizeConflict>),
    /// The host gave no value for a global.
    #[error("there is no parameter `{0}`")]
    NoParameter(ParameterName),
    /// What the host gave for a global has another type.
    #[error("the parameter `{name}` is a `{expected}`, found a `{found}`")]
    ParameterType {
        /// The parameter.
        name: ParameterName,
        /// Its type.
        expected: TensorType,
        /// The type of what the host gave.
        found: TensorType,
    },
    /// The host has no function that the module imports.
    #[error("the host has no function `{0}`")]
    NoImport(String),
    /// An operation has no result.
    #[error("`{function}`, operation {operation} (`{name}`): {cause}")]
    Operation {
        /// The function that it is in.
        function: String,
        /// Its number there.
        operation: usize,
        /// Its name.
        name: &'static str,
        /// The expression that it came from.
        span: SpanId,
        /// Why.
        #[source]
        cause: Box<Cause>,
    },
}

/// Two sizes with one name that differ.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{function}`: the dimension `{dim}` is {first} in `{first_parameter}` and {second} in `{second_parameter}`"
)]
pub struct SizeConflict {
    /// The function.
    pub function: String,
    /// The dimension.
    pub dim: Dim,
    /// What it is by the sizes of a parameter.
    pub first: i128,
    /// That parameter.
    pub first_parameter: String,
    /// What it is in another parameter.
    pub second: usize,
    /// That parameter.
    pub second_parameter: String,
}

/// Why an operation has no result.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Cause {
    /// An assertion of the program does not hold.
    #[error("{message}")]
    Assertion {
        /// What the assertion says.
        message: String,
        /// Which of the module's sites it is.
        site: usize,
    },
    /// A function of the host failed.
    #[error("`{name}` of the host: {error}")]
    Import {
        /// The function.
        name: String,
        /// What it said.
        error: Arc<ImportError>,
    },
    /// A function of the host returned something else than the program imports.
    #[error("`{name}` of the host returns {}, found {}", list(.expected), list(.found))]
    ImportResults {
        /// The function.
        name: String,
        /// What the program imports.
        expected: Vec<TensorType>,
        /// What the function returned.
        found: Vec<TensorType>,
    },
    /// What a text in MLIR says is known to a compiler only.
    #[error("what a text in MLIR says cannot be evaluated")]
    Mlir,
    /// A global without a first value is read before it is stored.
    #[error("the global `{0}` is read before it has a value")]
    Uninitialized(String),
    /// The tensor does not fit into the memory that the host allows.
    #[error("a `{ty}` does not fit: {available} of {limit} bytes are left")]
    Memory {
        /// Its type.
        ty: TensorType,
        /// How many bytes are left.
        available: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A size that is computed from those of the arguments is negative, or larger than any memory.
    #[error("the size `{dim}` of a `{ty}` is {value}")]
    Size {
        /// The size.
        dim: Dim,
        /// The type that has it.
        ty: TensorType,
        /// Its value.
        value: i128,
    },
    /// A number computed from sizes is too large to count.
    #[error("the sizes of the call make `{0}` too large to count")]
    Uncountable(Extent),
    /// Sizes of the call do not fit each other.
    #[error("the sizes {found:?} do not fit {expected:?}")]
    Sizes {
        /// What the operation needs.
        expected: Vec<usize>,
        /// What it has.
        found: Vec<usize>,
    },
    /// A part reaches past the end of an axis.
    #[error("the part from {start} to {limit} is not within the size {size} of axis {axis}")]
    Bounds {
        /// The axis.
        axis: usize,
        /// Where the part starts.
        start: i128,
        /// Before which it ends.
        limit: i128,
        /// The size of the axis.
        size: usize,
    },
    /// A window does not fit into what it is a part of.
    #[error("there is no part of size {part} along an axis of size {size}")]
    Window {
        /// The size of the window along an axis.
        part: Dim,
        /// The size of what it is a part of.
        size: Dim,
    },
    /// The largest or smallest of no elements, or an element of an empty axis.
    #[error("there is no such element in an empty axis")]
    Empty,
    /// Regions and calls are nested deeper than the interpreter goes.
    #[error("calls and regions are nested more than {0} deep")]
    Depth(usize),
    /// The operation does not exist for an element type, which no verified module has.
    #[error("it is not defined for `{0}`")]
    DType(DType),
    /// Something is missing that every verified module has: a mistake of the interpreter.
    #[error("internal error: {0} is missing")]
    Lost(&'static str),
}

fn list(types: &[TensorType]) -> String {
    let types: Vec<_> = types.iter().map(|ty| format!("`{ty}`")).collect();
    format!("({})", types.join(", "))
}
