use super::emit::{Emitter, Result, Tensor};
use iree_abi::TensorType;
use iree_dialects::{prelude::*, stablehlo};

/// What the regions of an operation hand back, and the regions themselves.
pub(super) struct Regions<'c> {
    pub(super) first: Region<'c>,
    pub(super) second: Region<'c>,
}

pub(super) fn lower_if<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    condition: &Tensor<'c, 'b>,
    regions: Regions<'c>,
    types: &[TensorType],
) -> Result<Vec<Tensor<'c, 'b>>> {
    let results = stablehlo::IfOperation::builder(emitter.context, emitter.location)
        .pred(condition.value)
        .true_branch(regions.first)
        .false_branch(regions.second)
        .results(&mlir_types(emitter, types)?)
        .append_to(&emitter.block)?
        .results()?;
    Ok(typed(results, types))
}

pub(super) fn lower_while<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operands: &[Tensor<'c, 'b>],
    regions: Regions<'c>,
    types: &[TensorType],
) -> Result<Vec<Tensor<'c, 'b>>> {
    let operands: Vec<_> = operands.iter().map(|operand| operand.value).collect();
    let results = stablehlo::WhileOperation::builder(emitter.context, emitter.location)
        .operand(&operands)
        .cond(regions.first)
        .body(regions.second)
        .results(&mlir_types(emitter, types)?)
        .append_to(&emitter.block)?
        .results()?;
    Ok(typed(results, types))
}

fn mlir_types<'c>(emitter: &Emitter<'c, '_>, types: &[TensorType]) -> Result<Vec<Type<'c>>> {
    types.iter().map(|ty| emitter.tensor_type(ty)).collect()
}

fn typed<'c, 'b>(values: Vec<Value<'c, 'b>>, types: &[TensorType]) -> Vec<Tensor<'c, 'b>> {
    let pairs = values.into_iter().zip(types.iter().cloned());
    pairs.map(|(value, ty)| Tensor { value, ty }).collect()
}
