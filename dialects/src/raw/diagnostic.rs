//! Diagnostics that MLIR emits.

use super::text::append;
use crate::{Diagnostic, Diagnostics, Severity, SourceLocation};
use melior::ir::Location;
use mlir_sys::{
    MlirContext, MlirDiagnostic, MlirDiagnosticHandlerID, MlirLogicalResult,
    mlirContextAttachDiagnosticHandler, mlirContextDetachDiagnosticHandler,
    mlirDiagnosticGetLocation, mlirDiagnosticGetNote, mlirDiagnosticGetNumNotes,
    mlirDiagnosticGetSeverity, mlirDiagnosticPrint, mlirEmitError,
};
use std::{
    ffi::{CString, c_void},
    marker::PhantomData,
    ptr,
    sync::{Mutex, PoisonError},
};

/// Runs a function and returns the diagnostics that MLIR emits meanwhile.
pub(crate) fn capture<T>(context: MlirContext, function: impl FnOnce() -> T) -> (T, Diagnostics) {
    // MLIR may verify on several threads.
    let diagnostics = Mutex::new(Vec::new());

    let value = {
        let _handler = Handler::attach(context, &diagnostics);
        function()
    };

    let diagnostics = diagnostics
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);

    (value, Diagnostics::from(diagnostics))
}

/// A diagnostic handler that is attached as long as this value lives.
struct Handler<'a> {
    context: MlirContext,
    id: MlirDiagnosticHandlerID,
    _diagnostics: PhantomData<&'a Mutex<Vec<Diagnostic>>>,
}

impl<'a> Handler<'a> {
    fn attach(context: MlirContext, diagnostics: &'a Mutex<Vec<Diagnostic>>) -> Self {
        // SAFETY: the context is alive, and the handler, which borrows the diagnostics, is
        // detached when this value is dropped; `capture` does not forget it.
        let id = unsafe {
            mlirContextAttachDiagnosticHandler(
                context,
                Some(collect),
                ptr::from_ref(diagnostics).cast_mut().cast(),
                None,
            )
        };

        Self {
            context,
            id,
            _diagnostics: PhantomData,
        }
    }
}

impl Drop for Handler<'_> {
    fn drop(&mut self) {
        // SAFETY: the identifier comes from the same context and was not detached before.
        unsafe { mlirContextDetachDiagnosticHandler(self.context, self.id) }
    }
}

unsafe extern "C" fn collect(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `Handler::attach` passes a mutex that outlives the handler, of which there are only
    // shared references.
    let diagnostics = unsafe { &*data.cast_const().cast::<Mutex<Vec<Diagnostic>>>() };

    diagnostics
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(read(diagnostic));

    // Success means that no other handler needs to see it.
    MlirLogicalResult { value: 1 }
}

fn read(diagnostic: MlirDiagnostic) -> Diagnostic {
    // SAFETY: MLIR keeps a diagnostic alive while a handler runs.
    let severity = unsafe { mlirDiagnosticGetSeverity(diagnostic) };
    // SAFETY: as above.
    let location = unsafe { mlirDiagnosticGetLocation(diagnostic) };
    // SAFETY: as above, and its context, which is alive, owns the location.
    let location = unsafe { Location::from_raw(location) };
    // SAFETY: as above.
    let notes = unsafe { mlirDiagnosticGetNumNotes(diagnostic) };

    Diagnostic {
        severity: Severity::from_raw(severity),
        message: message(diagnostic),
        location: SourceLocation::find(location),
        notes: (0..notes)
            // SAFETY: as above, and the index is less than the number of notes.
            .map(|index| read(unsafe { mlirDiagnosticGetNote(diagnostic, index) }))
            .collect(),
    }
}

fn message(diagnostic: MlirDiagnostic) -> String {
    let mut output = Vec::<u8>::new();

    // SAFETY: the diagnostic is alive for the whole call, and `append` gets the vector that it
    // expects.
    unsafe { mlirDiagnosticPrint(diagnostic, Some(append), (&raw mut output).cast()) }

    String::from_utf8_lossy(&output).into_owned()
}

/// Emits an error.
pub(crate) fn emit_error(location: Location<'_>, message: &str) {
    let message = CString::new(message.replace('\0', "")).unwrap_or_default();
    // SAFETY: the location and the message are alive.
    unsafe { mlirEmitError(location.to_raw(), message.as_ptr()) }
}
