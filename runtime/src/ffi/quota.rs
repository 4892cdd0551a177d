//! A bound on memory: that of a device, or that of a module that may lie about its sizes.

use super::{
    status::{self, Code, IreeError},
    sys,
};
use std::{
    alloc::{self, Layout},
    ffi::c_void,
    ptr::{self, NonNull},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Counts what is allocated with it, and refuses what would be more than the limit.
///
/// Every block holds a count of it, so that it lives as long as there is something to free.
pub(super) struct Quota {
    limit: usize,
    used: AtomicUsize,
}

/// What stands before the bytes of a block, and keeps their alignment.
#[repr(C, align(16))]
struct Header {
    quota: *const Quota,
    /// How many bytes follow.
    length: usize,
}

impl Quota {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            used: AtomicUsize::new(0),
        })
    }

    /// An allocator with this bound, for as long as the quota lives.
    pub(super) fn allocator(self: &Arc<Self>) -> sys::iree_allocator_t {
        sys::iree_allocator_t {
            self_: Arc::as_ptr(self).cast_mut().cast(),
            ctl: Some(control),
        }
    }

    fn take(&self, length: usize) -> Result<(), IreeError> {
        let more = |used: usize| used.checked_add(length).filter(|sum| *sum <= self.limit);
        let taken = (self.used).fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.map(drop).map_err(|used| {
            let limit = self.limit;
            let message =
                format!("{length} bytes are more than there is left: {used} of {limit} are in use");
            IreeError::new(Code::ResourceExhausted, message)
        })
    }

    fn give_back(&self, length: usize) {
        self.used.fetch_sub(length, Ordering::Relaxed);
    }
}

fn layout(length: usize) -> Result<Layout, IreeError> {
    let size = length.checked_add(size_of::<Header>());
    let layout = size.and_then(|size| Layout::from_size_align(size, align_of::<Header>()).ok());
    layout.ok_or_else(|| IreeError::new(Code::OutOfRange, "more bytes than memory can have"))
}

fn no_memory() -> IreeError {
    IreeError::new(Code::ResourceExhausted, "the system has no memory left")
}

/// What IREE asks of an allocator.
unsafe extern "C" fn control(
    quota: *mut c_void,
    command: sys::iree_allocator_command_t,
    params: *const c_void,
    block: *mut *mut c_void,
) -> sys::iree_status_t {
    let quota: *const Quota = quota.cast_const().cast();
    // SAFETY: the place of a block is valid.
    let old = NonNull::new(unsafe { *block });
    let outcome = match command {
        sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_FREE => {
            if let Some(old) = old {
                // SAFETY: a block of this allocator, which is not used again.
                unsafe { free(old) };
            }
            Ok(ptr::null_mut())
        }
        sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_MALLOC
        | sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_CALLOC
        | sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_REALLOC => {
            // SAFETY: these commands come with parameters of this type.
            let length =
                unsafe { (*params.cast::<sys::iree_allocator_alloc_params_t>()).byte_length };
            let is_zeroed = command == sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_CALLOC;
            match old
                .filter(|_| command == sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_REALLOC)
            {
                // SAFETY: a block of this allocator, which is not used again if this succeeds.
                Some(old) => unsafe { resize(old, length) },
                // SAFETY: whoever allocates keeps the quota.
                None => unsafe { allocate(quota, length, is_zeroed) },
            }
        }
        _ => Err(IreeError::new(
            Code::Unimplemented,
            "an allocator cannot do this",
        )),
    };
    match outcome {
        Ok(new) => {
            // SAFETY: the place of a block is valid.
            unsafe { *block = new };
            ptr::null_mut()
        }
        Err(error) => status::from_error(&error),
    }
}

/// # Safety
///
/// The quota is one of an `Arc` that lives.
unsafe fn allocate(
    quota: *const Quota,
    length: usize,
    is_zeroed: bool,
) -> Result<*mut c_void, IreeError> {
    let layout = layout(length)?;
    // SAFETY: it lives.
    unsafe { &*quota }.take(length)?;
    let start = match is_zeroed {
        // SAFETY: the layout is not empty.
        true => unsafe { alloc::alloc_zeroed(layout) },
        // SAFETY: as above.
        false => unsafe { alloc::alloc(layout) },
    };
    if start.is_null() {
        // SAFETY: it lives.
        unsafe { &*quota }.give_back(length);
        return Err(no_memory());
    }
    // SAFETY: it lives, and is released with the block.
    unsafe { Arc::increment_strong_count(quota) };
    // SAFETY: there is room, aligned, for a header before the bytes.
    unsafe { start.cast::<Header>().write(Header { quota, length }) };
    // SAFETY: within the allocation.
    Ok(unsafe { start.add(size_of::<Header>()) }.cast())
}

/// # Safety
///
/// The block is one of `allocate`.
unsafe fn header(block: NonNull<c_void>) -> *mut Header {
    // SAFETY: the header stands before the bytes.
    unsafe { block.as_ptr().cast::<u8>().sub(size_of::<Header>()) }.cast()
}

