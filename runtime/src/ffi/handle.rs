use super::{
    status::{Code, IreeError, check},
    sys,
};
use std::ptr::{self, NonNull};

/// A C type with an atomic reference count.
///
/// # Safety
///
/// `retain` and `release` may be called from any thread, and an object lives while its count is
/// above zero.
pub(super) unsafe trait Object {
    /// Adds a reference.
    ///
    /// # Safety
    ///
    /// `object` is live.
    unsafe fn retain(object: *mut Self);

    /// Takes a reference away.
    ///
    /// # Safety
    ///
    /// `object` is live, and the caller owns a reference.
    unsafe fn release(object: *mut Self);
}

macro_rules! objects {
    ($($name:ident: $retain:ident, $release:ident;)*) => {$(
        // SAFETY: the header of this type documents an atomic reference count.
        unsafe impl Object for sys::$name {
            unsafe fn retain(object: *mut Self) {
                // SAFETY: as the caller promises.
                unsafe { sys::$retain(object) }
            }

            unsafe fn release(object: *mut Self) {
                // SAFETY: as the caller promises.
                unsafe { sys::$release(object) }
            }
        }
    )*};
}

objects! {
    Executor: iree_task_executor_retain, iree_task_executor_release;
    iree_async_frontier_tracker_t: iree_async_frontier_tracker_retain, iree_async_frontier_tracker_release;
    iree_async_proactor_pool_t: iree_async_proactor_pool_retain, iree_async_proactor_pool_release;
    iree_hal_allocator_t: iree_hal_allocator_retain, iree_hal_allocator_release;
    iree_hal_buffer_t: iree_hal_buffer_retain, iree_hal_buffer_release;
    iree_hal_buffer_view_t: iree_hal_buffer_view_retain, iree_hal_buffer_view_release;
    iree_hal_command_buffer_t: iree_hal_command_buffer_retain, iree_hal_command_buffer_release;
    iree_hal_device_t: iree_hal_device_retain, iree_hal_device_release;
    iree_hal_semaphore_t: iree_hal_semaphore_retain, iree_hal_semaphore_release;
    iree_hal_driver_t: iree_hal_driver_retain, iree_hal_driver_release;
    iree_hal_fence_t: iree_hal_fence_retain, iree_hal_fence_release;
    iree_hal_profile_sink_t: iree_hal_profile_sink_retain, iree_hal_profile_sink_release;
    iree_hal_device_group_t: iree_hal_device_group_retain, iree_hal_device_group_release;
    iree_hal_executable_loader_t: iree_hal_executable_loader_retain, iree_hal_executable_loader_release;
    iree_hal_executable_plugin_manager_t: iree_hal_executable_plugin_manager_retain, iree_hal_executable_plugin_manager_release;
    iree_vm_context_t: iree_vm_context_retain, iree_vm_context_release;
    iree_vm_instance_t: iree_vm_instance_retain, iree_vm_instance_release;
    iree_vm_list_t: iree_vm_list_retain, iree_vm_list_release;
    iree_vm_module_t: iree_vm_module_retain, iree_vm_module_release;
}

/// One reference of a C object.
pub(super) struct Handle<T: Object>(NonNull<T>);

// SAFETY: counts are atomic, and a handle offers nothing else; what a type does across threads is
// decided where its pointer is used.
unsafe impl<T: Object> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T: Object> Sync for Handle<T> {}

impl<T: Object> Handle<T> {
    /// Calls a constructor of the C library.
    ///
    /// `construct` must store an owned object through its argument whenever it returns no error.
    pub(super) fn create(
        construct: impl FnOnce(*mut *mut T) -> sys::iree_status_t,
    ) -> Result<Self, IreeError> {
        let mut object = ptr::null_mut();
        check(construct(&mut object))?;
        Self::from_owned(object).ok_or_else(|| IreeError::new(Code::Internal, "no object created"))
    }

    /// Takes over a reference that the caller owns; `None` for a null pointer.
    pub(super) fn from_owned(object: *mut T) -> Option<Self> {
        NonNull::new(object).map(Self)
    }

    /// The reference, which the caller owns from now on.
    pub(super) fn into_raw(self) -> *mut T {
        let object = self.as_ptr();
        std::mem::forget(self);
        object
    }

    /// The object, live as long as this handle is.
    pub(super) const fn as_ptr(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Object> Clone for Handle<T> {
    fn clone(&self) -> Self {
        // SAFETY: the handle keeps the object live.
        unsafe { T::retain(self.as_ptr()) };
        Self(self.0)
    }
}

impl<T: Object> Drop for Handle<T> {
    fn drop(&mut self) {
        // SAFETY: the handle owns a reference and gives it up here.
        unsafe { T::release(self.as_ptr()) };
    }
}
