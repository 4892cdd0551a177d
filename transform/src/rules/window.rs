use super::{Context, Dual, exactly};
use crate::{
    builder::Builder,
    error::Result,
    linear::{Linear, elements_of_windows},
    tape::NodeId,
};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{CompareOp, Convolution, ReduceWindow, WindowKind},
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
        WindowKind::Maximum | WindowKind::Minimum => {
            let op = op.clone();
            let winner = winner(&mut context.builder, &op, operand.primal, result)?;
            let ty = context.builder.ty(result)?;
            Ok(Some(context.apply(
                Linear::WindowSelect { op, winner },
                tangent,
                ty,
            )))
        }
    }
}

/// The number of the first place in each window that has the window's extremum, from 1; 0 if it is NaN.
fn winner(
    builder: &mut Builder,
    op: &ReduceWindow,
    operand: ValueId,
    extremum: ValueId,
) -> Result<ValueId> {
    let padding = match op.kind {
        WindowKind::Minimum => f64::INFINITY,
        WindowKind::Sum | WindowKind::Maximum => f64::NEG_INFINITY,
    };
    let places = elements_of_windows(builder, op, operand, padding)?;
    let ty = TensorType::new(DType::I32, builder.shape(extremum)?);
    let mut winner = builder.zeros(&ty)?;
    for (place, elements) in places.into_iter().enumerate().rev() {
        let equal = builder.compare(CompareOp::Equal, elements, extremum)?;
        let number = builder.splat((place + 1) as f64, &ty)?;
        winner = builder.select(equal, number, winner)?;
    }
    Ok(winner)
}
