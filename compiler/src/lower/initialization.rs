//! First values of globals that control flow computes, or many operations.
//!
//! IREE 3.13 does not convert the tensors that blocks of an initialiser hand to each other. Nor does it take barriers there,
//! without which it fuses long computations, such as random numbers, for minutes. Such values are stored by an exported
//! function, which the runtime calls when it has linked the module.
//! Defect `initializer-blocks-hand-on-tensors`.

use super::{
    Lowering,
    emit::Emitter,
    error::{LowerCause, LowerError},
    initializer::{self, Stores},
    sizes::Sizes,
    types,
};
use crate::span::SpanId;
use iree_abi::INITIALIZE;
use iree_dialects::{
    func,
    prelude::{Block, BlockRef, Region, RegionLike, StringAttribute, TypeAttribute},
};
use iree_dsl_ir::{FunctionId, Global, GlobalInit, Module, op::Effect};
use std::collections::BTreeSet;

/// Whether the exported function stores the first value of a global.
pub(super) fn stores(module: &Module, global: &Global) -> bool {
    match &global.init {
        GlobalInit::Function(id, _) => computes(module, *id),
        GlobalInit::Constant(_) | GlobalInit::Uninitialized | GlobalInit::Parameter(_) => false,
    }
}

/// So many operations IREE fuses in an initialiser in no time.
const FEW: usize = 64;

/// Whether a function, or one that it calls, has control flow, or many operations.
pub(super) fn computes(module: &Module, id: FunctionId) -> bool {
    let (mut seen, mut pending) = (BTreeSet::from([id]), vec![id]);
    let mut count = 0;
    while let Some(function) = pending.pop().and_then(|id| module.functions.get(id)) {
        for (_, operation) in function.operations.iter() {
            count += 1;
            if count > FEW || operation.op.effect() == Effect::Regions {
                return true;
            }
            let callee = operation.op.callee().map(|call| call.callee);
            pending.extend(callee.filter(|callee| seen.insert(*callee)));
        }
    }
    false
}

/// Appends the exported function, if there is anything to store.
pub(super) fn lower<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
    computed: &[(FunctionId, Stores)],
) -> Result<(), LowerError> {
    if computed.is_empty() {
        return Ok(());
    }
    let here = |cause: LowerCause| cause.at(SpanId::CALL_SITE);
    let region = Region::new();
    let emitter = Emitter {
        context: lowering.context,
        block: region.append_block(Block::new(&[])),
        location: lowering.location(SpanId::CALL_SITE),
        sizes: Sizes::default(),
    };
    for (function, stores) in computed {
        initializer::store_results(lowering, &emitter, *function, stores)?;
    }
    func::ReturnOperation::builder(lowering.context, emitter.location)
        .operands(&[])
        .append_to(&emitter.block)
        .map_err(|error| here(error.into()))?;
    let ty = types::function(lowering.context, &[], &[]);
    func::FuncOperation::builder(lowering.context, emitter.location)
        .sym_name(StringAttribute::new(lowering.context, INITIALIZE))
        .sym_visibility(StringAttribute::new(lowering.context, "public"))
        .function_type(TypeAttribute::new(ty))
        .body(region)
        .append_to(body)
        .map_err(|error| here(error.into()))?;
    Ok(())
}
