//! Attributes of operations, and symbols.

use super::text::text;
use melior::{
    StringRef,
    ir::{
        Attribute, AttributeLike, OperationRef,
        attribute::{FlatSymbolRefAttribute, StringAttribute},
    },
};
use mlir_sys::{
    mlirFlatSymbolRefAttrGetValue, mlirOperationRemoveAttributeByName,
    mlirOperationSetAttributeByName, mlirOperationSetInherentAttributeByName,
    mlirStringAttrGetValue, mlirSymbolTableReplaceAllSymbolUses,
};

/// Sets an attribute of an operation, inherent if the operation defines it.
pub(crate) fn set_attribute<'c>(
    operation: OperationRef<'c, '_>,
    name: &str,
    attribute: Attribute<'c>,
) {
    let name = StringRef::new(name);
    // SAFETY: the operation, the name and the attribute are alive, and attributes are of the same context.
    unsafe {
        mlirOperationSetAttributeByName(operation.to_raw(), name.to_raw(), attribute.to_raw());
    }
}

/// Sets an inherent attribute of an operation that MLIR does not know.
pub(crate) fn set_inherent_attribute<'c>(
    operation: OperationRef<'c, '_>,
    name: &str,
    attribute: Attribute<'c>,
) {
    let name = StringRef::new(name);
    // SAFETY: as in `set_attribute`.
    unsafe {
        mlirOperationSetInherentAttributeByName(
            operation.to_raw(),
            name.to_raw(),
            attribute.to_raw(),
        );
    }
}

/// Has all references to a symbol inside of an operation be to another, unless there may be some that MLIR does not know.
pub(crate) fn replace_symbol(table: OperationRef<'_, '_>, from: &str, to: &str) -> bool {
    let (from, to) = (StringRef::new(from), StringRef::new(to));
    let table = table.to_raw();
    // SAFETY: the operation and the names are alive.
    let result = unsafe { mlirSymbolTableReplaceAllSymbolUses(from.to_raw(), to.to_raw(), table) };
    result.value != 0
}

/// Removes an attribute of an operation that MLIR knows, and says whether it was there.
pub(crate) fn remove_attribute(operation: OperationRef<'_, '_>, name: &str) -> bool {
    let name = StringRef::new(name);
    // SAFETY: the operation and the name are alive.
    unsafe { mlirOperationRemoveAttributeByName(operation.to_raw(), name.to_raw()) }
}

/// The text of a string attribute.
pub(crate) fn string_attribute(attribute: StringAttribute<'_>) -> String {
    // SAFETY: the attribute is alive and a string.
    text(unsafe { mlirStringAttrGetValue(attribute.to_raw()) })
}

/// The name of the symbol that an attribute refers to.
pub(crate) fn symbol_attribute(attribute: FlatSymbolRefAttribute<'_>) -> String {
    // SAFETY: the attribute is alive and a reference to a symbol.
    text(unsafe { mlirFlatSymbolRefAttrGetValue(attribute.to_raw()) })
}
