//! Linear maps: everything that a derivative is made of.
//!
//! A map may keep values of the function, which count as constants. There are no others, so each has a transpose.

mod contribution;
mod convolution;
mod dot;
mod transpose;
mod window;

pub(crate) use contribution::Contribution;
pub(crate) use dot::Contraction;
pub(crate) use transpose::inside;
pub(crate) use window::elements_of_windows;

use crate::{builder::Builder, error::Result};
use iree_abi::{DType, Shape};
use iree_dsl_ir::{
    ValueId,
    op::{
        BinaryOp, Broadcast, Convolution, Cumulate, DotGeneral, DynamicSlice, Fourier, Gather, Op,
        Pad, Reduce, ReduceKind, ReduceWindow, Scatter, ScatterKind, Slice, Solve, Transpose,
        UnaryOp,
    },
};

/// A linear map of one or several tensors to one. What is kept is named by its value.
#[derive(Clone, Debug)]
pub(crate) enum Linear {
    /// The sum of two.
    Add,
    /// The difference of two.
    Subtract,
    /// The tensor with the other sign.
    Negate,
    /// The product with what is kept, at each place.
    Scale(ValueId),
    /// The quotient by what is kept, at each place.
    Divide(ValueId),
    /// The same numbers with another element type, real or complex.
    Convert(DType),
    /// Complex numbers of real and imaginary parts.
    Complex,
    /// The real parts.
    Real,
    /// The imaginary parts.
    Imag,
    /// One of two by the mask that is kept, at each place.
    Select(ValueId),
    /// The same numbers repeated.
    Broadcast(Broadcast),
    /// The same numbers with other axes.
    Reshape(Shape),
    /// The axes in another order.
    Permute(Transpose),
    /// The elements along axes in reverse order.
    Reverse(Vec<usize>),
    /// Zeros around and between the elements.
    Pad(Pad),
    /// A part with fixed bounds.
    Slice(Slice),
    /// Several one after the other along an axis.
    Concatenate(usize),
    /// A window that starts where kept values say.
    DynamicSlice { sizes: Shape, starts: Vec<ValueId> },
    /// The first with a window, which starts where kept values say, replaced by the second.
    DynamicUpdate { starts: Vec<ValueId> },
    /// Elements looked up at kept places.
    Gather {
        axes: Vec<usize>,
        places: Vec<ValueId>,
    },
    /// The first with the elements of the second added at kept places.
    ScatterAdd {
        axes: Vec<usize>,
        places: Vec<ValueId>,
    },
    /// Sums along axes.
    Sum(Vec<usize>),
    /// Sums of windows.
    WindowSum(ReduceWindow),
    /// Of each window, the element at the place whose number is kept, from 1; no element where that is 0.
    WindowSelect { op: ReduceWindow, winner: ValueId },
    /// Each element with all before it along an axis, or with all behind it.
    CumulativeSum { axis: usize, reverse: bool },
    /// A contraction with what is kept on the right.
    DotLeft { op: DotGeneral, rhs: ValueId },
    /// A contraction with what is kept on the left.
    DotRight { op: DotGeneral, lhs: ValueId },
    /// A convolution with a kept kernel.
    ConvolveInput { op: Convolution, kernel: ValueId },
    /// A convolution of a kept input.
    ConvolveKernel { op: Convolution, input: ValueId },
    /// A Fourier transform along the last axis.
    Fourier(Fourier),
    /// Solutions of systems with kept matrices.
    Solve { op: Solve, matrices: ValueId },
}

impl Linear {
    /// The values of the function that it keeps.
    pub(crate) fn kept_mut(&mut self) -> Vec<&mut ValueId> {
        match self {
            Self::Scale(kept) | Self::Divide(kept) | Self::Select(kept) => vec![kept],
            Self::WindowSelect { winner: kept, .. } => vec![kept],
            Self::DynamicSlice { starts, .. } | Self::DynamicUpdate { starts } => {
                starts.iter_mut().collect()
            }
            Self::Gather { places, .. } | Self::ScatterAdd { places, .. } => {
                places.iter_mut().collect()
            }
            Self::DotLeft { rhs: kept, .. } | Self::DotRight { lhs: kept, .. } => vec![kept],
            Self::ConvolveInput { kernel: kept, .. } => vec![kept],
            Self::ConvolveKernel { input: kept, .. } => vec![kept],
            Self::Solve { matrices: kept, .. } => vec![kept],
            Self::Add | Self::Subtract | Self::Negate | Self::Convert(_) => Vec::new(),
            Self::Complex | Self::Real | Self::Imag => Vec::new(),
            Self::Broadcast(_) | Self::Reshape(_) | Self::Permute(_) => Vec::new(),
            Self::Reverse(_) | Self::Pad(_) | Self::Slice(_) | Self::Concatenate(_) => Vec::new(),
            Self::Sum(_) | Self::WindowSum(_) | Self::CumulativeSum { .. } => Vec::new(),
            Self::Fourier(_) => Vec::new(),
        }
    }

