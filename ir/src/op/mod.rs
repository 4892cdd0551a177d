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
mod control;
mod convert;
mod error;
mod fourier;
mod import;
mod index;
mod mlir;
mod observe;
mod order;
mod pad;
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
pub use reduce::{ArgReduce, ExtremumKind, Reduce, ReduceKind};
pub use shape::{Broadcast, Transpose, byte_size, is_addressable};
pub use size::Size;
pub use slice::{DynamicSlice, Slice, steps};
pub use structure::{Call, GlobalAccess};
pub use unary::UnaryOp;
pub use window::{Convolution, ReduceWindow, WindowKind, WindowStep};

use crate::Constant;
use iree_abi::{DType, Shape, TensorType};

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

impl Op {
    /// The operation's name in the text form.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Constant(_) => "constant",
            Self::Iota(_) => "iota",
            Self::Size(_) => "size",
            Self::Unary(op) => op.name(),
            Self::Binary(op) => op.name(),
            Self::Compare(op) => op.name(),
            Self::Select => "select",
            Self::Convert(_) => "convert",
            Self::Bitcast(_) => "bitcast",
            Self::Broadcast(_) => "broadcast",
            Self::Reshape(_) => "reshape",
            Self::Transpose(_) => "transpose",
            Self::DotGeneral(_) => "dot_general",
            Self::Convolution(_) => "convolution",
            Self::Fourier(op) => op.name(),
            Self::Reduce(op) => op.kind.name(),
            Self::ReduceWindow(op) => op.kind.name(),
            Self::ArgReduce(op) => op.kind.name(),
            Self::Slice(_) => "slice",
            Self::DynamicSlice(_) => "dynamic_slice",
            Self::DynamicUpdateSlice => "dynamic_update_slice",
            Self::Concatenate(_) => "concatenate",
            Self::Pad(_) => "pad",
            Self::Reverse(_) => "reverse",
            Self::Gather(_) => "gather",
            Self::Scatter(op) => op.kind.name(),
            Self::ArgSort(_) => "arg_sort",
            Self::Cumulate(op) => op.name(),
            Self::If => "if",
            Self::While => "while",
            Self::Call(_) => "call",
            Self::Mlir(_) => "mlir",
            Self::GlobalLoad(_) => "global_load",
            Self::GlobalStore(_) => "global_store",
            Self::Import(_) => "import",
            Self::Trace(_) => "trace",
            Self::Assert(_) => "assert",
        }
    }

    /// The types of the results for operands of these types, and regions of these.
    ///
    /// # Errors
    ///
    /// Why the operation does not exist for them.
    pub fn infer(
        &self,
        operands: &[TensorType],
        regions: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError> {
        if !matches!(self, Self::If | Self::While) && !regions.is_empty() {
            return Err(InferError::RegionCount {
                expected: 0,
                found: regions.len(),
            });
        }
        match self {
            Self::Constant(constant) => build::infer_constant(constant, operands),
            Self::Iota(op) => op.infer(operands),
            Self::Size(op) => op.infer(operands),
            Self::Unary(op) => op.infer(operands),
            Self::Binary(op) => op.infer(operands),
            Self::Compare(op) => op.infer(operands),
            Self::Select => select::infer(operands),
            Self::Convert(dtype) => convert::infer(*dtype, operands),
            Self::Bitcast(dtype) => convert::infer_bitcast(*dtype, operands),
            Self::Broadcast(op) => op.infer(operands),
            Self::Reshape(shape) => shape::infer_reshape(shape, operands),
            Self::Transpose(op) => op.infer(operands),
            Self::DotGeneral(op) => op.infer(operands),
            Self::Convolution(op) => op.infer(operands),
            Self::Fourier(op) => op.infer(operands),
            Self::Reduce(op) => op.infer(operands),
            Self::ReduceWindow(op) => op.infer(operands),
            Self::ArgReduce(op) => op.infer(operands),
            Self::Slice(op) => op.infer(operands),
            Self::DynamicSlice(op) => op.infer(operands),
            Self::DynamicUpdateSlice => slice::infer_dynamic_update(operands),
            Self::Concatenate(axis) => slice::infer_concatenate(*axis, operands),
            Self::Pad(op) => op.infer(operands),
            Self::Reverse(axes) => shape::infer_reverse(axes, operands),
            Self::Gather(op) => op.infer(operands),
            Self::Scatter(op) => op.infer(operands),
            Self::ArgSort(op) => op.infer(operands),
            Self::Cumulate(op) => op.infer(operands),
            Self::If => control::infer_if(operands, regions),
            Self::While => control::infer_while(operands, regions),
            Self::Call(op) => op.infer(operands),
            Self::Mlir(op) => op.infer(operands),
            Self::GlobalLoad(op) => op.infer_load(operands),
            Self::GlobalStore(op) => op.infer_store(operands),
            Self::Import(op) => op.infer(operands),
            Self::Trace(_) => observe::infer_trace(operands),
            Self::Assert(_) => observe::infer_assert(operands),
        }
    }
}
