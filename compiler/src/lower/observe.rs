//! What the host hears of while the program runs. IREE keeps both operations in the order of the program,
//! also in loops.

use super::{
    emit::{Emitter, Result, Tensor},
    global,
    register::Register,
    types,
};
use iree_dialects::{cf, flow, prelude::*};
use iree_dsl_ir::op::Observation;

pub(super) fn lower_trace<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    observation: &Observation,
    operands: &[Tensor<'c, 'b>],
) -> Result<()> {
    let (mut values, mut sizes) = (Vec::new(), Vec::new());
    for operand in operands {
        // IREE shows no integers without a sign; the bits are the same.
        let shown = global::cast(emitter, operand.clone(), &types::stored(&operand.ty))?;
        values.push(shown.value);
        sizes.extend(emitter.unknown(&shown.ty.shape)?);
    }
    flow::TensorTraceOperation::builder(emitter.context, emitter.location)
        .key(StringAttribute::new(emitter.context, &observation.marked()))
        .values(&values)
        .value_dims(&sizes)
        .append_to(&emitter.block)?;
    Ok(())
}

pub(super) fn lower_assert<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    observation: &Observation,
    condition: &Register<'c, 'b>,
) -> Result<()> {
    let message = observation.marked();
    let operation = cf::assert(emitter.context, condition.value, &message, emitter.location)?;
    emitter.block.append_operation(operation);
    Ok(())
}
