use super::{
    handle::Handle,
    status::{self, Code, IreeError},
    sys,
};
use iree_abi::Work;
use std::sync::Arc;

/// An exported function that takes and returns references.
#[derive(Clone)]
pub(crate) struct Entry {
    // Keeps the module alive that the function points into.
    _module: Handle<sys::iree_vm_module_t>,
    pub(super) function: sys::iree_vm_function_t,
    pub(super) arguments: usize,
    pub(super) results: usize,
    /// The positions of the arguments that it writes to.
    updates: Box<[usize]>,
    /// Whether it returns when its work is queued. It then takes what to wait for and what to reach.
    pub(super) is_queued: bool,
    name: Arc<str>,
    /// How much work a call is, if that can be told.
    work: Option<Arc<Work>>,
}

// SAFETY: a function is two numbers and a pointer to a module, which is immutable.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Entry {
    pub(super) fn new(
        module: Handle<sys::iree_vm_module_t>,
        function: sys::iree_vm_function_t,
        (arguments, results): (usize, usize),
        updates: Box<[usize]>,
        is_queued: bool,
        name: Arc<str>,
        work: Option<Work>,
    ) -> Self {
        Self {
            _module: module,
            function,
            arguments,
            results,
            updates,
            is_queued,
            name,
            work: work.map(Arc::new),
        }
    }

    /// The function's name.
    pub(crate) const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// How much work a call is, if that can be told.
    pub(crate) fn work(&self) -> Option<&Work> {
        self.work.as_deref()
    }

    /// Whether a call returns when its work is queued.
    pub(crate) const fn is_queued(&self) -> bool {
        self.is_queued
    }

    /// Whether the function writes to its argument at a position.
    pub(crate) fn updates(&self, position: usize) -> bool {
        self.updates.contains(&position)
    }

    /// How many arguments the function takes.
    pub(crate) const fn argument_count(&self) -> usize {
        self.arguments
    }

    /// How many results the function returns.
    pub(crate) const fn result_count(&self) -> usize {
        self.results
    }
}

/// Begins a call of any module's function.
///
/// # Safety
///
/// The module of the function and the stack are live, and arguments and results are of the size and the kinds that the
/// function's convention says.
pub(super) unsafe fn begin(
    stack: *mut sys::iree_vm_stack_t,
    call: sys::iree_vm_function_call_t,
) -> sys::iree_status_t {
    let module = call.function.module;
    // Not all of the module, whose count of references others change meanwhile.
    // SAFETY: as the caller promises.
    let this = unsafe { (*module).self_ };
    // SAFETY: as above.
    let begin = unsafe { (*module).begin_call };
    match begin {
        // SAFETY: as above.
        Some(begin) => unsafe { begin(this, stack, call) },
        None => status::from_error(&IreeError::new(Code::Internal, "a module has no code")),
    }
}
