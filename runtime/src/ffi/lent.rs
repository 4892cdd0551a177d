//! Memory that several programs read, as a buffer of each.

use super::{Storage, handle::Handle, resident::Resident, sys};
use std::{ffi::c_void, ops::Range, sync::Arc};

/// Memory that starts at a multiple of [`ALIGNMENT`](super::ALIGNMENT) and stays as it is.
pub(super) enum Lent {
    /// A part of an archive.
    Archive(Arc<Storage>, Range<usize>),
    /// A copy in a device's memory.
    Resident(Arc<Resident>),
}

impl Lent {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Archive(storage, place) => storage.bytes().get(place.clone()).unwrap_or_default(),
            Self::Resident(resident) => resident.bytes(),
        }
    }

    /// The memory as a buffer that keeps it; `None` if the device cannot use it.
    pub(super) fn import(
        self,
        allocator: *mut sys::iree_hal_allocator_t,
        params: sys::iree_hal_buffer_params_t,
    ) -> Option<Handle<sys::iree_hal_buffer_t>> {
        let bytes = self.bytes();
        let mut external = sys::iree_hal_external_buffer_t {
            type_:
                sys::iree_hal_external_buffer_type_e_IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION,
            size: bytes.len(),
            ..Default::default()
        };
        external.handle.host_allocation.ptr = bytes.as_ptr().cast_mut().cast();
        let params = sys::iree_hal_buffer_params_t {
            access: sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_READ as _,
            ..params
        };
        let owner = Box::into_raw(Box::new(self));
        let release = sys::iree_hal_buffer_release_callback_t {
            fn_: Some(release),
            user_data: owner.cast(),
        };
        let buffer = Handle::create(|out| {
            // SAFETY: the memory lives until `release`, and a buffer of this usage is not written to.
            unsafe {
                sys::iree_hal_allocator_import_buffer(
                    allocator,
                    params,
                    &mut external,
                    release,
                    out,
                )
            }
        });
        if buffer.is_err() {
            // SAFETY: a buffer that could not be made does not release it.
            drop(unsafe { Box::from_raw(owner) });
        }
        buffer.ok()
    }
}

unsafe extern "C" fn release(owner: *mut c_void, _buffer: *mut sys::iree_hal_buffer_t) {
    // SAFETY: made by `import`, and a buffer releases its memory once.
    drop(unsafe { Box::from_raw(owner.cast::<Lent>()) });
}
