//! The vocabulary: every operation of the intermediate representation, one family a file.
//!
//! An operation is a value with its attributes; its operands are passed beside it. `infer` says which
//! result types it has for given operand types, or why it has none. Operations are few and orthogonal:
//! broadcasting, `mean` or `softmax` are written with them while tracing.
//!
//! A family's file has all that is known of its operations: attributes, element types, `infer`, the classes that
//! analyses ask for ([`Effect`], [`Alias`], [`Cost`], [`Structure`]) and the text form.

mod arity;
mod binary;
mod build;
mod compare;
mod contract;
mod control;
mod convert;
mod error;
mod family;
mod fourier;
mod import;
mod index;
mod mlir;
mod observe;
mod order;
mod pad;
mod properties;
mod reduce;
mod select;
mod shape;
mod size;
mod slice;
mod structure;
mod unary;
mod window;

pub use binary::BinaryOp;
pub use build::Iota;
pub use compare::CompareOp;
pub use contract::DotGeneral;
pub use control::RegionType;
pub use error::InferError;
pub use fourier::Fourier;
pub use import::Import;
pub use index::{Gather, Scatter, ScatterKind};
pub use mlir::{Mlir, mlir_element, mlir_type};
pub use observe::Observation;
pub use order::{ArgSort, Cumulate};
pub use pad::{Pad, spread};
pub use properties::{Alias, Cost, Effect, Structure, Update};
pub use reduce::{ArgReduce, ExtremumKind, Reduce, ReduceKind};
pub use shape::{Broadcast, Transpose, byte_size, is_addressable};
pub use size::Size;
pub use slice::{DynamicSlice, Slice, steps};
pub use structure::{Call, GlobalAccess};
pub use unary::UnaryOp;
pub use window::{Convolution, ReduceWindow, WindowKind, WindowStep};

pub(crate) use family::READ;

use crate::Constant;
use iree_abi::{DType, Shape};

/// An operation with its attributes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A tensor known while building. No operands.
    Constant(Constant),
    /// The index along one axis. No operands.
    Iota(Iota),
    /// A number computed from sizes that are known at the call. No operands.
    Size(Size),
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
    /// The same bits as another element type of the same width.
    Bitcast(DType),
    /// The same numbers repeated along new or longer axes.
    Broadcast(Broadcast),
    /// The same numbers in the same order with other axes.
    Reshape(Shape),
    /// The same numbers with the axes in another order.
    Transpose(Transpose),
    /// Sums of products.
    DotGeneral(DotGeneral),
    /// Sums of products over windows.
    Convolution(Convolution),
    /// A discrete Fourier transform along the last axis.
    Fourier(Fourier),
    /// All numbers along some axes made one.
    Reduce(Reduce),
    /// The numbers in each window made one.
    ReduceWindow(ReduceWindow),
    /// Where the largest or smallest number along an axis is.
    ArgReduce(ArgReduce),
    /// A part with fixed bounds.
    Slice(Slice),
    /// A window that starts where operands say.
    DynamicSlice(DynamicSlice),
    /// A tensor with a window replaced that starts where operands say.
    DynamicUpdateSlice,
    /// Tensors one after the other along an axis.
    Concatenate(usize),
    /// More elements at the ends of axes and between neighbours.
    Pad(Pad),
    /// The elements along some axes in reverse order.
    Reverse(Vec<usize>),
    /// Elements looked up.
    Gather(Gather),
    /// Elements combined with others at certain places.
    Scatter(Scatter),
    /// The places of the elements along an axis in order.
    ArgSort(ArgSort),
    /// Each element combined with all before it along an axis.
    Cumulate(Cumulate),
    /// One of two regions.
    If,
    /// A region again and again. Operands and results are what each round hands to the next.
    While,
    /// The results of another function of the module.
    Call(Call),
    /// What a text in MLIR says.
    Mlir(Mlir),
    /// The value of a global. No operands.
    GlobalLoad(GlobalAccess),
    /// A new value for a global. No results.
    GlobalStore(GlobalAccess),
    /// The results of a function of the host.
    Import(Import),
    /// Tensors are shown to the host. No results.
    Trace(Observation),
    /// The call fails unless the operand is true. No results.
    Assert(Observation),
}
