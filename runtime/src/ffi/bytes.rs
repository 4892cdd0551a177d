use super::sys;
use std::{ffi::c_void, ptr};

/// The alignment at which IREE uses constants in place.
pub(crate) const ALIGNMENT: usize = 64;

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; ALIGNMENT]);

/// Bytes in memory that starts at a multiple of 64.
pub(crate) struct AlignedBytes {
    lines: Box<[Line]>,
    length: usize,
}

impl AlignedBytes {
    /// Zeros, to be filled.
    pub(crate) fn zeroed(length: usize) -> Self {
        let lines = vec![Line([0; ALIGNMENT]); length.div_ceil(ALIGNMENT)];
        Self {
            lines: lines.into_boxed_slice(),
            length,
        }
    }

    pub(crate) fn copy_of(bytes: &[u8]) -> Self {
        let mut aligned = Self::zeroed(bytes.len());
        aligned.as_mut_slice().copy_from_slice(bytes);
        aligned
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: the lines are plain bytes without padding, at least `length` of them.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above, and borrowed for writing.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

/// The bytes of a module file.
pub(crate) enum Archive {
    /// Part of the program's binary, at a multiple of 64.
    Static(&'static [u8]),
    /// Read or copied.
    Owned(AlignedBytes),
}

impl Archive {
    /// Uses static bytes in place if their alignment allows it.
    pub(crate) fn from_static(bytes: &'static [u8]) -> Self {
        if bytes.as_ptr().addr().is_multiple_of(ALIGNMENT) {
            Self::Static(bytes)
        } else {
            Self::Owned(AlignedBytes::copy_of(bytes))
        }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Owned(bytes) => bytes.as_slice(),
        }
    }

    /// An allocator whose only use is to free this archive, once.
    pub(super) fn into_allocator(self) -> sys::iree_allocator_t {
        sys::iree_allocator_t {
            self_: Box::into_raw(Box::new(self)).cast(),
            ctl: Some(free_archive),
        }
    }
}

/// Frees the archive when IREE frees the module's memory, which may be long after the last handle on
/// our side is gone: buffers can refer to constants in the file.
unsafe extern "C" fn free_archive(
    archive: *mut c_void,
    command: sys::iree_allocator_command_t,
    _params: *const c_void,
    _pointer: *mut *mut c_void,
) -> sys::iree_status_t {
    if command == sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_FREE {
        // SAFETY: made by `into_allocator`, and IREE frees an archive once.
        drop(unsafe { Box::from_raw(archive.cast::<Archive>()) });
        ptr::null_mut()
    } else {
        let code = sys::iree_status_code_e_IREE_STATUS_UNIMPLEMENTED as usize;
        ptr::without_provenance_mut(code)
    }
}
