//! Which tree an operation or a value is a part of.
//!
//! A tree is dropped as a whole, so what one operation uses must be in its own tree.

use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, Value, operation::OperationLike};

use crate::{Error, raw, support::name};

/// The outermost operation, block or region that something is in, by its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root(usize);

impl Root {
    pub(crate) fn of_operation(operation: OperationRef<'_, '_>) -> Self {
        let mut outermost = operation;
        while let Some(parent) = outermost.parent_operation() {
            outermost = parent;
        }
        match outermost.block() {
            Some(block) => Self::of_detached(block),
            None => Self(outermost.to_raw().ptr.addr()),
        }
    }

    pub(crate) fn of_block(block: BlockRef<'_, '_>) -> Self {
        match block.parent_operation() {
            Some(parent) => Self::of_operation(parent),
            None => Self::of_detached(block),
        }
    }

    /// The root of a block that no operation has.
    fn of_detached(block: BlockRef<'_, '_>) -> Self {
        match block.parent_region() {
            Some(region) => Self(region.to_raw().ptr.addr()),
            None => Self(BlockLike::to_raw(&block).ptr.addr()),
        }
    }

    pub(crate) fn of_value(value: Value<'_, '_>) -> Self {
        match raw::source(value) {
            Source::Operation(operation) => Self::of_operation(operation),
            Source::Block(block) => Self::of_block(block),
        }
    }

    /// Refuses values of another tree, which may be dropped before this one.
    pub(crate) fn expect_values(
        self,
        operation: OperationRef<'_, '_>,
        values: &[Value<'_, '_>],
    ) -> Result<(), Error> {
        if values.iter().all(|value| Self::of_value(*value) == self) {
            Ok(())
        } else {
            Err(error(operation, "a value is of another module"))
        }
    }
}

/// What a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source<'c, 'a> {
    /// The operation that it is a result of.
    Operation(OperationRef<'c, 'a>),
    /// The block that it is an argument of.
    Block(BlockRef<'c, 'a>),
}

impl<'c, 'a> Source<'c, 'a> {
    /// The block that it is in.
    pub(crate) fn block(self) -> Option<BlockRef<'c, 'a>> {
        match self {
            Self::Operation(operation) => operation.block(),
            Self::Block(block) => Some(block),
        }
    }
}

/// The error of an edit.
pub(crate) fn error(operation: OperationRef<'_, '_>, reason: &'static str) -> Error {
    Error::Edit {
        operation: name(operation),
        reason,
    }
}

/// Whether an operation is another, or in one of its regions.
pub(crate) fn is_within(operation: OperationRef<'_, '_>, other: OperationRef<'_, '_>) -> bool {
    let mut inner = Some(operation);
    while let Some(operation) = inner {
        if operation == other {
            return true;
        }
        inner = operation.parent_operation();
    }
    false
}
