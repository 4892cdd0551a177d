//! What each family of operations says of itself, in its own file. Nothing has a default: an operation without a rule
//! does not compile.

use super::{
    ArgReduce, ArgSort, BinaryOp, Broadcast, Call, CompareOp, Convolution, Cumulate, DotGeneral,
    DynamicSlice, Fourier, Gather, Import, InferError, Iota, Mlir, Op, Pad, Reduce, ReduceWindow,
    RegionType, Scatter, Size, Slice, Transpose, UnaryOp, control, convert, observe,
    properties::Properties, select, shape, slice, structure,
};
use crate::{
    Constant,
    text::{Printer, ReadResult, Reader},
};
use iree_abi::TensorType;
use std::fmt;

/// A family of operations: one operation with its attributes, or several of the same form.
pub(crate) trait Family<'a>: Copy {
    /// The operation's name in the text form.
    fn name(self) -> &'static str;

    /// The result types from those of operands and regions. This alone decides what is a mistake.
    fn infer(
        self,
        operands: &[TensorType],
        regions: &[RegionType],
    ) -> Result<Vec<TensorType>, InferError>;

    /// What analyses ask.
    fn properties(self) -> Properties<'a>;

    /// Writes what stands behind the name: operands and attributes.
    fn print(self, text: &mut Printer<'_, '_>) -> fmt::Result;

    /// Reads what [`print`](Self::print) writes, if the name is one of the family.
    fn read(text: &mut Reader<'_, '_>) -> ReadResult;
}

/// Ways to read an operation; each takes the names of one family.
pub(crate) type Read = fn(&mut Reader<'_, '_>) -> ReadResult;

/// Says for each operation which family answers for it.
macro_rules! families {
    ($($operation:pat => $family:ty = $value:expr;)+) => {
        impl Op {
            /// The operation's name in the text form.
            pub fn name(&self) -> &'static str {
                match self {
                    $($operation => Family::name($value),)+
                }
            }

            /// What analyses ask.
            pub(super) fn properties(&self) -> Properties<'_> {
                match self {
                    $($operation => Family::properties($value),)+
                }
            }

            /// Writes what stands behind the name.
            pub(crate) fn print(&self, text: &mut Printer<'_, '_>) -> fmt::Result {
                match self {
                    $($operation => Family::print($value, text),)+
                }
            }

            fn infer_by_family(
                &self,
                operands: &[TensorType],
                regions: &[RegionType],
            ) -> Result<Vec<TensorType>, InferError> {
                match self {
                    $($operation => Family::infer($value, operands, regions),)+
                }
            }
        }

        /// How operations are read, family by family.
        pub(crate) const READ: &[Read] = &[$(<$family as Family<'static>>::read,)+];
    };
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
