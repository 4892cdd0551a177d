//! Texts and bytecode.

use melior::{
    Context,
    ir::{Module, OperationRef, operation::OperationPrintingFlags},
};
use mlir_sys::{
    MlirStringRef, mlirModuleCreateParse, mlirOperationPrintWithFlags, mlirOperationWriteBytecode,
};
use std::{ffi::c_void, slice};

/// The text of a string that MLIR lends.
///
/// melior's own conversion panics on an empty string.
pub(crate) fn text(string: MlirStringRef) -> String {
    String::from_utf8_lossy(bytes(&string)).into_owned()
}

pub(super) fn bytes(string: &MlirStringRef) -> &[u8] {
    if string.data.is_null() || string.length == 0 {
        return &[];
    }

    // SAFETY: MLIR hands out references to strings that live as long as what they belong to, which
    // all callers hold; the pointer is not null and the length is that of the string.
    unsafe { slice::from_raw_parts(string.data.cast(), string.length) }
}

/// Appends a piece of text to the `Vec<u8>` that the data points to.
pub(super) unsafe extern "C" fn append(string: MlirStringRef, data: *mut c_void) {
    // SAFETY: the callers in this module pass a `Vec<u8>` that outlives the call.
    let output = unsafe { &mut *data.cast::<Vec<u8>>() };

    output.extend_from_slice(bytes(&string));
}

/// The text of an operation.
pub(crate) fn print(operation: OperationRef<'_, '_>, flags: &OperationPrintingFlags) -> String {
    let mut output = Vec::<u8>::new();

    // SAFETY: the operation and the flags are alive for the whole call, and `append` gets the
    // vector that it expects.
    unsafe {
        mlirOperationPrintWithFlags(
            operation.to_raw(),
            flags.to_raw(),
            Some(append),
            (&raw mut output).cast(),
        );
    }

    String::from_utf8_lossy(&output).into_owned()
}

/// The bytecode of an operation.
pub(crate) fn bytecode(operation: OperationRef<'_, '_>) -> Vec<u8> {
    let mut output = Vec::<u8>::new();
    // SAFETY: the operation is alive, and `append` gets the vector that it expects.
    unsafe {
        mlirOperationWriteBytecode(operation.to_raw(), Some(append), (&raw mut output).cast());
    }
    output
}

/// The module of a text or of bytecode, if it is one.
pub(crate) fn parse<'c>(context: &'c Context, source: &[u8]) -> Option<Module<'c>> {
    const ALIGNMENT: usize = 64;
    // What MLIR reads ends in a null byte, which is not counted; bytecode must be aligned to what it has inside.
    let mut buffer = vec![0; source.len() + ALIGNMENT + 1];
    let start = buffer.as_ptr().align_offset(ALIGNMENT);
    let copy = buffer.get_mut(start..start + source.len())?;
    copy.copy_from_slice(source);
    let source = MlirStringRef {
        data: copy.as_ptr().cast(),
        length: copy.len(),
    };
    // SAFETY: the context and the buffer are alive, and a null byte follows what is read.
    let raw = unsafe { mlirModuleCreateParse(context.to_raw(), source) };
    // SAFETY: a module that is not null is new, and its context outlives it.
    unsafe { Module::from_option_raw(raw) }
}
