//! Copies of tensors in a device's memory, one for all programs that only read them.

use super::{
    handle::Handle,
    status::{IreeError, check},
    sys,
};
use crate::convert::Conversion;
use std::{
    mem::MaybeUninit,
    ops::Range,
    ptr, slice,
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// The part of a tensor that a copy has, and what its numbers were converted to.
pub(super) type Kind = (Option<Conversion>, Range<usize>);

/// The copies of a tensor that there are, one for each device and kind. Each goes with the last program that uses it.
#[derive(Clone, Default)]
pub(crate) struct Residents(Arc<Mutex<Vec<Weak<Resident>>>>);

/// A copy of a tensor that is not written to any more.
pub(super) struct Resident {
    kind: Kind,
    mapping: sys::iree_hal_buffer_mapping_t,
    // Dropped in this order: a buffer counts its bytes with its allocator.
    _buffer: Handle<sys::iree_hal_buffer_t>,
    allocator: Handle<sys::iree_hal_allocator_t>,
}

// SAFETY: the memory is only read, and unmapping works from any thread.
unsafe impl Send for Resident {}
// SAFETY: as above.
unsafe impl Sync for Resident {}

impl Residents {
    /// The copy of this kind in the memory of an allocator, which is made if there is none; `None` if the host cannot
    /// reach that memory.
    pub(super) fn get(
        &self,
        allocator: &Handle<sys::iree_hal_allocator_t>,
        kind: Kind,
        make: impl FnOnce() -> Result<Option<Handle<sys::iree_hal_buffer_t>>, IreeError>,
    ) -> Result<Option<Arc<Resident>>, IreeError> {
        // Locked until it is there, so that two programs that are loaded at the same time do not make two.
        let mut residents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        residents.retain(|resident| resident.strong_count() > 0);
        let mut there = residents.iter().filter_map(Weak::upgrade);
        let is_it = |resident: &Arc<Resident>| {
            resident.kind == kind && ptr::eq(resident.allocator.as_ptr(), allocator.as_ptr())
        };
        if let Some(resident) = there.find(is_it) {
            return Ok(Some(resident));
        }
        let Some(buffer) = make()? else {
            return Ok(None);
        };
        let resident = Resident {
            kind,
            mapping: map(&buffer)?,
            _buffer: buffer,
            allocator: allocator.clone(),
        };
        let resident = Arc::new(resident);
        residents.push(Arc::downgrade(&resident));
        Ok(Some(resident))
    }
}

fn map(
    buffer: &Handle<sys::iree_hal_buffer_t>,
) -> Result<sys::iree_hal_buffer_mapping_t, IreeError> {
    let mode = sys::iree_hal_mapping_mode_bits_t_IREE_HAL_MAPPING_MODE_PERSISTENT;
    let access = sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_READ as u16;
    let (buffer, mut mapping) = (buffer.as_ptr(), MaybeUninit::uninit());
    // SAFETY: the buffer is live.
    let length = unsafe { sys::iree_hal_buffer_byte_length(buffer) };
    // SAFETY: as above; the mapping is written on success.
    check(unsafe {
        sys::iree_hal_buffer_map_range(buffer, mode, access, 0, length, mapping.as_mut_ptr())
    })?;
    // SAFETY: the call above succeeded.
    Ok(unsafe { mapping.assume_init() })
}

impl Resident {
    pub(super) fn bytes(&self) -> &[u8] {
        let contents = self.mapping.contents;
        // SAFETY: mapped until `self` is dropped, and not written to after it was made.
        unsafe { slice::from_raw_parts(contents.data, contents.data_length) }
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        // SAFETY: mapped by `map` and not used again. What was only read is not written back, so there is nothing to do
        // about a failure.
        let _ = check(unsafe { sys::iree_hal_buffer_unmap_range(&mut self.mapping) });
    }
}
