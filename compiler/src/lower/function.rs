use super::{
    Lowering,
    body::Body,
    emit::{Emitter, Result, Tensor},
    error::{LowerCause, LowerError},
    opaque,
    sizes::Sizes,
    types,
};
use crate::legalize::{Decided, Initializer, Updated};
use iree_abi::{UPDATES, WORK};
use iree_dialects::{func, prelude::*};
use iree_dsl_ir::{Function, FunctionId, Linkage, ValueId};

/// Appends a function to the module.
pub(super) fn lower<'c>(
    lowering: &Lowering<'_, 'c>,
    id: FunctionId,
    function: &Function,
    module: &BlockRef<'c, '_>,
) -> Result<(), LowerError> {
    let location = lowering.location(function.span);
    let here = |cause: LowerCause| cause.at(function.span);
    let decided = lowering.legalized.decided(id);
    let decided = decided.ok_or_else(|| here(LowerCause::Lost("what was decided")))?;
    let parameters = mlir_types(lowering, function, &function.body.parameters).map_err(here)?;
    let results = mlir_types(lowering, function, &function.body.results).map_err(here)?;
    let arguments: Vec<_> = parameters.iter().map(|ty| (*ty, location)).collect();
    let region = Region::new();
    let block = region.append_block(Block::new(&arguments));

    let arguments = parameters_of(function, &block).map_err(here)?;
    let entry = Emitter {
        context: lowering.context,
        block,
        location,
        sizes: Sizes::default(),
        is_contained: false,
    };
    let sizes = Sizes::of(function, &entry, &arguments).map_err(here)?;
    let entry = Emitter {
        sizes: sizes.clone(),
        ..entry
    };
    if decided.is_unpacked {
        opaque::unpacked(&entry).map_err(here)?;
    }
    let arguments = match function.linkage {
        Linkage::Public => own(&decided.updated, &entry, arguments).map_err(here)?,
        Linkage::Private => arguments,
    };
    let mut body = Body::new(lowering, (function, decided), block, arguments);
    body.sizes = sizes;
    let end = body.run()?;
    let values: Vec<_> = end.results.iter().map(|tensor| tensor.value).collect();
    func::ReturnOperation::builder(lowering.context, location)
        .operands(&values)
        .append_to(&end.block)
        .map_err(|error| here(error.into()))?;

    let visibility = match function.linkage {
        Linkage::Public => "public",
        Linkage::Private => "private",
    };
    let ty = types::function(lowering.context, &parameters, &results);
    let mut builder = func::FuncOperation::builder(lowering.context, location)
        .sym_name(StringAttribute::new(lowering.context, &function.name))
        .sym_visibility(StringAttribute::new(lowering.context, visibility))
        .function_type(TypeAttribute::new(ty))
        .body(region);
    if function.linkage == Linkage::Public
        && let Some(told) = reflection(decided)
    {
        let told = attributes::parse(lowering.context, &told);
        let told = told.map_err(|error| here(error.into()))?;
        builder = builder.discardable_attribute("iree.reflection", told);
    }
    if lowering.legalized.initializer(id) == Some(Initializer::Internal) {
        builder = builder.discardable_attribute("no_inline", Attribute::unit(lowering.context));
    }
    builder
        .append_to(module)
        .map_err(|error| here(error.into()))?;
    Ok(())
}

fn parameters_of<'c, 'b>(
    function: &Function,
    block: &BlockRef<'c, 'b>,
) -> Result<Vec<Tensor<'c, 'b>>> {
    let lost = || LowerCause::Lost("a parameter");
    let parameters = function.body.parameters.iter().enumerate();
    let parameter = |(index, id): (usize, &ValueId)| {
        let value = block.argument(index).map_err(|_| lost())?.into();
        let ty = function.ty(*id).ok_or_else(lost)?.clone();
        Ok(Tensor { value, ty })
    };
    parameters.map(parameter).collect()
}

/// The arguments of an exported function, of which some need a buffer of their own. Of a copy and what reads it IREE would make
/// one dispatch, in which it cannot pack a factor: the copy is needed before the sizes of the product are there.
fn own<'c, 'b>(
    updated: &Updated,
    entry: &Emitter<'c, 'b>,
    arguments: Vec<Tensor<'c, 'b>>,
) -> Result<Vec<Tensor<'c, 'b>>> {
    let arguments = arguments.into_iter().enumerate();
    let own = |(position, argument)| match updated.needs_copy(position) {
        true => opaque::own(entry, &argument),
        false => Ok(argument),
    };
    arguments.map(own).collect()
}

/// What an exported function tells the host: which arguments it updates, and how much work a call is. As MLIR reads it;
/// `None` if there is nothing to tell.
fn reflection(decided: &Decided) -> Option<String> {
    let positions = decided.updated.in_place();
    let positions: Vec<_> = positions.map(|it| it.to_string()).collect();
    let updates = (!positions.is_empty()).then(|| (UPDATES, positions.join(",")));
    let work = decided.work.as_ref().map(|work| (WORK, work.to_string()));
    let told = updates.into_iter().chain(work);
    let told: Vec<_> = told
        .map(|(key, value)| format!("{key} = \"{value}\""))
        .collect();
    (!told.is_empty()).then(|| format!("{{{}}}", told.join(", ")))
}

fn mlir_types<'c>(
    lowering: &Lowering<'_, 'c>,
    function: &Function,
    values: &[ValueId],
) -> Result<Vec<Type<'c>>> {
    let location = lowering.location(function.span);
    let types = function.types(values).ok_or(LowerCause::Lost("a type"))?;
    let types = types.iter();
    types
        .map(|ty| types::tensor(lowering.context, ty, location))
        .collect()
}

/// Where a function ends, and with what.
pub(super) struct Ending<'c, 'b> {
    /// The block that is the last.
    pub(super) block: BlockRef<'c, 'b>,
    /// The results.
    pub(super) results: Vec<Tensor<'c, 'b>>,
}
