//! The vocabulary: every operation of the intermediate representation, one family a file.
//!
//! An operation is a value with its attributes; its operands are passed beside it. `infer` says which
//! result types it has for given operand types, or why it has none. Operations are few and orthogonal:
//! broadcasting, `mean` or `softmax` are written with them while tracing.

mod arity;
mod binary;
mod build;
mod compare;
mod contract;
mod convert;
mod error;
mod reduce;
mod select;
mod shape;
mod structure;
mod unary;

pub use binary::BinaryOp;
pub use build::Iota;
pub use compare::CompareOp;
pub use contract::DotGeneral;
pub use error::InferError;
pub use reduce::{ArgReduce, ExtremumKind, Reduce, ReduceKind};
pub use shape::{Broadcast, Transpose, byte_size};
pub use structure::{Call, GlobalAccess};
pub use unary::UnaryOp;

use crate::ir::Constant;
use iree_abi::{DType, Shape, TensorType};

/// An operation with its attributes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A tensor known while building. No operands.
    Constant(Constant),
    /// The index along one axis. No operands.
    Iota(Iota),
    /// One number from one number, at each place.
    Unary(UnaryOp),
    /// One number from two numbers, at each place.
    Binary(BinaryOp),
    /// A truth value from two numbers, at each place.
    Compare(CompareOp),
    /// Operands `mask`, `on_true`, `on_false`: one of two numbers, at each place.
    Select,
    /// The same numbers with another element type.
    Convert(DType),
    /// The same numbers repeated along new or longer axes.
    Broadcast(Broadcast),
    /// The same numbers in the same order with other axes.
    Reshape(Shape),
    /// The same numbers with the axes in another order.
    Transpose(Transpose),
    /// Sums of products.
    DotGeneral(DotGeneral),
    /// All numbers along some axes made one.
    Reduce(Reduce),
    /// Where the largest or smallest number along an axis is.
    ArgReduce(ArgReduce),
    /// The results of another function of the module.
    Call(Call),
    /// The value of a global. No operands.
    GlobalLoad(GlobalAccess),
    /// A new value for a global. No results.
    GlobalStore(GlobalAccess),
}

impl Op {
    /// The operation's name in the text form.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Constant(_) => "constant",
            Self::Iota(_) => "iota",
            Self::Unary(op) => op.name(),
            Self::Binary(op) => op.name(),
            Self::Compare(op) => op.name(),
            Self::Select => "select",
            Self::Convert(_) => "convert",
            Self::Broadcast(_) => "broadcast",
            Self::Reshape(_) => "reshape",
            Self::Transpose(_) => "transpose",
            Self::DotGeneral(_) => "dot_general",
            Self::Reduce(op) => op.kind.name(),
            Self::ArgReduce(op) => op.kind.name(),
            Self::Call(_) => "call",
            Self::GlobalLoad(_) => "global_load",
            Self::GlobalStore(_) => "global_store",
        }
    }

    /// The types of the results for operands of these types.
    ///
    /// # Errors
    ///
    /// Why the operation does not exist for them.
    pub fn infer(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, InferError> {
        match self {
            Self::Constant(constant) => build::infer_constant(constant, operands),
            Self::Iota(op) => op.infer(operands),
            Self::Unary(op) => op.infer(operands),
            Self::Binary(op) => op.infer(operands),
            Self::Compare(op) => op.infer(operands),
            Self::Select => select::infer(operands),
            Self::Convert(dtype) => convert::infer(*dtype, operands),
            Self::Broadcast(op) => op.infer(operands),
            Self::Reshape(shape) => shape::infer_reshape(shape, operands),
            Self::Transpose(op) => op.infer(operands),
            Self::DotGeneral(op) => op.infer(operands),
            Self::Reduce(op) => op.infer(operands),
            Self::ArgReduce(op) => op.infer(operands),
            Self::Call(op) => op.infer(operands),
            Self::GlobalLoad(op) => op.infer_load(operands),
            Self::GlobalStore(op) => op.infer_store(operands),
        }
    }
}