/// # Safety
///
/// The block is one of `allocate`, and not used again if this succeeds.
unsafe fn resize(block: NonNull<c_void>, length: usize) -> Result<*mut c_void, IreeError> {
    // SAFETY: as the caller promises.
    let header = unsafe { header(block) };
    // SAFETY: written when the block was made.
    let Header { quota, length: old } = unsafe { header.read() };
    let (before, after) = (layout(old)?, layout(length)?);
    // SAFETY: the block keeps it.
    let quota = unsafe { &*quota };
    quota.take(length)?;
    // SAFETY: allocated with this layout, and the new size fits one.
    let start = unsafe { alloc::realloc(header.cast(), before, after.size()) };
    if start.is_null() {
        quota.give_back(length);
        return Err(no_memory());
    }
    quota.give_back(old);
    // SAFETY: the header moved with the block.
    unsafe { (*start.cast::<Header>()).length = length };
    // SAFETY: within the allocation.
    Ok(unsafe { start.add(size_of::<Header>()) }.cast())
}

/// # Safety
///
/// The block is one of `allocate`, and not used again.
unsafe fn free(block: NonNull<c_void>) {
    // SAFETY: as the caller promises.
    let header = unsafe { header(block) };
    // SAFETY: written when the block was made.
    let Header { quota, length } = unsafe { header.read() };
    if let Ok(layout) = layout(length) {
        // SAFETY: allocated with this layout.
        unsafe { alloc::dealloc(header.cast(), layout) };
    }
    // SAFETY: the block has kept it.
    let quota = unsafe { Arc::from_raw(quota) };
    quota.give_back(length);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(
        allocator: &sys::iree_allocator_t,
        command: sys::iree_allocator_command_t,
        length: usize,
        block: &mut *mut c_void,
    ) -> Result<(), IreeError> {
        let params = sys::iree_allocator_alloc_params_t {
            byte_length: length,
        };
        let params: *const sys::iree_allocator_alloc_params_t = &params;
        let control = allocator.ctl.unwrap();
        // SAFETY: parameters and place are valid, and blocks are those of this allocator.
        status::check(unsafe { control(allocator.self_, command, params.cast(), block) })
    }

    const MALLOC: sys::iree_allocator_command_t =
        sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_MALLOC;
    const CALLOC: sys::iree_allocator_command_t =
        sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_CALLOC;
    const REALLOC: sys::iree_allocator_command_t =
        sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_REALLOC;
    const FREE: sys::iree_allocator_command_t =
        sys::iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_FREE;

    #[test]
    fn what_is_more_than_the_limit_is_refused_until_something_is_freed() {
        let quota = Quota::new(100);
        let allocator = quota.allocator();
        let (mut one, mut other) = (ptr::null_mut(), ptr::null_mut());
        ask(&allocator, MALLOC, 60, &mut one).unwrap();
        let error = ask(&allocator, CALLOC, 60, &mut other).unwrap_err();
        assert_eq!(error.code(), Code::ResourceExhausted);
        assert_eq!(
            error.message(),
            "60 bytes are more than there is left: 60 of 100 are in use"
        );
        assert!(other.is_null());
        ask(&allocator, FREE, 0, &mut one).unwrap();
        assert!(one.is_null());
        ask(&allocator, CALLOC, 60, &mut other).unwrap();
        // SAFETY: 60 bytes, which were set to zero.
        let bytes = unsafe { std::slice::from_raw_parts(other.cast::<u8>(), 60) };
        assert_eq!(bytes, [0; 60]);
        ask(&allocator, FREE, 0, &mut other).unwrap();
        assert_eq!(quota.used.load(Ordering::Relaxed), 0);
        assert_eq!(Arc::strong_count(&quota), 1);
    }

    #[test]
    fn a_block_that_grows_keeps_its_bytes_and_counts_once() {
        let quota = Quota::new(1000);
        let allocator = quota.allocator();
        let mut block = ptr::null_mut();
        ask(&allocator, REALLOC, 4, &mut block).unwrap();
        // SAFETY: 4 bytes.
        unsafe { block.cast::<[u8; 4]>().write([1, 2, 3, 4]) };
        ask(&allocator, REALLOC, 400, &mut block).unwrap();
        // SAFETY: 400 bytes, of which the first 4 were kept.
        assert_eq!(unsafe { block.cast::<[u8; 4]>().read() }, [1, 2, 3, 4]);
        assert_eq!(quota.used.load(Ordering::Relaxed), 400);
        assert!(ask(&allocator, REALLOC, 10_000, &mut block).is_err());
        ask(&allocator, FREE, 0, &mut block).unwrap();
        assert_eq!(quota.used.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        let quota = Quota::new(usize::MAX);
        let mut block = ptr::null_mut();
        assert!(ask(&quota.allocator(), MALLOC, usize::MAX - 8, &mut block).is_err());
        assert_eq!(quota.used.load(Ordering::Relaxed), 0);
    }
}
