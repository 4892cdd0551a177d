use super::{
    Lowering,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, opaque,
};
use iree_abi::TensorType;
use iree_dialects::{func, prelude::*, spliced};
use iree_dsl_ir::op::{Call, GlobalAccess};

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
    global::load(lowering, emitter, op.global, &op.ty)
}

/// `is_hidden` says whether IREE must not find out that the value exists elsewhere: it may be a constant,
/// or share a buffer.
pub(super) fn lower_store<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    op: &GlobalAccess,
    operand: &Tensor<'c, 'b>,
    is_hidden: bool,
) -> Result<()> {
    let tensor = match is_hidden {
        true => opaque::identity(emitter, operand)?,
        false => operand.clone(),
    };
    global::store(lowering, emitter, op.global, tensor)
}

/// Calls a function that MLIR does not find here: it is written as text, or the call stands where MLIR looks
/// for no functions.
pub(super) fn call_unresolved<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    callee: &str,
    operands: &[Tensor<'c, 'b>],
    results: Vec<TensorType>,
) -> Result<Vec<Tensor<'c, 'b>>> {
    let operands: Vec<_> = operands.iter().map(|operand| operand.value).collect();
    let types = results.iter().map(|ty| emitter.tensor_type(ty));
    let types = types.collect::<Result<Vec<_>>>()?;
    let call = spliced::call(emitter.context, callee, &operands, &types, emitter.location)?;
    let call = emitter.block.append_operation(call);
    let results = results.into_iter().enumerate().map(|(index, ty)| {
        let value = call.result(index);
        let value = value.map_err(|_| LowerCause::Lost("a result"))?.into();
        Ok(Tensor { value, ty })
    });
    results.collect()
}
