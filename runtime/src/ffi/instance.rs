use super::{
    handle::Handle,
    status::{IreeError, check},
    sys,
};
use std::{
    ptr,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

/// What every device of the process shares.
pub(super) struct Instance {
    pub(super) vm: Handle<sys::iree_vm_instance_t>,
    /// Threads that serve asynchronous waits.
    proactors: Handle<sys::iree_async_proactor_pool_t>,
}

impl Instance {
    /// What every device is made with.
    pub(super) const fn create_params(&self) -> sys::iree_hal_device_create_params_t {
        sys::iree_hal_device_create_params_t {
            next: ptr::null(),
            proactor_pool: self.proactors.as_ptr(),
        }
    }
}

/// The one instance of the process, made when it is first needed and never destroyed: the ids of
/// reference types are global variables in C.
pub(super) fn instance() -> Result<&'static Instance, IreeError> {
    static INSTANCE: OnceLock<Result<Instance, IreeError>> = OnceLock::new();
    INSTANCE.get_or_init(create).as_ref().map_err(Clone::clone)
}

/// Held while modules are loaded and devices and contexts made.
pub(super) fn loading() -> MutexGuard<'static, ()> {
    static LOADING: Mutex<()> = Mutex::new(());
    LOADING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn create() -> Result<Instance, IreeError> {
    let allocator = sys::system_allocator();
    let vm = Handle::create(|out| {
        let capacity = sys::IREE_VM_TYPE_CAPACITY_DEFAULT as usize;
        // SAFETY: `out` is valid, and the allocator lives for ever.
        unsafe { sys::iree_vm_instance_create(capacity, allocator, out) }
    })?;
    // SAFETY: the instance is live and known to no other thread.
    check(unsafe { sys::iree_hal_module_register_all_types(vm.as_ptr()) })?;
    // SAFETY: has no preconditions.
    let options = unsafe { sys::iree_async_proactor_pool_options_default() };
    let proactors = Handle::create(|out| {
        // SAFETY: one node without an id list is the default node.
        unsafe { sys::iree_async_proactor_pool_create(1, ptr::null(), options, allocator, out) }
    })?;
    Ok(Instance { vm, proactors })
}
