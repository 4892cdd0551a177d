use super::{
    Lowering, constant,
    emit::{Emitter, Result, Tensor},
    initializer, parameter, types,
};
use iree_abi::TensorType;
use iree_dialects::{
    prelude::{BlockRef, FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    util,
};
use iree_dsl_ir::{Constant, Global, GlobalId, GlobalInit};

/// Declares a global, with its first value if that is a constant of the declaration.
pub(super) fn declare<'c>(
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
        .is_mutable(global.mutable || lowering.is_stored_by_export(global));
    if let GlobalInit::Constant(first) = &global.init
        && !initializer::is_needed(global)
    {
        let first = Constant {
            ty: stored,
            data: first.data.clone(),
        };
        builder = builder.initial_value(constant::attribute(context, &first, location)?);
    }
    if let GlobalInit::Parameter(name) = &global.init
        && !initializer::is_needed(global)
    {
        builder = builder.initial_value(parameter::attribute(context, name, ty)?);
    }
    builder.append_to(body)?;
    Ok(())
}

/// The value of a global, in its own type.
pub(super) fn load<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    global: GlobalId,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let stored = types::stored(ty);
    let name = lowering.symbols.global(global)?;
    let value = util::GlobalLoadOperation::builder(emitter.context, emitter.location)
        .global(FlatSymbolRefAttribute::new(emitter.context, name))
        .result(emitter.tensor_type(&stored)?)
        .append_to(&emitter.block)?
        .result()?;
    cast(emitter, Tensor { value, ty: stored }, ty)
}

/// Gives a global a new value.
pub(super) fn store<'c, 'b>(
    lowering: &Lowering<'_, 'c>,
    emitter: &Emitter<'c, 'b>,
    global: GlobalId,
    tensor: Tensor<'c, 'b>,
) -> Result<()> {
    let stored = types::stored(&tensor.ty);
    let tensor = cast(emitter, tensor, &stored)?;
    let name = lowering.symbols.global(global)?;
    util::GlobalStoreOperation::builder(emitter.context, emitter.location)
        .value(tensor.value)
        .global(FlatSymbolRefAttribute::new(emitter.context, name))
        .append_to(&emitter.block)?;
    Ok(())
}

/// What is made of a tensor in the type that it is stored in, in its own type.
pub(super) fn in_storage<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
    change: impl FnOnce(Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>>,
) -> Result<Tensor<'c, 'b>> {
    let stored = cast(emitter, tensor.clone(), &types::stored(&tensor.ty))?;
    cast(emitter, change(stored)?, &tensor.ty)
}

/// The same bits as another type.
pub(super) fn cast<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if tensor.ty == *ty {
        Ok(tensor)
    } else {
        emitter.bitcast_convert(&tensor, ty.dtype)
    }
}
