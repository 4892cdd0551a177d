//! The exported function that stores first values of globals. The runtime calls it when it has linked the module.

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
use iree_dsl_ir::FunctionId;

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
        is_contained: false,
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