    /// Emits the map of some tensors.
    pub(crate) fn emit(&self, builder: &mut Builder, inputs: &[ValueId]) -> Result<ValueId> {
        let with = |kept: &[ValueId]| [inputs, kept].concat();
        match self {
            Self::Add => builder.emit(Op::Binary(BinaryOp::Add), inputs),
            Self::Subtract => builder.emit(Op::Binary(BinaryOp::Subtract), inputs),
            Self::Negate => builder.emit(Op::Unary(UnaryOp::Negate), inputs),
            Self::Scale(kept) => builder.emit(Op::Binary(BinaryOp::Multiply), &with(&[*kept])),
            Self::Divide(kept) => builder.emit(Op::Binary(BinaryOp::Divide), &with(&[*kept])),
            Self::Convert(dtype) => builder.emit(Op::Convert(*dtype), inputs),
            Self::Complex => builder.emit(Op::Binary(BinaryOp::Complex), inputs),
            Self::Real => builder.emit(Op::Unary(UnaryOp::Real), inputs),
            Self::Imag => builder.emit(Op::Unary(UnaryOp::Imag), inputs),
            Self::Select(mask) => builder.emit(Op::Select, &[&[*mask], inputs].concat()),
            Self::Broadcast(op) => builder.emit(Op::Broadcast(op.clone()), inputs),
            Self::Reshape(shape) => builder.emit(Op::Reshape(shape.clone()), inputs),
            Self::Permute(op) => builder.emit(Op::Transpose(op.clone()), inputs),
            Self::Reverse(axes) => builder.emit(Op::Reverse(axes.clone()), inputs),
            Self::Pad(op) => transpose::pad(builder, op, inputs),
            Self::Slice(op) => builder.emit(Op::Slice(op.clone()), inputs),
            Self::Concatenate(axis) => builder.emit(Op::Concatenate(*axis), inputs),
            Self::DynamicSlice { sizes, starts } => {
                let sizes = sizes.clone();
                builder.emit(Op::DynamicSlice(DynamicSlice { sizes }), &with(starts))
            }
            Self::DynamicUpdate { starts } => builder.emit(Op::DynamicUpdateSlice, &with(starts)),
            Self::Gather { axes, places } => {
                let axes = axes.clone();
                builder.emit(Op::Gather(Gather { axes }), &with(places))
            }
            Self::ScatterAdd { axes, places } => {
                let (kind, axes) = (ScatterKind::Add, axes.clone());
                builder.emit(Op::Scatter(Scatter { kind, axes }), &with(places))
            }
            Self::Sum(axes) => {
                let (kind, axes) = (ReduceKind::Sum, axes.clone());
                builder.emit(Op::Reduce(Reduce { kind, axes }), inputs)
            }
            Self::WindowSum(op) => builder.emit(Op::ReduceWindow(op.clone()), inputs),
            Self::WindowSelect { op, winner } => window::select(builder, op, *winner, inputs),
            Self::CumulativeSum { axis, reverse } => cumulate(builder, *axis, *reverse, inputs),
            Self::DotLeft { op, rhs } => builder.emit(Op::DotGeneral(op.clone()), &with(&[*rhs])),
            Self::DotRight { op, lhs } => {
                builder.emit(Op::DotGeneral(op.clone()), &[&[*lhs], inputs].concat())
            }
            Self::ConvolveInput { op, kernel } => {
                builder.emit(Op::Convolution(op.clone()), &with(&[*kernel]))
            }
            Self::ConvolveKernel { op, input } => {
                builder.emit(Op::Convolution(op.clone()), &[&[*input], inputs].concat())
            }
            Self::Fourier(op) => builder.emit(Op::Fourier(*op), inputs),
            Self::Solve { op, matrices } => {
                builder.emit(Op::Solve(*op), &[&[*matrices], inputs].concat())
            }
        }
    }
}

fn cumulate(
    builder: &mut Builder,
    axis: usize,
    reverse: bool,
    inputs: &[ValueId],
) -> Result<ValueId> {
    let kind = ReduceKind::Sum;
    let sum = Op::Cumulate(Cumulate { kind, axis });
    if !reverse {
        return builder.emit(sum, inputs);
    }
    let turned = builder.emit(Op::Reverse(vec![axis]), inputs)?;
    let sums = builder.emit(sum, &[turned])?;
    builder.reverse(sums, vec![axis])
}
