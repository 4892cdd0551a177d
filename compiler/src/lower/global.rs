use super::{
    Lowering, constant,
    emit::Tensor,
    error::{LowerCause, LowerError},
    function, types,
};
use crate::{
    ir::{Constant, Function, FunctionId, Global, GlobalId, GlobalInit, Linkage, Module},
    op::Op,
    span::SpanId,
};
use iree_abi::TensorType;
use iree_dialects::{
    prelude::{
        Block, BlockRef, FlatSymbolRefAttribute, Location, Region, RegionLike, StringAttribute,
        Type, TypeAttribute, Value,
    },
    stablehlo, util,
};
use std::collections::BTreeMap;

type Result<T, E = LowerCause> = std::result::Result<T, E>;

/// Declares the globals, and initialises those whose first value a function computes: one initialiser
/// for each such function.
pub(super) fn lower_all<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
) -> Result<(), LowerError> {
    let mut computed: BTreeMap<FunctionId, Vec<(GlobalId, usize)>> = BTreeMap::new();
    for (id, global) in lowering.module.globals.iter() {
        declare(lowering, body, id, global).map_err(|cause| cause.at(global.span))?;
        if let GlobalInit::Function(function, result) = &global.init {
            let stores = computed.entry(*function).or_default();
            stores.push((id, *result));
        }
    }
    for (id, stores) in computed {
        let function = lowering.module.functions.get(id);
        let lost = || LowerCause::Lost("an initialiser").at(SpanId::CALL_SITE);
        initialize(lowering, body, function.ok_or_else(lost)?, &stores)?;
    }
    Ok(())
}

/// Whether a function only initialises globals, so that its operations stand in an initialiser.
pub(super) fn only_initializes(module: &Module, id: FunctionId, function: &Function) -> bool {
    let mut globals = module.globals.iter();
    let initializes = globals
        .any(|(_, global)| matches!(global.init, GlobalInit::Function(init, _) if init == id));
    let calls = |caller: &Function| {
        let mut operations = caller.operations.iter();
        operations.any(|(_, step)| matches!(&step.op, Op::Call(call) if call.callee == id))
    };
    let called = module.functions.iter().any(|(_, caller)| calls(caller));
    initializes && !called && function.linkage == Linkage::Private
}

fn declare<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
    id: GlobalId,
    global: &Global,
) -> Result<()> {
    let context = lowering.context;
    let location = lowering.location(global.span);
    let stored = types::stored(&global.ty);
    let ty = types::tensor(context, &stored, location)?;
    let mut builder = util::GlobalOperation::builder(context, location)
        .sym_name(StringAttribute::new(context, lowering.symbols.global(id)?))
        .sym_visibility(StringAttribute::new(context, "private"))
        .r#type(TypeAttribute::new(ty))
        .is_mutable(global.mutable);
    if let GlobalInit::Constant(first) = &global.init {
        let first = Constant {
            ty: stored,
            data: first.data.clone(),
        };
        builder = builder.initial_value(constant::attribute(context, &first, location)?);
    }
    builder.append_to(body)?;
    Ok(())
}

/// Computes globals when the module is loaded. MLIR does not know the initialiser and could not resolve
/// calls in it, so that the operations of the function stand in it themselves.
fn initialize<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
    function: &Function,
    stores: &[(GlobalId, usize)],
) -> Result<(), LowerError> {
    let region = Region::new();
    let block = region.append_block(Block::new(&[]));
    let function::Ending { block, results } =
        function::inline(lowering, function, block, Vec::new())?;
    let finish = || -> Result<()> {
        let location = lowering.location(function.span);
        for (global, result) in stores {
            let value = results.get(*result);
            let Tensor { value, ty } = value.ok_or(LowerCause::Lost("an initial value"))?;
            store(lowering, &block, location, *global, *value, ty)?;
        }
        util::ReturnOperation::builder(lowering.context, location)
            .operands(&[])
            .append_to(&block)?;
        let ty = types::function(lowering.context, &[], &[]);
        util::InitializerOperation::builder(lowering.context, location)
            .function_type(TypeAttribute::new(ty))
            .body(region)
            .append_to(body)?;
        Ok(())
    };
    finish().map_err(|cause| cause.at(function.span))
}

/// The value of a global, in its own type.
pub(super) fn load<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    block: &BlockRef<'c, 'b>,
    location: Location<'c>,
    global: GlobalId,
    ty: &TensorType,
) -> Result<Value<'c, 'b>> {
    let context = lowering.context;
    let name = lowering.symbols.global(global)?;
    let stored = types::tensor(context, &types::stored(ty), location)?;
    let value = util::GlobalLoadOperation::builder(context, location)
        .global(FlatSymbolRefAttribute::new(context, name))
        .result(stored)
        .append_to(block)?
        .result()?;
    let wanted = types::tensor(context, ty, location)?;
    cast(lowering, block, location, value, stored, wanted)
}

/// Gives a global a new value.
pub(super) fn store<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    block: &BlockRef<'c, 'b>,
    location: Location<'c>,
    global: GlobalId,
    value: Value<'c, 'b>,
    ty: &TensorType,
) -> Result<()> {
    let context = lowering.context;
    let given = types::tensor(context, ty, location)?;
    let stored = types::tensor(context, &types::stored(ty), location)?;
    let value = cast(lowering, block, location, value, given, stored)?;
    let name = lowering.symbols.global(global)?;
    util::GlobalStoreOperation::builder(context, location)
        .value(value)
        .global(FlatSymbolRefAttribute::new(context, name))
        .append_to(block)?;
    Ok(())
}

/// The same bits as another type.
fn cast<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    block: &BlockRef<'c, 'b>,
    location: Location<'c>,
    value: Value<'c, 'b>,
    from: Type<'c>,
    to: Type<'c>,
) -> Result<Value<'c, 'b>> {
    if from == to {
        return Ok(value);
    }
    Ok(
        stablehlo::BitcastConvertOperation::builder(lowering.context, location)
            .operand(value)
            .result(to)
            .append_to(block)?
            .result()?,
    )
}
