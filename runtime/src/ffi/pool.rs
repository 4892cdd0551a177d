//! Memory for the contents of arrays.
//!
//! The system takes large blocks back as soon as they are freed and hands others out page by page, each
//! cleared first, which takes longer than what many programs compute. So some of what is freed is kept for
//! arrays of about the same size.

use super::sys::{
    self, iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_CALLOC as CALLOC,
    iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_FREE as FREE,
    iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_MALLOC as MALLOC,
    iree_allocator_command_e_IREE_ALLOCATOR_COMMAND_REALLOC as REALLOC,
};
#[cfg(target_os = "linux")]
use memmap2::Advice;
use memmap2::MmapMut;
use std::{
    collections::{BTreeMap, VecDeque},
    ffi::c_void,
    ptr::{self, NonNull},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Arrays from this size on are in blocks. Smaller ones are the C library's, which keeps them too.
const LARGE: usize = 1 << 20;

/// How many bytes are kept at most.
const KEPT: usize = 512 << 20;

/// Where blocks begin. The C library's hardly ever do.
const PAGE: usize = 4096;

static POOL: Mutex<Pool> = Mutex::new(Pool::new());

/// The allocator, with the same blocks for all devices, since arrays may outlive theirs.
pub(super) const fn allocator() -> sys::iree_allocator_t {
    sys::iree_allocator_t {
        self_: ptr::null_mut(),
        ctl: Some(control),
    }
}

/// The memory of one array.
struct Block(MmapMut);

impl Block {
    /// New memory, which is zero; `None` if there is none.
    fn new(size: usize) -> Option<Self> {
        let memory = MmapMut::map_anon(size).ok()?;
        // Programs go through arrays from end to end, and take a good part of that time to find pages. A system
        // that has no larger ones refuses, and nothing is lost.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(Advice::HugePage);
        Some(Self(memory))
    }

    fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }

    fn size(&self) -> usize {
        self.0.len()
    }

    /// Whether an array of this size wastes at most a quarter of the block.
    fn fits(&self, size: usize) -> bool {
        let block = self.size();
        size <= block && block - size <= block / 4
    }
}

/// All large blocks.
struct Pool {
    /// Those that are in use, by their address.
    used: BTreeMap<usize, Block>,
    /// Those that are not, the oldest first.
    free: VecDeque<Block>,
    /// The bytes of those that are not.
    kept: usize,
}

impl Pool {
    const fn new() -> Self {
        Self {
            used: BTreeMap::new(),
            free: VecDeque::new(),
            kept: 0,
        }
    }

    /// A block of at least this size, with anything in it but for the first page, which is zero: there IREE
    /// puts what it knows of an array.
    fn allocate(&mut self, size: usize) -> Option<NonNull<u8>> {
        let fitting = self.free.iter().rposition(|block| block.fits(size));
        let mut block = match fitting.and_then(|place| self.free.remove(place)) {
            Some(mut block) => {
                self.kept -= block.size();
                block.0[..PAGE].fill(0);
                block
            }
            None => Block::new(size)?,
        };
        let start = NonNull::new(block.0.as_mut_ptr());
        self.used.insert(block.address(), block);
        start
    }

    /// The size of a block that is in use.
    fn size_of(&self, address: usize) -> Option<usize> {
        self.used.get(&address).map(|block| block.size())
    }

