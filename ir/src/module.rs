use super::{Arena, Constant, Function, Id};
use crate::SpanId;
use iree_abi::TensorType;
use std::fmt;

/// The index of a [`Function`] in its module.
pub type FunctionId = Id<Function>;

/// The index of a [`Global`] in its module.
pub type GlobalId = Id<Global>;

/// A program: state, and functions over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The module's name in IREE.
    pub name: String,
    /// The state.
    pub globals: Arena<Global>,
    /// The functions; one may call only those before it.
    pub functions: Arena<Function>,
}

impl Module {
    /// A module with nothing in it.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            globals: Arena::default(),
            functions: Arena::default(),
        }
    }
}

/// A tensor that outlives calls.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, the path of fields that leads to it: `params.x`.
    pub name: String,
    /// Its type.
    pub ty: TensorType,
    /// Whether a function stores it.
    pub mutable: bool,
    /// Its first value.
    pub init: GlobalInit,
    /// Where it is declared.
    pub span: SpanId,
}

impl fmt::Display for ParameterName {
    /// Writes `scope::key`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}::{}", self.scope, self.key)
    }
}

impl PartialEq for Global {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.ty, self.mutable, &self.init)
            == (&other.name, &other.ty, other.mutable, &other.init)
    }
}

impl Eq for Global {}

/// The first value of a global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalInit {
    /// A value known while building.
    Constant(Constant),
    /// The result at this index of a function without parameters, which runs when the module is loaded.
    Function(FunctionId, usize),
    /// None: it is stored before it is read.
    Uninitialized,
    /// What an archive has when the module is loaded.
    Parameter(ParameterName),
}

/// Where the value of a parameter comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParameterName {
    /// The name that the host gives to archives.
    pub scope: String,
    /// The name in these archives.
    pub key: String,
}
