//! The first values of globals that are not part of their declaration.
//!
//! Those of mutable globals are stored by initialisers, in a way that IREE cannot see through. Of a
//! global whose stores it all sees through, IREE 3.13 takes two things for granted that need not hold:
//! if all store one constant, that the global has this value from the beginning; if all store what
//! another global held, that both are equal at all times. And it keeps globals that start alike in one
//! buffer, also where an update of a part of the one then changes the other.
//! Defect `globals-are-taken-for-equal`.

use super::{
    Lowering, constant,
    emit::{Emitter, Result, Tensor},
    error::{LowerCause, LowerError},
    global, initialization, opaque, parameter,
    sizes::Sizes,
    structure, types,
};
use crate::span::SpanId;
use iree_dialects::{
    prelude::{Block, BlockRef, Region, RegionLike, TypeAttribute},
    util,
};
use iree_dsl_ir::{
    Constant, ConstantData, FunctionId, Global, GlobalId, GlobalInit, ParameterName,
};
use std::collections::BTreeMap;

/// Whether the first value of a global is stored by an initialiser.
pub(super) fn is_needed(global: &Global) -> bool {
    types::has_elements(&global.ty)
        && match &global.init {
            GlobalInit::Constant(first) => global.mutable || constant::parts(first).is_some(),
            GlobalInit::Function(..) => true,
            GlobalInit::Uninitialized => global.mutable,
            GlobalInit::Parameter(_) => parameter::comes_in_parts(&global.ty),
        }
}

/// Globals, each with the index of the result that a function has for it.
pub(super) type Stores = Vec<(GlobalId, usize)>;

/// Appends an initialiser for each global with a constant, and one for each function that computes
/// first values by itself.
pub(super) fn lower_all<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
) -> Result<(), LowerError> {
    let mut computed: BTreeMap<FunctionId, Stores> = BTreeMap::new();
    for (id, global) in lowering.module.globals.iter() {
        let first = match &global.init {
            _ if !is_needed(global) => continue,
            GlobalInit::Function(function, result) => {
                computed.entry(*function).or_default().push((id, *result));
                continue;
            }
            GlobalInit::Parameter(name) => {
                let supplied = supply(lowering, body, id, global, name);
                supplied.map_err(|cause| cause.at(global.span))?;
                continue;
            }
            GlobalInit::Constant(first) => first.data.clone(),
            GlobalInit::Uninitialized => ConstantData::Splat(vec![0; global.ty.dtype.size()]),
        };
        let ty = types::stored(&global.ty);
        let first = Constant { ty, data: first };
        fill(lowering, body, id, global, &first).map_err(|cause| cause.at(global.span))?;
    }
    let computed = computed.into_iter();
    let (called, initialising): (Vec<_>, Vec<_>) =
        computed.partition(|(function, _)| lowering.is_initialized_by_export(*function));
    for (function, stores) in initialising {
        compute(lowering, body, function, &stores)?;
    }
    initialization::lower(lowering, body, &called)
}

/// Stores a constant in a global.
fn fill<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
    id: GlobalId,
    global: &Global,
    first: &Constant,
) -> Result<()> {
    initialize(lowering, body, id, global, |emitter| {
        let tensor = emitter.constant(first)?;
        match global.mutable {
            true => opaque::identity(emitter, &tensor),
            false => Ok(tensor),
        }
    })
}

/// Stores in a global what an archive has.
fn supply<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
    id: GlobalId,
    global: &Global,
    name: &ParameterName,
) -> Result<()> {
    initialize(lowering, body, id, global, |emitter| {
        parameter::from_parts(emitter, name, &global.ty)
    })
}

/// Stores a tensor in a global.
fn initialize<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
    id: GlobalId,
    global: &Global,
    first: impl for<'b> FnOnce(&Emitter<'c, 'b>) -> Result<Tensor<'c, 'b>>,
) -> Result<()> {
    let location = lowering.location(global.span);
    let region = Region::new();
    let block = region.append_block(Block::new(&[]));
    let emitter = Emitter {
        context: lowering.context,
        block,
        location,
        sizes: Sizes::default(),
        is_contained: false,
    };
    let tensor = first(&emitter)?;
    global::store(lowering, &emitter, id, tensor)?;
    append(lowering, body, &emitter, region)
}

/// Appends an initialiser that stores the results of a function. Passes of IREE that prepare operations look
/// into functions only, so that those of the function do not stand in the initialiser.
fn compute<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
    function: FunctionId,
    stores: &Stores,
) -> Result<(), LowerError> {
    let span = lowering.module.functions.get(function);
    let span = span.map_or(SpanId::CALL_SITE, |function| function.span);
    let region = Region::new();
    let emitter = Emitter {
        context: lowering.context,
        block: region.append_block(Block::new(&[])),
        location: lowering.location(span),
        sizes: Sizes::default(),
        is_contained: false,
    };
    store_results(lowering, &emitter, function, stores)?;
    append(lowering, body, &emitter, region).map_err(|cause| cause.at(span))
}

/// Stores the results of a function in globals.
pub(super) fn store_results<'c>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, '_>,
    function: FunctionId,
    stores: &Stores,
) -> Result<(), LowerError> {
    let lost = || LowerCause::Lost("an initialiser").at(SpanId::CALL_SITE);
    let function = lowering.module.functions.get(function).ok_or_else(lost)?;
    let store = || {
        let types = function.types(&function.body.results);
        let types = types.ok_or(LowerCause::Lost("a type"))?;
        let results = structure::call_unresolved(emitter, &function.name, &[], types)?;
        for (id, result) in stores {
            store_result(lowering, emitter, *id, results.get(*result))?;
        }
        Ok(())
    };
    store().map_err(|cause: LowerCause| cause.at(function.span))
}

fn store_result<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    id: GlobalId,
    result: Option<&Tensor<'c, 'b>>,
) -> Result<()> {
    let result = result.ok_or(LowerCause::Lost("an initial value"))?;
    let global = lowering.module.globals.get(id);
    let global = global.ok_or(LowerCause::Lost("a global"))?;
    // What a loop hands on, IREE would store in a buffer of another kind than the global has.
    let is_separate = global.mutable || lowering.is_stored_by_export(global);
    let tensor = match is_separate {
        true => opaque::identity(emitter, result)?,
        false => result.clone(),
    };
    global::store(lowering, emitter, id, tensor)
}

/// Appends an initialiser, whose operations are in the region already; the emitter is at their end.
fn append<'c>(
    lowering: &Lowering<'_, 'c>,
    body: &BlockRef<'c, '_>,
    end: &Emitter<'c, '_>,
    region: Region<'c>,
) -> Result<()> {
    util::ReturnOperation::builder(lowering.context, end.location)
        .operands(&[])
        .append_to(&end.block)?;
    let ty = types::function(lowering.context, &[], &[]);
    util::InitializerOperation::builder(lowering.context, end.location)
        .function_type(TypeAttribute::new(ty))
        .body(region)
        .append_to(body)?;
    Ok(())
}