    /// Takes a block back. Returns those that are too many, to be dropped without the lock, or `None` if
    /// there is no such block.
    fn free(&mut self, address: usize) -> Option<Vec<Block>> {
        let block = self.used.remove(&address)?;
        self.kept += block.size();
        self.free.push_back(block);
        let mut dropped = Vec::new();
        while self.kept > KEPT {
            let Some(oldest) = self.free.pop_front() else {
                break;
            };
            self.kept -= oldest.size();
            dropped.push(oldest);
        }
        Some(dropped)
    }
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What IREE asks of an allocator. What is not large is left to the C library's.
///
/// Unlike what the command for cleared memory says, blocks that were in use before are not cleared beyond the
/// first page: programs write every element of their arrays, and so does what uploads arrays. What else devices
/// have is small.
///
/// # Safety
///
/// As IREE has it: the arguments are those of the command.
unsafe extern "C" fn control(
    this: *mut c_void,
    command: sys::iree_allocator_command_t,
    params: *const c_void,
    inout_ptr: *mut *mut c_void,
) -> sys::iree_status_t {
    let is_done = match command {
        CALLOC | MALLOC => {
            // SAFETY: these commands come with parameters.
            let size = unsafe { size_in(params) };
            let block = (size >= LARGE).then(|| pool().allocate(size)).flatten();
            if let Some(block) = block {
                // SAFETY: and with a place for the result.
                unsafe { *inout_ptr = block.as_ptr().cast() };
            }
            block.is_some()
        }
        REALLOC => {
            // SAFETY: this command comes with a pointer.
            let old = unsafe { *inout_ptr };
            // Not in the condition, which would hold the lock.
            let size = pool().size_of(old.addr());
            if let Some(size) = size {
                // SAFETY: this many bytes are there, and the arguments are those of the command.
                return unsafe { move_block((old, size), this, params, inout_ptr) };
            }
            false
        }
        // SAFETY: this command comes with a pointer.
        FREE => free(unsafe { *inout_ptr }),
        _ => false,
    };
    if is_done {
        return ptr::null_mut();
    }
    // SAFETY: the arguments are those of the command, and the library's allocator has no state.
    unsafe { sys::iree_allocator_libc_ctl(this, command, params, inout_ptr) }
}

/// The size in the parameters of a command.
///
/// # Safety
///
/// The parameters are those of a command that allocates.
unsafe fn size_in(params: *const c_void) -> usize {
    // SAFETY: as the caller promises.
    unsafe { *params.cast::<sys::iree_allocator_alloc_params_t>() }.byte_length
}

/// Copies what is in a block of some size to other memory, and takes the block back.
///
/// # Safety
///
/// The block is in use and of this size, the other arguments are those of the command that reallocates.
unsafe fn move_block(
    (old, old_size): (*mut c_void, usize),
    this: *mut c_void,
    params: *const c_void,
    inout_ptr: *mut *mut c_void,
) -> sys::iree_status_t {
    let mut new = ptr::null_mut();
    // SAFETY: both commands have the same parameters.
    let status = unsafe { control(this, MALLOC, params, &mut new) };
    if status.is_null() {
        // SAFETY: the parameters are those of a command that allocates.
        let size = unsafe { size_in(params) }.min(old_size);
        // SAFETY: both are at least this large, and the new one is nobody else's.
        unsafe { ptr::copy_nonoverlapping(old.cast::<u8>(), new.cast(), size) };
        // SAFETY: there is a place for the result.
        unsafe { *inout_ptr = new };
        free(old);
    }
    status
}

/// Takes a block back; false if it is none.
fn free(start: *mut c_void) -> bool {
    if !start.addr().is_multiple_of(PAGE) {
        return false;
    }
    let dropped = pool().free(start.addr());
    dropped.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: usize = 8 << 20;

    fn allocate(pool: &mut Pool, size: usize) -> usize {
        pool.allocate(size).unwrap().addr().get()
    }

    #[test]
    fn what_is_freed_is_used_for_arrays_of_about_its_size() {
        let mut pool = Pool::new();
        let first = allocate(&mut pool, MANY);
        pool.free(first).unwrap();
        assert_ne!(allocate(&mut pool, MANY / 2), first);
        assert_ne!(allocate(&mut pool, MANY + 1), first);
        assert_eq!(allocate(&mut pool, MANY - MANY / 8), first);
        assert_ne!(allocate(&mut pool, MANY), first);
        assert_eq!(pool.kept, 0);
    }

    #[test]
    fn new_memory_is_zero_and_begins_at_a_page() {
        let mut pool = Pool::new();
        let start = pool.allocate(MANY).unwrap();
        assert!(start.addr().get().is_multiple_of(PAGE));
        // SAFETY: the block is this large.
        let bytes = unsafe { std::slice::from_raw_parts(start.as_ptr(), MANY) };
        assert!(bytes.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn the_oldest_are_given_back_when_too_much_is_kept() {
        let mut pool = Pool::new();
        let blocks: Vec<_> = (0..=KEPT / MANY)
            .map(|_| allocate(&mut pool, MANY))
            .collect();
        let (last, others) = blocks.split_last().unwrap();
        for block in others {
            assert!(pool.free(*block).unwrap().is_empty());
        }
        let dropped = pool.free(*last).unwrap();
        assert_eq!(dropped.len(), 1);
        assert_eq!(dropped[0].address(), blocks[0]);
        assert_eq!((pool.kept, pool.used.len()), (KEPT, 0));
    }

    #[test]
    fn blocks_grow_and_shrink_with_what_is_in_them() {
        let run = |command, size: usize, place: &mut *mut c_void| {
            let params = sys::iree_allocator_alloc_params_t { byte_length: size };
            // SAFETY: the arguments are those of the command.
            let status =
                unsafe { control(ptr::null_mut(), command, (&raw const params).cast(), place) };
            assert!(status.is_null());
        };
        let mut place = ptr::null_mut();
        run(CALLOC, LARGE, &mut place);
        // SAFETY: there are that many bytes.
        unsafe { place.cast::<[u8; 100]>().write([7; 100]) };
        for size in [2 * LARGE, 100] {
            run(REALLOC, size, &mut place);
            // SAFETY: the least of the sizes is as much.
            assert_eq!(unsafe { place.cast::<[u8; 100]>().read() }, [7; 100]);
        }
        run(FREE, 0, &mut place);
    }

    #[test]
    fn what_is_no_block_is_not_taken() {
        assert!(Pool::new().free(PAGE).is_none());
        assert!(!free(ptr::without_provenance_mut(PAGE + 64)));
    }
}
