//! What the parser makes of a text, before names and indices are resolved.

use super::error::Position;
use crate::{Linkage, op::Op};
use iree_abi::TensorType;

/// Something and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(super) position: Position,
    pub(crate) item: T,
}

/// The number of a value and its type.
pub(super) type TypedValue = (At<usize>, TensorType);

#[derive(Debug)]
pub(super) struct ModuleSyntax {
    pub(super) name: String,
    pub(super) globals: Vec<GlobalSyntax>,
    pub(super) functions: Vec<FunctionSyntax>,
}

#[derive(Debug)]
pub(super) struct GlobalSyntax {
    pub(super) name: String,
    pub(super) ty: TensorType,
    pub(super) mutable: bool,
    pub(super) init: InitSyntax,
}

#[derive(Debug)]
pub(super) enum InitSyntax {
    Constant(crate::Constant),
    Function(At<String>, usize),
    Uninitialized,
    Parameter(crate::ParameterName),
}

#[derive(Debug)]
pub(super) struct FunctionSyntax {
    pub(super) name: String,
    pub(super) linkage: Linkage,
    pub(super) parameter_names: Vec<String>,
    /// The types behind `->`.
    pub(super) results: At<Vec<TensorType>>,
    pub(super) body: RegionSyntax,
}

#[derive(Debug)]
pub(super) struct RegionSyntax {
    pub(super) parameters: Vec<TypedValue>,
    pub(super) operations: Vec<OperationSyntax>,
    pub(super) results: Vec<At<usize>>,
}

#[derive(Debug)]
pub(super) struct OperationSyntax {
    pub(super) operation: OpSyntax,
    pub(super) operands: Vec<At<usize>>,
    pub(super) results: Vec<TypedValue>,
    pub(super) regions: Vec<RegionSyntax>,
}

/// An operation, which may refer to others by name.
#[derive(Debug)]
pub(crate) enum OpSyntax {
    Known(Op),
    Call {
        callee: At<String>,
        /// The types of parameters and results where they are not those of the values.
        types: Option<(Vec<TensorType>, Vec<TensorType>)>,
    },
    Load(At<String>, Option<TensorType>),
    Store(At<String>, Option<TensorType>),
}
