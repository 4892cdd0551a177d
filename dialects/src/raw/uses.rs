//! What values come from, and what uses them.

use crate::tree::Source;
use melior::ir::{BlockLike, BlockRef, OperationRef, Value, ValueLike};
use mlir_sys::{
    mlirBlockArgumentGetOwner, mlirOpOperandGetNextUse, mlirOpOperandGetOperandNumber,
    mlirOpOperandGetOwner, mlirOpOperandIsNull, mlirOpResultGetOwner, mlirOperationGetNumOperands,
    mlirOperationGetNumRegions, mlirOperationGetNumSuccessors, mlirOperationGetOperand,
    mlirValueGetFirstUse, mlirValueIsABlockArgument, mlirValueReplaceAllUsesOfWith,
};

/// Whether an operation without regions and successors uses values of one block only.
pub(crate) fn uses_only(operation: OperationRef<'_, '_>, block: BlockRef<'_, '_>) -> bool {
    let (operation, block) = (operation.to_raw(), BlockLike::to_raw(&block));
    // SAFETY: the operation is alive.
    let regions = unsafe { mlirOperationGetNumRegions(operation) };
    // SAFETY: as above.
    let successors = unsafe { mlirOperationGetNumSuccessors(operation) };
    // SAFETY: as above.
    let operands = unsafe { mlirOperationGetNumOperands(operation) };
    let is_inside = |index| {
        // SAFETY: the operation is alive and has so many operands.
        let value = unsafe { mlirOperationGetOperand(operation, index) };
        // SAFETY: an operand is alive as long as what uses it.
        let value = unsafe { Value::from_raw(value) };
        source(value)
            .block()
            .is_some_and(|own| BlockLike::to_raw(&own).ptr == block.ptr)
    };
    regions == 0 && successors == 0 && (0..operands).all(is_inside)
}

/// What a value comes from.
pub(crate) fn source<'c, 'a>(value: Value<'c, 'a>) -> Source<'c, 'a> {
    let raw = value.to_raw();
    // SAFETY: the value is alive.
    if unsafe { mlirValueIsABlockArgument(raw) } {
        // SAFETY: the value is alive, and an argument of a block.
        let owner = unsafe { mlirBlockArgumentGetOwner(raw) };
        // SAFETY: the block lives as long as its argument.
        Source::Block(unsafe { BlockRef::from_raw(owner) })
    } else {
        // SAFETY: the value is alive, and a result, as it is no argument.
        let owner = unsafe { mlirOpResultGetOwner(raw) };
        // SAFETY: the operation lives as long as its result.
        Source::Operation(unsafe { OperationRef::from_raw(owner) })
    }
}

/// The operations that have a value as an operand, and the position of that.
pub(crate) fn uses<'c, 'a>(value: Value<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let mut uses = Vec::new();
    // SAFETY: the value is alive.
    let mut operand = unsafe { mlirValueGetFirstUse(value.to_raw()) };
    // SAFETY: the operand is null, or a use of the value, which nothing changes meanwhile.
    while !unsafe { mlirOpOperandIsNull(operand) } {
        // SAFETY: as above, and it is not null.
        let owner = unsafe { mlirOpOperandGetOwner(operand) };
        // SAFETY: as above.
        let position = unsafe { mlirOpOperandGetOperandNumber(operand) };
        // SAFETY: an operation that uses a value is in the tree of that.
        let owner = unsafe { OperationRef::from_raw(owner) };
        uses.push((owner, position as usize));
        // SAFETY: as above.
        operand = unsafe { mlirOpOperandGetNextUse(operand) };
    }
    uses
}

/// Has all that use a value use another.
pub(crate) fn replace_uses<'c>(value: Value<'c, '_>, other: Value<'c, '_>) {
    // SAFETY: both values are alive.
    unsafe { mlirValueReplaceAllUsesOfWith(value.to_raw(), other.to_raw()) }
}
