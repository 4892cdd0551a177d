//! The transpose of each linear map.

use super::{Contraction, Contribution, Linear, convolution, window};
use crate::{
    builder::Builder,
    error::{Error, Result},
};
use iree_abi::{Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{
        BinaryOp, Broadcast, CompareOp, DynamicSlice, Gather, Op, Pad, Reduce, ReduceKind, Slice,
        Solve, UnaryOp,
    },
};

impl Linear {
    /// What the cotangent of the result adds to that of one of the inputs, which have these types.
    pub(crate) fn transpose(
        &self,
        builder: &mut Builder,
        position: usize,
        types: &[TensorType],
        cotangent: ValueId,
    ) -> Result<Contribution> {
        let ty = types.get(position);
        let ty = ty.ok_or(Error::Lost("the type of an input"))?;
        let value = match self {
            Self::Add => cotangent,
            Self::Subtract if position == 0 => cotangent,
            Self::Subtract | Self::Negate => builder.negate(cotangent)?,
            Self::Scale(kept) => builder.multiply(cotangent, *kept)?,
            Self::Divide(kept) => builder.divide(cotangent, *kept)?,
            Self::Convert(_) => convert_back(builder, ty, cotangent)?,
            Self::Complex => part(builder, position, cotangent)?,
            Self::Real => {
                let zeros = builder.splat_like(0.0, cotangent)?;
                builder.binary(BinaryOp::Complex, cotangent, zeros)?
            }
            Self::Imag => {
                let zeros = builder.splat_like(0.0, cotangent)?;
                let negative = builder.negate(cotangent)?;
                builder.binary(BinaryOp::Complex, zeros, negative)?
            }
            Self::Select(mask) => {
                let zeros = builder.splat_like(0.0, cotangent)?;
                match position {
                    0 => builder.select(*mask, cotangent, zeros)?,
                    _ => builder.select(*mask, zeros, cotangent)?,
                }
            }
            Self::Broadcast(op) => sum_back(builder, op, ty, cotangent)?,
            Self::Reshape(_) => builder.reshape(cotangent, &ty.shape)?,
            Self::Permute(op) => builder.transpose(cotangent, inverse(&op.permutation))?,
            Self::Reverse(axes) => builder.reverse(cotangent, axes.clone())?,
            Self::Pad(op) => unpad(builder, op, ty, cotangent)?,
            Self::Slice(op) => return Ok(Contribution::Slice(op.clone(), cotangent)),
            Self::Concatenate(axis) => part_of(builder, *axis, position, types, cotangent)?,
            Self::DynamicSlice { starts, .. } => {
                let (starts, window) = (starts.clone(), cotangent);
                return Ok(Contribution::Window { starts, window });
            }
            Self::DynamicUpdate { starts } if position == 0 => {
                let window = types.get(1).ok_or(Error::Lost("the type of a window"))?;
                let zeros = builder.zeros(window)?;
                let operands = [&[cotangent, zeros], starts.as_slice()].concat();
                builder.emit(Op::DynamicUpdateSlice, &operands)?
            }
            Self::DynamicUpdate { starts } => {
                let sizes = ty.shape.clone();
                let operands = [&[cotangent], starts.as_slice()].concat();
                builder.emit(Op::DynamicSlice(DynamicSlice { sizes }), &operands)?
            }
            Self::Gather { axes, places } => {
                return Ok(Contribution::Places {
                    axes: axes.clone(),
                    places: clamped(builder, axes, places, &ty.shape)?,
                    elements: cotangent,
                });
            }
            Self::ScatterAdd { .. } if position == 0 => cotangent,
            Self::ScatterAdd { axes, places } => gather_inside(builder, axes, places, cotangent)?,
            Self::Sum(axes) => {
                let kept = (0..ty.shape.rank()).filter(|axis| !axes.contains(axis));
                builder.broadcast(cotangent, &ty.shape, kept.collect())?
            }
            Self::WindowSum(op) => window::transpose(builder, op, ty, cotangent)?,
            Self::WindowSelect { op, winner } => {
                window::select_back(builder, op, *winner, ty, cotangent)?
            }
            Self::CumulativeSum { axis, reverse } => {
                super::cumulate(builder, *axis, !*reverse, &[cotangent])?
            }
            Self::DotLeft { op, rhs } => {
                Contraction::of_first(op, *rhs).transpose(builder, ty, cotangent)?
            }
            Self::DotRight { op, lhs } => {
                Contraction::of_second(op, *lhs).transpose(builder, ty, cotangent)?
            }
            Self::ConvolveInput { op, kernel } => {
                convolution::input(builder, op, *kernel, ty, cotangent)?
            }
            Self::ConvolveKernel { op, input } => {
                convolution::kernel(builder, op, *input, ty, cotangent)?
            }
            Self::Fourier(op) => builder.emit(Op::Fourier(*op), &[cotangent])?,
            Self::Solve { op, matrices } => {
                let op = Solve::of(op.matrices, !op.transposed);
                builder.emit(Op::Solve(op), &[*matrices, cotangent])?
            }
        };
        Ok(Contribution::Dense(value))
    }
}

