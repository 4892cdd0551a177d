//! Operations of the dialect `cf`: branches between the blocks of a region, and assertions.
//!
//! Written by hand, since definitions say nothing about the operands that go to each successor.

use crate::{Error, attributes, raw};
use melior::{
    Context,
    ir::{
        Block, BlockRef, Identifier, Location, Operation, Value,
        attribute::{DenseI32ArrayAttribute, StringAttribute},
        operation::OperationBuilder,
    },
};

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
    let block: &Block<'c> = &successor.block;
    let builder = OperationBuilder::new("cf.br", location)
        .add_operands(successor.arguments)
        .add_successors(&[block]);
    build(context, "cf.br", builder)
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
    let sizes = [1, count(then.arguments), count(otherwise.arguments)];
    let segments = DenseI32ArrayAttribute::new(context, &sizes);
    let blocks: [&Block<'c>; 2] = [&then.block, &otherwise.block];
    let builder = OperationBuilder::new("cf.cond_br", location)
        .add_attributes(&[(
            Identifier::new(context, "operandSegmentSizes"),
            segments.into(),
        )])
        .add_operands(&[condition])
        .add_operands(then.arguments)
        .add_operands(otherwise.arguments)
        .add_successors(&blocks);
    build(context, "cf.cond_br", builder)
}

/// `cf.switch`: goes on in the block at the place in `cases` that a value of type `i32` says, or in another
/// if there is none.
///
/// # Errors
///
/// If there are no cases, or MLIR does not make the operation.
pub fn switch<'c>(
    context: &'c Context,
    flag: Value<'c, '_>,
    default: Successor<'_, 'c, '_>,
    cases: &[Successor<'_, 'c, '_>],
    location: Location<'c>,
) -> Result<Operation<'c>, Error> {
    let values: Vec<_> = (0..cases.len()).map(|case| case.to_string()).collect();
    let values = format!(
        "dense<[{}]> : tensor<{}xi32>",
        values.join(", "),
        cases.len()
    );
    let sizes: Vec<_> = cases.iter().map(|case| count(case.arguments)).collect();
    let segments = [1, count(default.arguments), sizes.iter().sum()];
    let array = |sizes: &[i32]| DenseI32ArrayAttribute::new(context, sizes).into();
    let name = |name| Identifier::new(context, name);
    let mut builder = OperationBuilder::new("cf.switch", location)
        .add_attributes(&[
            (name("case_values"), attributes::parse(context, &values)?),
            (name("case_operand_segments"), array(&sizes)),
            (name("operandSegmentSizes"), array(&segments)),
        ])
        .add_operands(&[flag]);
    for successor in std::iter::once(&default).chain(cases) {
        let block: &Block<'c> = &successor.block;
        builder = builder
            .add_operands(successor.arguments)
            .add_successors(&[block]);
    }
    build(context, "cf.switch", builder)
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
    let message = StringAttribute::new(context, message);
    let builder = OperationBuilder::new("cf.assert", location)
        .add_attributes(&[(Identifier::new(context, "msg"), message.into())])
        .add_operands(&[condition]);
    build(context, "cf.assert", builder)
}

fn count(values: &[Value<'_, '_>]) -> i32 {
    i32::try_from(values.len()).unwrap_or(i32::MAX)
}

fn build<'c>(
    context: &'c Context,
    operation: &'static str,
    builder: OperationBuilder<'c>,
) -> Result<Operation<'c>, Error> {
    let (built, diagnostics) = raw::capture(context.to_raw(), || builder.build());
    built.map_err(|_| Error::Build {
        operation,
        diagnostics,
    })
}
