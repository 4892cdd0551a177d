use super::{
    Lowering,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global,
};
use crate::op::{Call, GlobalAccess};
use iree_dialects::{func, prelude::*, util};

pub(super) fn lower_call<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    op: &Call,
    operands: &[Tensor<'c, 'b>],
) -> Result<Vec<Tensor<'c, 'b>>> {
    let operands: Vec<_> = operands.iter().map(|operand| operand.value).collect();
    let types = op.results.iter().map(|ty| emitter.tensor_type(ty));
    let types = types.collect::<Result<Vec<_>>>()?;
    let callee = lowering.symbols.function(op.callee)?;
    let values = func::CallOperation::builder(emitter.context, emitter.location)
        .callee(FlatSymbolRefAttribute::new(emitter.context, callee))
        .operands(&operands)
        .results(&types)
        .append_to(&emitter.block)?
        .results()?;
    let types = op.results.iter().cloned();
    Ok(values
        .into_iter()
        .zip(types)
        .map(|(value, ty)| Tensor { value, ty })
        .collect())
}

pub(super) fn lower_load<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    op: &GlobalAccess,
) -> Result<Tensor<'c, 'b>> {
    let (block, location) = (&emitter.block, emitter.location);
    let value = global::load(lowering, block, location, op.global, &op.ty)?;
    let ty = op.ty.clone();
    Ok(Tensor { value, ty })
}

/// Between the value and the store stands a barrier: if every store to a global is of what was loaded
/// from another one, IREE 3.13 takes the two for the same global (`iree-util-fold-globals`), which is
/// wrong where their first values differ, or where two globals are swapped.
pub(super) fn lower_store<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    op: &GlobalAccess,
    operand: &Tensor<'c, 'b>,
) -> Result<()> {
    let (block, location) = (&emitter.block, emitter.location);
    let values = util::OptimizationBarrierOperation::builder(emitter.context, location)
        .operands(&[operand.value])
        .results(&[emitter.tensor_type(&operand.ty)?])
        .append_to(block)?
        .results()?;
    let value = values.first().ok_or(LowerCause::Lost("a barrier"))?;
    global::store(lowering, block, location, op.global, *value, &op.ty)
}
