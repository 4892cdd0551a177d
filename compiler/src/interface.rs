//! What the host sees of a program: its procedures and trees, with types that are tensors of a known
//! element type and rank. Trace finds it, expand writes it down.

use crate::ast::ModuleId;
use iree_abi::{DType, Signature};
use std::path::PathBuf;

/// The host side of a program, or of a kernel module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// The trees, in source order.
    pub trees: Vec<TreeInterface>,
    /// The names of imports that are trees.
    pub imported_trees: Vec<String>,
    /// The exported procedures, in source order.
    pub procedures: Vec<ProcedureInterface>,
    /// The constants that are numbers, truth values or texts.
    pub consts: Vec<(String, HostConst)>,
    /// The type aliases that stand for something on the host.
    pub aliases: Vec<(String, HostAlias)>,
    /// The procedures with their flattened types, for the checks at the call.
    pub signature: Signature,
    /// The files that the program read while it was built.
    pub files: Vec<PathBuf>,
}

/// The host side of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeInterface {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<(String, HostType)>,
    /// The defaults of its generic parameters, by their names.
    pub defaults: Vec<(String, HostArgument)>,
}

/// The host side of an exported procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureInterface {
    /// Its name.
    pub name: String,
    /// The parameters' names and types.
    pub parameters: Vec<(String, HostType)>,
    /// The result.
    pub result: HostType,
}

/// The value of a constant on the host.
#[derive(Clone, Debug, PartialEq)]
pub enum HostConst {
    /// `bool`.
    Bool(bool),
    /// `usize`, where there is no element type, or an integer.
    Integer(i128, Option<DType>),
    /// A number of this type.
    Float(f64, DType),
    /// `&str`.
    Text(String),
}

/// What a type alias stands for on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostAlias {
    /// An element type.
    Element(DType),
    /// Anything else.
    Type(HostType),
}

/// A type of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostType {
    /// `DeviceArray<T, D>`.
    Array {
        /// The element type.
        element: HostElement,
        /// The number of axes.
        rank: usize,
    },
    /// The host form of a tree.
    Tree {
        /// The module that it is in.
        module: ModuleId,
        /// Its name.
        name: String,
        /// Its generic arguments.
        arguments: Vec<HostArgument>,
    },
    /// `(A, B)`.
    Tuple(Vec<HostType>),
    /// `[A; N]`.
    List(Box<HostType>, HostLength),
    /// A type parameter of the tree that stands for a tree.
    Parameter(String),
    /// What could not be resolved, which was reported.
    Unknown,
}

/// The element type of an array in a [`HostType`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostElement {
    /// An element type.
    Known(DType),
    /// A type parameter of the tree.
    Parameter(String),
}

/// The length of a list in a [`HostType`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostLength {
    /// Known.
    Known(usize),
    /// A constant parameter of the tree.
    Parameter(String),
    /// Known at the call only.
    RunTime,
}

/// A generic argument of a tree in a [`HostType`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostArgument {
    /// An element type.
    Element(HostElement),
    /// Another type.
    Type(HostType),
    /// A dimension.
    Length(HostLength),
}
