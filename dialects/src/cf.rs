//! Branches between the blocks of a region, and assertions.
//!
//! Besides the builders of the operations there are functions for those with successors, which divide the operands among them.

use melior::{
    Context,
    ir::{
        BlockRef, Location, Operation, Value,
        r#type::{IntegerType, RankedTensorType},
    },
};

use crate::{Error, attributes};

crate::include_dialect!("cf");

/// A block, and what its arguments are.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'s, 'c, 'b> {
    /// The block.
    pub block: BlockRef<'c, 'b>,
    /// Its arguments.
    pub arguments: &'s [Value<'c, 'b>],
}

/// `cf.br`: goes on in another block.
///
/// # Errors
///
/// If MLIR does not make the operation.
pub fn branch<'c>(
    context: &'c Context,
    successor: Successor<'_, 'c, '_>,
    location: Location<'c>,
) -> Result<Operation<'c>, Error> {
    BrOperation::builder(context, location)
        .dest_operands(successor.arguments)
        .dest(successor.block)
        .build()
}

/// `cf.cond_br`: goes on in one of two blocks, by a value of type `i1`.
///
/// # Errors
///
/// If MLIR does not make the operation.
pub fn conditional_branch<'c>(
    context: &'c Context,
    condition: Value<'c, '_>,
    [then, otherwise]: [Successor<'_, 'c, '_>; 2],
    location: Location<'c>,
) -> Result<Operation<'c>, Error> {
    CondBrOperation::builder(context, location)
        .condition(condition)
        .true_dest_operands(then.arguments)
        .true_dest(then.block)
        .false_dest_operands(otherwise.arguments)
        .false_dest(otherwise.block)
        .build()
}

/// `cf.switch`: goes on in the block at the place in `cases` that a value of type `i32` says, or in another
/// if there is none.
///
/// # Errors
///
/// If MLIR does not make the operation.
pub fn switch<'c>(
    context: &'c Context,
    flag: Value<'c, '_>,
    default: Successor<'_, 'c, '_>,
    cases: &[Successor<'_, 'c, '_>],
    location: Location<'c>,
) -> Result<Operation<'c>, Error> {
    let i32 = IntegerType::new(context, 32).into();
    let r#type = RankedTensorType::new(&[cases.len() as u64], i32, None);
    let values = (0..).take(cases.len()).flat_map(i32::to_ne_bytes);
    let values = attributes::dense_elements(r#type.into(), &values.collect::<Vec<_>>())?;
    let sizes: Vec<_> = cases.iter().map(|case| count(case.arguments)).collect();
    let operands = cases.iter().flat_map(|case| case.arguments).copied();
    let blocks: Vec<_> = cases.iter().map(|case| case.block).collect();
    SwitchOperation::builder(context, location)
        .flag(flag)
        .default_operands(default.arguments)
        .case_operands(&operands.collect::<Vec<_>>())
        .case_values(values)
        .case_operand_segments(sizes)
        .default_destination(default.block)
        .case_destinations(&blocks)
        .build()
}

/// `cf.assert`: ends the program with a message, if a value of type `i1` is not true.
///
/// # Errors
///
/// If MLIR does not make the operation.
pub fn assert<'c>(
    context: &'c Context,
    condition: Value<'c, '_>,
    message: &str,
    location: Location<'c>,
) -> Result<Operation<'c>, Error> {
    AssertOperation::builder(context, location)
        .arg(condition)
        .msg(message)
        .build()
}

fn count(values: &[Value<'_, '_>]) -> i32 {
    i32::try_from(values.len()).unwrap_or(i32::MAX)
}
