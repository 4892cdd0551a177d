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
mod linalg;
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
pub use contract::{Consecutive, DotGeneral};
pub use control::RegionType;
pub use error::InferError;
pub use fourier::Fourier;
pub use import::Import;
pub use index::{Gather, Scatter, ScatterKind};
pub use linalg::{Matrices, Solve};
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

use crate::Constant;
use family::families;
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
    /// The Cholesky factors of matrices in the last two axes.
    Cholesky,
    /// Operands `matrices`, `right`: solutions of linear systems.
    Solve(Solve),
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
    /// Which places the elements along an axis come from in order.
    ArgSort(ArgSort),
    /// Each element combined with all before it along an axis.
    Cumulate(Cumulate),
    /// One of two regions.
    If,
    /// A region again and again. Operands and results are what each iteration hands to the next.
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

families! {
    Op::Constant(op) => &Constant = op;
    Op::Iota(op) => &Iota = op;
    Op::Size(op) => &Size = op;
    Op::Unary(op) => UnaryOp = *op;
    Op::Binary(op) => BinaryOp = *op;
    Op::Compare(op) => CompareOp = *op;
    Op::Select => select::Select = select::Select;
    Op::Convert(dtype) => convert::Convert = convert::Convert(*dtype);
    Op::Bitcast(dtype) => convert::Bitcast = convert::Bitcast(*dtype);
    Op::Broadcast(op) => &Broadcast = op;
    Op::Reshape(shape) => shape::Reshape<'static> = shape::Reshape(shape);
    Op::Transpose(op) => &Transpose = op;
    Op::DotGeneral(op) => &DotGeneral = op;
    Op::Convolution(op) => &Convolution = op;
    Op::Fourier(op) => Fourier = *op;
    Op::Cholesky => linalg::Cholesky = linalg::Cholesky;
    Op::Solve(op) => &Solve = op;
    Op::Reduce(op) => &Reduce = op;
    Op::ReduceWindow(op) => &ReduceWindow = op;
    Op::ArgReduce(op) => &ArgReduce = op;
    Op::Slice(op) => &Slice = op;
    Op::DynamicSlice(op) => &DynamicSlice = op;
    Op::DynamicUpdateSlice => slice::DynamicUpdate = slice::DynamicUpdate;
    Op::Concatenate(axis) => slice::Concatenate = slice::Concatenate(*axis);
    Op::Pad(op) => &Pad = op;
    Op::Reverse(axes) => shape::Reverse<'static> = shape::Reverse(axes);
    Op::Gather(op) => &Gather = op;
    Op::Scatter(op) => &Scatter = op;
    Op::ArgSort(op) => &ArgSort = op;
    Op::Cumulate(op) => &Cumulate = op;
    Op::If => control::If = control::If;
    Op::While => control::While = control::While;
    Op::Call(op) => &Call = op;
    Op::Mlir(op) => &Mlir = op;
    Op::GlobalLoad(access) => structure::Load<'static> = structure::Load(access);
    Op::GlobalStore(access) => structure::Store<'static> = structure::Store(access);
    Op::Import(op) => &Import = op;
    Op::Trace(observation) => observe::Trace<'static> = observe::Trace(observation);
    Op::Assert(observation) => observe::Assert<'static> = observe::Assert(observation);
}

impl Op {
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
        if self.has_regions() || regions.is_empty() {
            return self.infer_by_family(operands, regions);
        }
        Err(InferError::RegionCount {
            expected: 0,
            found: regions.len(),
        })
    }
}