/// Zeros around and between the elements of the one input.
pub(super) fn pad(builder: &mut Builder, op: &Pad, inputs: &[ValueId]) -> Result<ValueId> {
    let input = inputs.first().copied().ok_or(Error::Lost("an operand"))?;
    builder.pad(input, op, 0.0)
}

/// A cotangent as one of the type that was converted; only the real part of what was real.
fn convert_back(builder: &mut Builder, ty: &TensorType, cotangent: ValueId) -> Result<ValueId> {
    let was_real = !ty.dtype.is_complex() && builder.ty(cotangent)?.dtype.is_complex();
    let cotangent = match was_real {
        true => builder.unary(UnaryOp::Real, cotangent)?,
        false => cotangent,
    };
    builder.convert(cotangent, ty.dtype)
}

/// The cotangent of a real or imaginary part.
fn part(builder: &mut Builder, position: usize, cotangent: ValueId) -> Result<ValueId> {
    if position == 0 {
        return builder.unary(UnaryOp::Real, cotangent);
    }
    let imaginary = builder.unary(UnaryOp::Imag, cotangent)?;
    builder.negate(imaginary)
}

fn inverse(permutation: &[usize]) -> Vec<usize> {
    let axes = 0..permutation.len();
    let place = |axis| permutation.iter().position(|other| *other == axis);
    axes.filter_map(place).collect()
}

/// Sums along the axes that a broadcast made or made longer.
fn sum_back(
    builder: &mut Builder,
    op: &Broadcast,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    let longer = |axis: &usize| {
        let place = op.axes.iter().position(|other| other == axis);
        let from = place.and_then(|place| ty.shape.dims().get(place));
        from.is_none() || from != op.shape.dims().get(*axis)
    };
    let axes: Vec<_> = (0..op.shape.rank()).filter(longer).collect();
    let sum = Op::Reduce(Reduce {
        kind: ReduceKind::Sum,
        axes: axes.clone(),
    });
    let sum = match axes.is_empty() {
        true => cotangent,
        false => builder.emit(sum, &[cotangent])?,
    };
    builder.reshape(sum, &ty.shape)
}

/// The elements that were there before a tensor was padded.
fn unpad(builder: &mut Builder, op: &Pad, ty: &TensorType, cotangent: ValueId) -> Result<ValueId> {
    // What was cut off has the cotangent 0.
    let cut = |ends: &[i64]| -> Vec<i64> { ends.iter().map(|end| (-end).max(0)).collect() };
    let cuts = Pad {
        low: cut(&op.low),
        high: cut(&op.high),
        interior: vec![0; op.low.len()],
    };
    let none = cuts.low.iter().chain(&cuts.high).all(|end| *end == 0);
    let cotangent = match none {
        true => cotangent,
        false => builder.pad(cotangent, &cuts, 0.0)?,
    };
    let mut slice = Slice {
        start: Vec::new(),
        limit: Vec::new(),
        stride: op.interior.iter().map(|interior| interior + 1).collect(),
    };
    let axes = ty.shape.dims().iter().zip(&op.low).zip(&op.interior);
    for ((dim, low), interior) in axes {
        let start = Extent::constant(i128::from(*low).max(0));
        let limit = iree_dsl_ir::op::spread(dim, *interior).and_then(|size| size.plus(&start));
        slice.limit.push(limit.ok_or(Error::Lost("a size"))?);
        slice.start.push(start);
    }
    let part = builder.emit(Op::Slice(slice), &[cotangent])?;
    resized(builder, part, &ty.shape)
}

