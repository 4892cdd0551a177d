use std::{fmt::Display, ops::Range};

use melior::ir::{
    Attribute, BlockRef, OperationRef, RegionRef, Value, attribute::DenseI32ArrayAttribute,
    operation::OperationLike,
};

use super::state::{OPERAND_SIZES, RESULT_SIZES};
use crate::{Arity, DialectInfo, Error, OperationInfo, Segments, ValueInfo, error::Part, raw};

/// Checks that an operation has a name.
pub fn expect_operation(
    expected: &'static str,
    operation: OperationRef<'_, '_>,
) -> Result<(), Error> {
    if raw::is_named(operation, expected) {
        Ok(())
    } else {
        let found = name(operation);

        Err(Error::UnexpectedOperation { expected, found })
    }
}

/// The name of an operation.
pub fn name(operation: OperationRef<'_, '_>) -> String {
    raw::text(operation.name().as_string_ref().to_raw())
}

/// The error for an operation that a dialect does not define.
pub fn unknown_operation(dialect: &'static DialectInfo, operation: OperationRef<'_, '_>) -> Error {
    Error::UnexpectedOperation {
        expected: dialect.name,
        found: name(operation),
    }
}

pub(super) fn malformed(
    operation: OperationRef<'_, '_>,
    part: Part,
    part_name: &'static str,
) -> Error {
    Error::Malformed {
        operation: name(operation),
        part,
        name: part_name,
    }
}

/// The operand of an index in the definition, in front of which there are no lists.
#[inline]
pub fn fixed_operand<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Value<'c, 'a>, Error> {
    operand_at(info, operation, index, index)
}

/// The operand of an index in the definition.
pub fn operand<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Value<'c, 'a>, Error> {
    optional_operand(info, operation, index)?
        .ok_or_else(|| malformed(operation, Part::Operand, value_name(info.operands, index)))
}

/// The operand of an index in the definition, if it is there.
pub fn optional_operand<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Option<Value<'c, 'a>>, Error> {
    let mut positions = operand_positions(info, operation, index)?;
    positions
        .next()
        .map(|position| operand_at(info, operation, index, position))
        .transpose()
}

/// The operands of an index in the definition.
pub fn operands<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    operand_positions(info, operation, index)?
        .map(|position| operand_at(info, operation, index, position))
        .collect()
}

fn operand_positions(
    info: &'static OperationInfo,
    operation: OperationRef<'_, '_>,
    index: usize,
) -> Result<Range<usize>, Error> {
    let sizes = || sizes(operation, OPERAND_SIZES);
    let count = operation.operand_count();

    group(info.operands, info.operand_segments, sizes, count, index)
        .ok_or_else(|| malformed(operation, Part::Operand, value_name(info.operands, index)))
}

fn operand_at<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
    position: usize,
) -> Result<Value<'c, 'a>, Error> {
    operation
        .operand(position)
        .map_err(|_| malformed(operation, Part::Operand, value_name(info.operands, index)))
}

/// The result of an index in the definition, in front of which there are no lists.
#[inline]
pub fn fixed_result<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Value<'c, 'a>, Error> {
    result_at(info, operation, index, index)
}

/// The result of an index in the definition.
pub fn result<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Value<'c, 'a>, Error> {
    optional_result(info, operation, index)?
        .ok_or_else(|| malformed(operation, Part::Result, value_name(info.results, index)))
}

/// The result of an index in the definition, if it is there.
pub fn optional_result<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Option<Value<'c, 'a>>, Error> {
    let mut positions = result_positions(info, operation, index)?;
    positions
        .next()
        .map(|position| result_at(info, operation, index, position))
        .transpose()
}

/// The results of an index in the definition.
pub fn results<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    result_positions(info, operation, index)?
        .map(|position| result_at(info, operation, index, position))
        .collect()
}

fn result_positions(
    info: &'static OperationInfo,
    operation: OperationRef<'_, '_>,
    index: usize,
) -> Result<Range<usize>, Error> {
    let sizes = || sizes(operation, RESULT_SIZES);
    let count = operation.result_count();

    group(info.results, info.result_segments, sizes, count, index)
        .ok_or_else(|| malformed(operation, Part::Result, value_name(info.results, index)))
}

fn result_at<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
    position: usize,
) -> Result<Value<'c, 'a>, Error> {
    operation
        .result(position)
        .map(Value::from)
        .map_err(|_| malformed(operation, Part::Result, value_name(info.results, index)))
}

