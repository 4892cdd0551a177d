use melior::ir::{
    Attribute, BlockRef, OperationRef, Value, attribute::DenseI32ArrayAttribute,
    operation::OperationLike,
};

use super::{
    IntoAttribute,
    access::{group, lacks_successor, malformed, name, sizes, value_name},
    state::OPERAND_SIZES,
};
use crate::{
    Arity, Error, OperationInfo, Segments,
    error::Part,
    raw,
    tree::{self, Root},
};

/// Sets the attribute of an index in the definition.
pub fn set_attribute<'c, T>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, '_>,
    index: usize,
    value: impl IntoAttribute<'c, T>,
) -> Result<(), Error> {
    let Some(attribute) = info.attributes.get(index) else {
        return Err(malformed(operation, Part::Attribute, ""));
    };
    let value = value.into_attribute(raw::context_of(operation.context()), attribute)?;
    set(operation, attribute.name, value);
    Ok(())
}

/// Sets or removes an attribute whose presence is its value.
pub fn set_unit_attribute(
    operation: OperationRef<'_, '_>,
    attribute: &'static str,
    present: bool,
) -> Result<(), Error> {
    if present {
        let context = raw::context_of(operation.context());
        set(operation, attribute, Attribute::unit(context));
        Ok(())
    } else {
        remove_attribute(operation, attribute).map(|_| ())
    }
}

/// Removes an attribute, and says whether it was there.
pub fn remove_attribute(
    operation: OperationRef<'_, '_>,
    attribute: &'static str,
) -> Result<bool, Error> {
    if !operation.has_attribute(attribute) {
        return Ok(false);
    }
    // What MLIR calls inherent of an operation that it does not know can be replaced, not taken out.
    if !is_known(operation) && operation.has_inherent_attribute(attribute) {
        return Err(Error::Edit {
            operation: name(operation),
            reason: "MLIR keeps the attributes of operations that it does not know",
        });
    }
    Ok(raw::remove_attribute(operation, attribute))
}

/// Replaces the operands of an index in the definition.
pub fn set_operands<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
    values: &[Value<'c, 'a>],
) -> Result<(), Error> {
    Root::of_operation(operation).expect_values(operation, values)?;
    let error = || malformed(operation, Part::Operand, value_name(info.operands, index));
    let count = operation.operand_count();
    let sizes = || sizes(operation, OPERAND_SIZES);
    let range =
        group(info.operands, info.operand_segments, sizes, count, index).ok_or_else(error)?;
    let single = (info.operands.get(index)).is_some_and(|one| one.arity == Arity::Single);

    if values.len() != range.len() {
        // A single operand that is not there, or lists that all have one size.
        if single || info.operand_segments == Segments::Equal {
            return Err(error());
        }
        resize(info, operation, index, values.len())?;
    }
    let operands = (0..count).map(|position| operation.operand(position).map_err(|_| error()));
    let mut operands = operands.collect::<Result<Vec<_>, _>>()?;
    operands.splice(range, values.iter().copied());
    raw::set_operands(operation, &operands);
    Ok(())
}

/// Replaces the successor at an index.
pub fn set_successor<'c>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, '_>,
    index: usize,
    block: BlockRef<'c, '_>,
) -> Result<(), Error> {
    if index >= operation.successor_count() {
        return Err(lacks_successor(info, operation, index));
    }
    if Root::of_block(block) != Root::of_operation(operation) {
        return Err(tree::error(operation, "a successor is of another module"));
    }
    raw::set_successor(operation, index, block);
    Ok(())
}

/// Notes how many operands a definition stands for.
fn resize(
    info: &'static OperationInfo,
    operation: OperationRef<'_, '_>,
    index: usize,
    size: usize,
) -> Result<(), Error> {
    if info.operand_segments != Segments::Sized {
        return Ok(());
    }
    let error = || malformed(operation, Part::Operand, value_name(info.operands, index));
    let mut sizes = sizes(operation, OPERAND_SIZES).ok_or_else(error)?;
    *sizes.get_mut(index).ok_or_else(error)? = size;
    let sizes = sizes.into_iter().map(i32::try_from);
    let sizes = sizes.collect::<Result<Vec<_>, _>>().map_err(|_| error())?;
    let context = raw::context_of(operation.context());
    let sizes = DenseI32ArrayAttribute::new(context, &sizes);
    set(operation, OPERAND_SIZES, sizes.into());
    Ok(())
}

fn set<'c>(operation: OperationRef<'c, '_>, name: &str, attribute: Attribute<'c>) {
    // As in the builders: MLIR must be told of what is inherent to an operation that it does not know.
    if is_known(operation)
        || (operation.has_attribute(name) && !operation.has_inherent_attribute(name))
    {
        raw::set_attribute(operation, name, attribute);
    } else {
        raw::set_inherent_attribute(operation, name, attribute);
    }
}

fn is_known(operation: OperationRef<'_, '_>) -> bool {
    raw::context_of(operation.context()).is_registered_operation(&name(operation))
}
