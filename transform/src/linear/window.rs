//! Windows, transposed: the strides of one way are the distances between elements of the other.

use super::transpose::resized;
use crate::{
    builder::Builder,
    error::{Error, Result},
};
use iree_abi::{Dim, Extent, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{CompareOp, Op, Pad, ReduceWindow, Slice, WindowKind, WindowStep},
};

/// The cotangent of a tensor of this type whose windows were summed.
pub(super) fn transpose(
    builder: &mut Builder,
    op: &ReduceWindow,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    let back = turned(builder, op, ty, cotangent)?;
    let sums = builder.emit(Op::ReduceWindow(back), &[cotangent])?;
    resized(builder, sums, &ty.shape)
}

/// The sums of windows of a cotangent that give that of a tensor of this type back.
fn turned(
    builder: &Builder,
    op: &ReduceWindow,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ReduceWindow> {
    let counts = builder.shape(cotangent)?;
    let mut steps = Vec::with_capacity(op.steps.len());
    let axes = op.steps.iter().zip(&op.sizes);
    for ((step, size), (dim, count)) in axes.zip(ty.shape.dims().iter().zip(counts.dims())) {
        let step = back(step, *size, dim, count);
        steps.push(step.ok_or(Error::Lost("a size"))?);
    }
    Ok(ReduceWindow {
        kind: WindowKind::Sum,
        sizes: op.sizes.clone(),
        steps,
    })
}

/// The elements that win in their windows: those at the place whose number is kept, from 1.
pub(super) fn select(
    builder: &mut Builder,
    op: &ReduceWindow,
    winner: ValueId,
    inputs: &[ValueId],
) -> Result<ValueId> {
    let input = inputs.first().copied().ok_or(Error::Lost("an operand"))?;
    let places = elements_of_windows(builder, op, input, 0.0)?.into_iter();
    sum_of_winners(builder, places.map(|part| (winner, part)).enumerate())
}

/// The cotangent of a tensor of this type of whose windows the winners were taken: what lies over an element are the windows
/// turned around, of which each counts that this element wins.
pub(super) fn select_back(
    builder: &mut Builder,
    op: &ReduceWindow,
    winner: ValueId,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    let back = turned(builder, op, ty, cotangent)?;
    let winners = elements_of_windows(builder, &back, winner, 0.0)?;
    let parts = elements_of_windows(builder, &back, cotangent, 0.0)?;
    let turned = winners.into_iter().zip(parts).rev();
    let sum = sum_of_winners(builder, turned.enumerate())?;
    resized(builder, sum, &ty.shape)
}

/// The sum, over all places in a window, of the elements there that win.
fn sum_of_winners(
    builder: &mut Builder,
    places: impl Iterator<Item = (usize, (ValueId, ValueId))>,
) -> Result<ValueId> {
    let mut sum = None;
    for (place, (winner, part)) in places {
        let wins = builder.is(winner, CompareOp::Equal, (place + 1) as f64)?;
        let zeros = builder.splat_like(0.0, part)?;
        let part = builder.select(wins, part, zeros)?;
        sum = Some(match sum {
            None => part,
            Some(sum) => builder.add(sum, part)?,
        });
    }
    sum.ok_or(Error::Lost("a window"))
}

/// For each place in a window, the elements there of all windows; padding is this number.
pub(crate) fn elements_of_windows(
    builder: &mut Builder,
    op: &ReduceWindow,
    operand: ValueId,
    padding: f64,
) -> Result<Vec<ValueId>> {
    let pad = Pad {
        low: op.steps.iter().map(|step| step.padding.0).collect(),
        high: op.steps.iter().map(|step| step.padding.1).collect(),
        interior: op
            .steps
            .iter()
            .map(|step| step.input_dilation.saturating_sub(1))
            .collect(),
    };
    let padded = builder.pad(operand, &pad, padding)?;
    let slices = slices(op, &builder.ty(padded)?)?.into_iter();
    slices
        .map(|slice| builder.emit(Op::Slice(slice), &[padded]))
        .collect()
}

/// For each place in a window, the slice of a padded tensor with the elements there of all windows; the last axis is the
/// fastest.
fn slices(op: &ReduceWindow, ty: &TensorType) -> Result<Vec<Slice>> {
    let limit = ty.shape.extents().ok_or(Error::Lost("a size"))?;
    let whole = Slice {
        start: vec![Extent::from(0); limit.len()],
        stride: vec![1; limit.len()],
        limit,
    };
    let mut slices = vec![whole];
    for (axis, (step, size)) in op.steps.iter().zip(&op.sizes).enumerate() {
        let along = (0..*size).map(|element| step.slice(ty, axis, *size, element));
        let along: Option<Vec<Slice>> = along.collect();
        let along = along.ok_or(Error::Lost("a window that fits"))?;
        let with = |slice: &Slice| {
            along
                .iter()
                .map(|other| crossed(slice, other, axis))
                .collect()
        };
        slices = slices
            .iter()
            .flat_map(|slice| -> Vec<Slice> { with(slice) })
            .collect();
    }
    Ok(slices)
}

/// A slice that is, along an axis, another one.
fn crossed(slice: &Slice, other: &Slice, axis: usize) -> Slice {
    let mut slice = slice.clone();
    for (mine, theirs) in [
        (&mut slice.start, &other.start),
        (&mut slice.limit, &other.limit),
    ] {
        if let (Some(mine), Some(theirs)) = (mine.get_mut(axis), theirs.get(axis)) {
            mine.clone_from(theirs);
        }
    }
    if let (Some(mine), Some(theirs)) = (slice.stride.get_mut(axis), other.stride.get(axis)) {
        *mine = *theirs;
    }
    slice
}

/// How windows of a size, turned around, move over the cotangent of `count` windows to give an axis of `dim` back. There
/// may be more of them where sizes are known at the call only.
pub(super) fn back(step: &WindowStep, size: usize, dim: &Dim, count: &Dim) -> Option<WindowStep> {
    let one = Extent::from(1);
    let reach = Extent::from(size)
        .minus(&one)?
        .times(&Extent::from(step.dilation))?;
    // What is behind the last window, less than a stride.
    let moved = count.extent()?.minus(&one)?;
    let moved = moved.times(&Extent::from(step.stride))?;
    let rest = step.padded(dim)?.minus(&reach)?.minus(&one)?;
    let rest = rest.minus(&moved)?.known();
    let rest = rest.unwrap_or(step.stride as i128 - 1);
    let reach = i64::try_from(reach.known()?).ok()?;
    let high = i64::try_from(rest).ok()?.checked_add(reach)?;
    Some(WindowStep {
        stride: step.input_dilation,
        dilation: step.dilation,
        input_dilation: step.stride,
        padding: (
            reach.checked_sub(step.padding.0)?,
            high.checked_sub(step.padding.1)?,
        ),
    })
}
