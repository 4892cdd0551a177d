//! Contexts, and the dialects that they know.

use super::diagnostic::capture;
use crate::Diagnostics;
use melior::{
    Context, ContextRef, StringRef,
    ir::{Location, Module, operation::OperationLike},
};
use mlir_sys::{
    MlirContext, mlirContextGetOrLoadDialect, mlirDialectHandleLoadDialect,
    mlirGetDialectHandle__irdl__, mlirLoadIRDLDialects, mlirLocationGetContext,
};
use std::{cell::RefCell, collections::BTreeMap};

thread_local! {
    /// A handle of each context that was asked for, by its address.
    static HANDLES: RefCell<BTreeMap<usize, &'static ContextRef<'static>>> = RefCell::default();
}

/// The context that a reference is to.
///
/// melior's own conversion borrows the reference, which lives less long than the context. So a handle is kept for each
/// address, one word that is never freed.
pub(crate) fn context_of<'c>(context: ContextRef<'c>) -> &'c Context {
    // SAFETY: the reference outlives the borrow, and was lent by something that lives no longer than the context.
    let raw = unsafe { context.to_ref() }.to_raw();
    let handle: &'static ContextRef<'static> = HANDLES.with_borrow_mut(|handles| {
        *handles.entry(raw.ptr.addr()).or_insert_with(|| {
            // SAFETY: the pointer is that of a context, and is used for `'c` only, while the context is alive.
            Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) }))
        })
    });
    // SAFETY: the handle is never freed, and its address is that of a context which is alive for `'c`.
    unsafe { handle.to_ref() }
}

/// The context of a location, for functions of this module.
pub(crate) fn context(location: Location<'_>) -> MlirContext {
    // SAFETY: the location is alive.
    unsafe { mlirLocationGetContext(location.to_raw()) }
}

/// Loads the dialect of definitions of dialects.
pub(crate) fn load_irdl(context: &Context) {
    // SAFETY: the handle is a constant of MLIR's.
    let handle = unsafe { mlirGetDialectHandle__irdl__() };
    // SAFETY: the context is alive.
    unsafe { mlirDialectHandleLoadDialect(handle, context.to_raw()) };
}

/// Whether a context has a dialect, loaded or to be loaded.
pub(crate) fn knows_dialect(context: &Context, name: &str) -> bool {
    let name = StringRef::new(name);
    // SAFETY: the context and the name are alive.
    let dialect = unsafe { mlirContextGetOrLoadDialect(context.to_raw(), name.to_raw()) };
    !dialect.ptr.is_null()
}

/// Has the context of a module know the dialects that the module defines. None of them may be known, else MLIR aborts.
pub(crate) fn load_dialects(module: &Module<'_>) -> Result<(), Diagnostics> {
    let context = context(module.as_operation().location());
    // SAFETY: the module is alive, and was verified when it was read.
    let load = || unsafe { mlirLoadIRDLDialects(module.to_raw()) };
    let (result, diagnostics) = capture(context, load);
    if result.value == 0 {
        Err(diagnostics)
    } else {
        Ok(())
    }
}
