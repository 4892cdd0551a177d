use super::{Context, Dual, exactly};
use crate::{
    error::{Error, Result},
    linear::Linear,
    tape::NodeId,
};
use iree_dsl_ir::{
    ValueId,
    op::{BinaryOp, CompareOp, Convolution, Op, Pad, ReduceWindow, Slice, UnaryOp, WindowKind},
};

/// A convolution with each operand kept.
pub(super) fn convolution(
    context: &mut Context,
    op: &Convolution,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [input, kernel] = exactly(operands)?;
    let ty = context.builder.ty(result)?;
    let of_input = Linear::ConvolveInput {
        op: op.clone(),
        kernel: kernel.primal,
    };
    let of_kernel = Linear::ConvolveKernel {
        op: op.clone(),
        input: input.primal,
    };
    let first = input
        .tangent
        .map(|tangent| context.apply(of_input, tangent, ty.clone()));
    let second = kernel
        .tangent
        .map(|tangent| context.apply(of_kernel, tangent, ty));
    context.add(first, second)
}

/// The sums of the tangents, or the tangents of the first extremum of each window.
pub(super) fn reduction(
    context: &mut Context,
    op: &ReduceWindow,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand] = exactly(operands)?;
    let Some(tangent) = operand.tangent else {
        return Ok(None);
    };
    match op.kind {
        WindowKind::Sum => {
            let ty = context.builder.ty(result)?;
            Ok(Some(context.apply(
                Linear::WindowSum(op.clone()),
                tangent,
                ty,
            )))
        }
        WindowKind::Maximum => extremum(context, op, operand.primal, tangent, result, -1.0),
        WindowKind::Minimum => extremum(context, op, operand.primal, tangent, result, 1.0),
    }
}

/// For each place in a window, the tangents of the elements that are the first to equal the result of their window.
fn extremum(
    context: &mut Context,
    op: &ReduceWindow,
    operand: ValueId,
    tangent: NodeId,
    result: ValueId,
    sign: f64,
) -> Result<Option<NodeId>> {
    let pad = Pad {
        low: op.steps.iter().map(|step| step.padding.0).collect(),
        high: op.steps.iter().map(|step| step.padding.1).collect(),
        interior: op
            .steps
            .iter()
            .map(|step| step.input_dilation.saturating_sub(1))
            .collect(),
    };
    let padded = context.builder.pad(operand, &pad, sign * f64::INFINITY)?;
    let ty = context.builder.ty(padded)?;
    let tangent = context.apply(Linear::Pad(pad), tangent, ty);
    let ty = context.builder.ty(result)?;
    let (mut found, mut sum): (Option<ValueId>, _) = (None, None);
    for slices in places(context, op, padded)? {
        let (mut elements, mut part) = (padded, tangent);
        for slice in slices {
            elements = context
                .builder
                .emit(Op::Slice(slice.clone()), &[elements])?;
            let ty = context.builder.ty(elements)?;
            part = context.apply(Linear::Slice(slice), part, ty);
        }
        let mut mask = context
            .builder
            .compare(CompareOp::Equal, elements, result)?;
        found = Some(match found {
            None => mask,
            Some(before) => {
                let new = context.builder.unary(UnaryOp::Not, before)?;
                mask = context.builder.binary(BinaryOp::And, mask, new)?;
                context.builder.binary(BinaryOp::Or, before, mask)?
            }
        });
        let mask = context.indicator(mask, ty.dtype)?;
        let chosen = context.scale(part, mask)?;
        sum = context.add(sum, Some(chosen))?;
    }
    Ok(sum)
}

/// For each place in a window, the slices along each axis that take the elements there of all windows.
fn places(context: &Context, op: &ReduceWindow, padded: ValueId) -> Result<Vec<Vec<Slice>>> {
    let mut all = vec![(context.builder.ty(padded)?, Vec::new())];
    for (axis, (step, size)) in op.steps.iter().zip(&op.sizes).enumerate() {
        let mut longer = Vec::new();
        for (ty, slices) in &all {
            for element in 0..*size {
                let slice = step.slice(ty, axis, *size, element);
                let slice = slice.ok_or(Error::Lost("a window that fits"))?;
                let types = Op::Slice(slice.clone()).infer(std::slice::from_ref(ty), &[]);
                let mut types = types.map_err(|_| Error::Lost("a slice"))?;
                let ty = types.pop().ok_or(Error::Lost("a slice"))?;
                let slices: Vec<Slice> = slices.iter().cloned().chain([slice]).collect();
                longer.push((ty, slices));
            }
        }
        all = longer;
    }
    Ok(all.into_iter().map(|(_, slices)| slices).collect())
}