/// A tensor whose sizes are as asked for, but for how they are written.
pub(super) fn resized(builder: &mut Builder, value: ValueId, shape: &Shape) -> Result<ValueId> {
    let found = builder.shape(value)?;
    if found == *shape {
        return Ok(value);
    }
    let limit = shape.extents().ok_or(Error::Lost("a size"))?;
    let slice = Slice {
        start: vec![Extent::from(0); limit.len()],
        stride: vec![1; limit.len()],
        limit,
    };
    builder.emit(Op::Slice(slice), &[value])
}

/// The part of a concatenated tensor that one of the inputs is.
fn part_of(
    builder: &mut Builder,
    axis: usize,
    position: usize,
    types: &[TensorType],
    cotangent: ValueId,
) -> Result<ValueId> {
    let mut start = Extent::from(0);
    let size = |ty: &TensorType| ty.shape.dims().get(axis).and_then(Dim::extent);
    for ty in types.iter().take(position) {
        let end = size(ty).and_then(|size| start.plus(&size));
        start = end.ok_or(Error::Lost("a size"))?;
    }
    let limit = types.get(position).and_then(size);
    let limit = limit.and_then(|size| start.plus(&size));
    let whole = builder.shape(cotangent)?.extents();
    let mut slice = Slice {
        start: vec![Extent::from(0); types.first().map_or(0, |ty| ty.shape.rank())],
        limit: whole.ok_or(Error::Lost("a size"))?,
        stride: vec![1; types.first().map_or(0, |ty| ty.shape.rank())],
    };
    if let (Some(from), Some(to)) = (slice.start.get_mut(axis), slice.limit.get_mut(axis)) {
        (*from, *to) = (start, limit.ok_or(Error::Lost("a size"))?);
    }
    builder.emit(Op::Slice(slice), &[cotangent])
}

/// The places along axes, moved to the nearest end if they are outside.
fn clamped(
    builder: &mut Builder,
    axes: &[usize],
    places: &[ValueId],
    shape: &Shape,
) -> Result<Vec<ValueId>> {
    let mut inside = Vec::with_capacity(places.len());
    for (axis, place) in axes.iter().zip(places) {
        let last = size_along(builder, shape, *axis, *place, -1)?;
        let first = builder.splat_like(0.0, *place)?;
        // The first is taken of nothing, where there are no places.
        let place = builder.binary(BinaryOp::Minimum, *place, last)?;
        inside.push(builder.binary(BinaryOp::Maximum, place, first)?);
    }
    Ok(inside)
}

/// The size of an axis and a number, wherever another value has a number.
fn size_along(
    builder: &mut Builder,
    shape: &Shape,
    axis: usize,
    like: ValueId,
    more: i128,
) -> Result<ValueId> {
    let size = shape.dims().get(axis).and_then(Dim::extent);
    let size = size.and_then(|size| size.plus(&Extent::constant(more)));
    let size = builder.place(&size.ok_or(Error::Lost("a size"))?)?;
    let shape = builder.shape(like)?;
    builder.broadcast(size, &shape, Vec::new())
}

/// What is at places of a tensor; 0 for those outside.
fn gather_inside(
    builder: &mut Builder,
    axes: &[usize],
    places: &[ValueId],
    cotangent: ValueId,
) -> Result<ValueId> {
    let op = Gather {
        axes: axes.to_vec(),
    };
    let elements = builder.emit(Op::Gather(op), &[&[cotangent], places].concat())?;
    let shape = builder.shape(cotangent)?;
    let mask = inside(builder, axes, places, &shape, elements)?;
    let zeros = builder.splat_like(0.0, elements)?;
    builder.select(mask, elements, zeros)
}

/// Which elements have all their places inside of a tensor of a shape.
pub(crate) fn inside(
    builder: &mut Builder,
    axes: &[usize],
    places: &[ValueId],
    shape: &Shape,
    elements: ValueId,
) -> Result<ValueId> {
    let mut all = None;
    for (axis, place) in axes.iter().zip(places) {
        let size = size_along(builder, shape, *axis, *place, 0)?;
        let above = builder.is(*place, CompareOp::GreaterEqual, 0.0)?;
        let below = builder.compare(CompareOp::Less, *place, size)?;
        let mask = builder.binary(BinaryOp::And, above, below)?;
        all = Some(match all {
            Some(all) => builder.binary(BinaryOp::And, all, mask)?,
            None => mask,
        });
    }
    let all = all.ok_or(Error::Lost("a place"))?;
    let (first, rank) = (
        axes.first().copied().unwrap_or(0),
        builder.shape(all)?.rank(),
    );
    let shape = builder.shape(elements)?;
    builder.broadcast(all, &shape, (first..first + rank).collect())
}
