//! Sums of windows, transposed: the strides of one are the distances between elements of the other.

use super::transpose::resized;
use crate::{
    builder::Builder,
    error::{Error, Result},
};
use iree_abi::{Dim, Extent, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{Op, ReduceWindow, WindowKind, WindowStep},
};

/// The cotangent of a tensor of this type whose windows were summed.
pub(super) fn transpose(
    builder: &mut Builder,
    op: &ReduceWindow,
    ty: &TensorType,
    cotangent: ValueId,
) -> Result<ValueId> {
    let counts = builder.shape(cotangent)?;
    let mut steps = Vec::with_capacity(op.steps.len());
    let axes = op.steps.iter().zip(&op.sizes);
    for ((step, size), (dim, count)) in axes.zip(ty.shape.dims().iter().zip(counts.dims())) {
        let step = back(step, *size, dim, count);
        steps.push(step.ok_or(Error::Lost("a size"))?);
    }
    let back = ReduceWindow {
        kind: WindowKind::Sum,
        sizes: op.sizes.clone(),
        steps,
    };
    let sums = builder.emit(Op::ReduceWindow(back), &[cotangent])?;
    resized(builder, sums, &ty.shape)
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
