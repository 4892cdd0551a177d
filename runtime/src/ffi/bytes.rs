use super::sys;
use std::{ffi::c_void, ops::Range, ptr};

/// The alignment at which IREE uses constants in place.
pub(crate) const ALIGNMENT: usize = 64;

/// Bytes in memory that starts at a multiple of 64.
///
/// They are a part of a larger allocation, because some allocators do not use memory again that they aligned
/// themselves.
pub(crate) struct AlignedBytes {
    memory: Box<[u8]>,
    range: Range<usize>,
}

impl AlignedBytes {
    /// Zeros, to be filled.
    pub(crate) fn zeroed(length: usize) -> Self {
        let memory = vec![0; length + ALIGNMENT].into_boxed_slice();
        let start = memory.as_ptr().addr().wrapping_neg() % ALIGNMENT;
        Self {
            memory,
            range: start..start + length,
        }
    }

    pub(crate) fn copy_of(bytes: &[u8]) -> Self {
        let mut aligned = Self::zeroed(bytes.len());
        aligned.as_mut_slice().copy_from_slice(bytes);
        aligned
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.memory[self.range.clone()]
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.memory[self.range.clone()]
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

#[cfg(test)]
mod tests {
    use super::{ALIGNMENT, AlignedBytes};

    #[test]
    fn bytes_are_aligned_whatever_their_number() {
        for length in [0, 1, 63, 64, 65, 1000] {
            let bytes: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
            let aligned = AlignedBytes::copy_of(&bytes);
            assert_eq!(aligned.as_slice(), bytes);
            assert!(aligned.as_slice().as_ptr().addr().is_multiple_of(ALIGNMENT));
        }
    }
}