pub(super) fn value_name(values: &'static [ValueInfo], index: usize) -> &'static str {
    values.get(index).map_or("", |value| value.name)
}

/// The positions of the values that a definition stands for, in a flat list of `count` values.
pub(super) fn group(
    values: &[ValueInfo],
    segments: Segments,
    sizes: impl FnOnce() -> Option<Vec<usize>>,
    count: usize,
    index: usize,
) -> Option<Range<usize>> {
    let (start, size) = if segments == Segments::Sized {
        let sizes = sizes()?;
        (sizes.get(..index)?.iter().sum(), *sizes.get(index)?)
    } else {
        implied(values, count, index)?
    };
    let end = usize::checked_add(start, size)?;

    (end <= count).then_some(start..end)
}

/// Where a group starts and its size, where those that are not single share what the single ones leave.
fn implied(values: &[ValueInfo], count: usize, index: usize) -> Option<(usize, usize)> {
    let is_single = |value: &&ValueInfo| value.arity == Arity::Single;
    let single = values.iter().filter(is_single).count();
    let rest = count.checked_sub(single)?;
    let shared = rest.checked_div(values.len() - single).unwrap_or(0);
    let size = |value: &ValueInfo| match value.arity {
        Arity::Single => 1,
        Arity::Optional | Arity::Variadic => shared,
    };

    let start = values.get(..index)?.iter().map(size).sum();
    Some((start, size(values.get(index)?)))
}

pub(super) fn sizes(operation: OperationRef<'_, '_>, name: &str) -> Option<Vec<usize>> {
    let sizes = DenseI32ArrayAttribute::try_from(operation.attribute(name).ok()?).ok()?;

    (0..sizes.len())
        .map(|index| usize::try_from(sizes.element(index).ok()?).ok())
        .collect()
}

/// Whether an operation has an attribute.
pub fn has_attribute(operation: OperationRef<'_, '_>, name: &str) -> bool {
    operation.has_attribute(name)
}

/// The attribute of a name.
pub fn attribute<'c, T>(operation: OperationRef<'c, '_>, name: &'static str) -> Result<T, Error>
where
    T: TryFrom<Attribute<'c>, Error: Display>,
{
    optional_attribute(operation, name)?.ok_or_else(|| malformed(operation, Part::Attribute, name))
}

/// The attribute of a name, if it is there.
pub fn optional_attribute<'c, T>(
    operation: OperationRef<'c, '_>,
    attribute: &'static str,
) -> Result<Option<T>, Error>
where
    T: TryFrom<Attribute<'c>, Error: Display>,
{
    operation
        .attribute(attribute)
        .ok()
        .map(T::try_from)
        .transpose()
        .map_err(|error| Error::UnexpectedAttribute {
            operation: name(operation),
            name: attribute,
            reason: error.to_string(),
        })
}

/// The region at an index.
pub fn region<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<RegionRef<'c, 'a>, Error> {
    operation.region(index).map_err(|_| {
        let name = info.regions.get(index).map_or("", |region| region.name);
        malformed(operation, Part::Region, name)
    })
}

/// The regions from an index on.
pub fn regions<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<Vec<RegionRef<'c, 'a>>, Error> {
    (index..operation.region_count())
        .map(|index| region(info, operation, index))
        .collect()
}

/// The error for a block that has not the arguments that it was made with.
pub fn lacks_arguments(operation: &str) -> Error {
    Error::Malformed {
        operation: operation.into(),
        part: Part::Region,
        name: "body",
    }
}

/// The successor at an index.
pub fn successor<'c, 'a>(
    info: &'static OperationInfo,
    operation: OperationRef<'c, 'a>,
    index: usize,
) -> Result<BlockRef<'c, 'a>, Error> {
    operation
        .successor(index)
        .map_err(|_| lacks_successor(info, operation, index))
}

pub(super) fn lacks_successor(
    info: &'static OperationInfo,
    operation: OperationRef<'_, '_>,
    index: usize,
) -> Error {
    let name = info.successors.get(index).map_or("", |one| one.name);
    malformed(operation, Part::Successor, name)
}

/// The successors from an index on.
pub fn successors<'c, 'a>(operation: OperationRef<'c, 'a>, index: usize) -> Vec<BlockRef<'c, 'a>> {
    operation.successors().skip(index).collect()
}
