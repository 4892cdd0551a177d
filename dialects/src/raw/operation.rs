//! Operations: made, changed, moved and erased.

use super::text::bytes;
use melior::{
    StringRef,
    ir::{
        Attribute, AttributeLike, BlockLike, BlockRef, Identifier, Location, Operation,
        OperationRef, Region, Type, TypeLike, Value, ValueLike, operation::OperationLike,
    },
};
use mlir_sys::{
    mlirNamedAttributeGet, mlirOperationCreate, mlirOperationDestroy, mlirOperationMoveAfter,
    mlirOperationMoveBefore, mlirOperationSetOperands, mlirOperationSetSuccessor,
    mlirOperationStateAddAttributes, mlirOperationStateAddOperands,
    mlirOperationStateAddOwnedRegions, mlirOperationStateAddResults,
    mlirOperationStateAddSuccessors, mlirOperationStateGet,
};
use smallvec::SmallVec;

/// Whether an operation has a name.
#[inline]
pub(crate) fn is_named(operation: OperationRef<'_, '_>, name: &str) -> bool {
    bytes(&operation.name().as_string_ref().to_raw()) == name.as_bytes()
}

/// Replaces all operands of an operation.
pub(crate) fn set_operands<'c, 'a>(operation: OperationRef<'c, 'a>, operands: &[Value<'c, 'a>]) {
    let operands: Vec<_> = operands.iter().map(|value| value.to_raw()).collect();
    // SAFETY: the operation and the values are alive, and the length is that of the list.
    unsafe {
        mlirOperationSetOperands(
            operation.to_raw(),
            operands.len().cast_signed(),
            operands.as_ptr(),
        );
    }
}

/// A reference to an operation, as long as that is borrowed.
pub(crate) fn borrow<'c, 'a>(operation: &'a Operation<'c>) -> OperationRef<'c, 'a> {
    // SAFETY: the operation is alive as long as it is borrowed.
    unsafe { OperationRef::from_raw(operation.to_raw()) }
}

/// What an operation is made of besides its name and location.
#[derive(Debug, Default)]
pub(crate) struct Parts<'p, 'c, 'a> {
    pub(crate) operands: &'p [Value<'c, 'a>],
    pub(crate) results: &'p [Type<'c>],
    pub(crate) attributes: &'p [(Identifier<'c>, Attribute<'c>)],
    pub(crate) regions: Vec<Region<'c>>,
    pub(crate) successors: &'p [BlockRef<'c, 'a>],
}

/// An operation, which MLIR must know or be allowed to carry unchecked.
///
/// melior's own builder is moved for each part, which takes a third of the time.
pub(crate) fn create<'c>(
    name: &str,
    location: Location<'c>,
    parts: Parts<'_, 'c, '_>,
) -> Option<Operation<'c>> {
    let name = StringRef::new(name).to_raw();
    // SAFETY: the name and the location are alive.
    let mut state = unsafe { mlirOperationStateGet(name, location.to_raw()) };
    // Of an empty list MLIR would allocate the memory too.
    if !parts.operands.is_empty() {
        let (count, first) = (parts.operands.len(), parts.operands.as_ptr());
        // SAFETY: the values are alive, and as `Value` is transparent, a list of them is one of its field.
        unsafe { mlirOperationStateAddOperands(&mut state, count.cast_signed(), first.cast()) };
    }
    if !parts.results.is_empty() {
        let types = parts.results.iter().map(|one| one.to_raw());
        let types: SmallVec<[_; 4]> = types.collect();
        // SAFETY: the types are alive, and the length is that of the list.
        unsafe {
            mlirOperationStateAddResults(&mut state, types.len().cast_signed(), types.as_ptr());
        }
    }
    for (name, attribute) in parts.attributes {
        // SAFETY: the name and the attribute are alive.
        let named = unsafe { mlirNamedAttributeGet(name.to_raw(), attribute.to_raw()) };
        // SAFETY: as above, and it is one.
        unsafe { mlirOperationStateAddAttributes(&mut state, 1, &raw const named) };
    }
    for region in parts.regions {
        let region = region.into_raw();
        // SAFETY: the region is handed over, and it is one.
        unsafe { mlirOperationStateAddOwnedRegions(&mut state, 1, &raw const region) };
    }
    for block in parts.successors {
        let block = BlockLike::to_raw(block);
        // SAFETY: the block is alive, and it is one.
        unsafe { mlirOperationStateAddSuccessors(&mut state, 1, &raw const block) };
    }
    // SAFETY: the state is whole, and is not used again.
    let raw = unsafe { mlirOperationCreate(&mut state) };
    // SAFETY: an operation that is not null is new, and its context outlives it.
    (!raw.ptr.is_null()).then(|| unsafe { Operation::from_raw(raw) })
}

/// Replaces a successor of an operation, which has one at the index.
pub(crate) fn set_successor(
    operation: OperationRef<'_, '_>,
    index: usize,
    block: BlockRef<'_, '_>,
) {
    // SAFETY: the operation and the block are alive, and the operation has a successor there.
    unsafe {
        mlirOperationSetSuccessor(
            operation.to_raw(),
            index.cast_signed(),
            BlockLike::to_raw(&block),
        );
    }
}

/// Moves an operation in front of another, which is not inside of it and is in a block.
pub(crate) fn move_before(operation: OperationRef<'_, '_>, other: OperationRef<'_, '_>) {
    // SAFETY: both are alive and in blocks.
    unsafe { mlirOperationMoveBefore(operation.to_raw(), other.to_raw()) }
}

/// Moves an operation behind another, which is not inside of it and is in a block.
pub(crate) fn move_after(operation: OperationRef<'_, '_>, other: OperationRef<'_, '_>) {
    // SAFETY: both are alive and in blocks.
    unsafe { mlirOperationMoveAfter(operation.to_raw(), other.to_raw()) }
}

/// Erases an operation, by the only one who may do so.
///
/// Safe code is kept from it by [`Editor`](crate::Editor): nothing outside of the operation uses what is inside of it,
/// and no reference that is bound to its tree is used afterwards.
pub(crate) fn erase(operation: OperationRef<'_, '_>) {
    // SAFETY: the operation is alive, and nothing refers to it from now on.
    unsafe { mlirOperationDestroy(operation.to_raw()) }
}
