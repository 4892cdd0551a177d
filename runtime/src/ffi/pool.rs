//! Memory for the contents of arrays.
//!
//! The C library and the system take memory back as soon as it is freed and hand it out again page by page, each cleared
//! first, which takes longer than what many programs compute. So some of what is freed is kept for arrays of about the same
//! size.

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
    cmp::Reverse,
    collections::BTreeMap,
    env,
    ffi::c_void,
    ptr::{self, NonNull},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

/// Arrays from this size on are in blocks. Smaller ones are the C library's, which finds them as fast.
const LEAST: usize = PAGE;

/// Blocks from this size on are the system's own.
const LARGE: usize = 1 << 20;

/// How many bytes are kept at most.
const KEPT: usize = 512 << 20;

/// Where blocks begin, and of how many bytes they have some. What the C library returns hardly ever begins there.
const PAGE: usize = 4096;

/// What IREE knows of an array stands before its elements, and is less than this.
const HEADER: usize = 512;

static POOL: Mutex<Pool> = Mutex::new(Pool::new());

/// The allocator of arrays, with the same blocks for all devices, since arrays may outlive theirs.
pub(super) const fn arrays() -> sys::iree_allocator_t {
    allocator(Kind::Arrays)
}

/// The allocator of what devices have beside arrays. What is large may be what they keep arrays in.
pub(super) const fn devices() -> sys::iree_allocator_t {
    allocator(Kind::Devices)
}

/// Whose allocator it is, as its state.
#[derive(Clone, Copy)]
enum Kind {
    Devices = 0,
    Arrays = 1,
}

const fn allocator(kind: Kind) -> sys::iree_allocator_t {
    sys::iree_allocator_t {
        self_: ptr::without_provenance_mut(kind as usize),
        ctl: Some(control),
    }
}

/// From which size on memory is in blocks.
fn least(allocator: *mut c_void) -> usize {
    match allocator.addr() == Kind::Arrays as usize {
        true if fill().is_some() => 0,
        true => LEAST,
        false => LARGE,
    }
}

/// Names a byte that arrays are filled with before anything is written to them, of any size: what is read of an array before
/// it is written differs with it.
const FILL: &str = "IREE_DSL_FILL_ARRAYS";

fn fill() -> Option<u8> {
    static BYTE: LazyLock<Option<u8>> = LazyLock::new(|| env::var(FILL).ok()?.parse().ok());
    *BYTE
}

#[derive(Clone, Copy)]
#[repr(align(4096))]
struct Page(#[expect(dead_code, reason = "its bytes are read and written by IREE")] [u8; PAGE]);

/// The memory of one array.
enum Block {
    /// Pages of the C library: as many as the vector has room for.
    Pages(Vec<Page>),
    Mapped(MmapMut),
}

impl Block {
    /// New memory for so many bytes, whole pages; `None` if there is none.
    fn new(size: usize) -> Option<Self> {
        if size < LARGE {
            let mut pages = Vec::new();
            pages.try_reserve_exact(size / PAGE).ok()?;
            return Some(Self::Pages(pages));
        }
        let memory = MmapMut::map_anon(size).ok()?;
        // Programs go through arrays from end to end, and take a good part of that time to find pages. A system
        // that has no larger ones refuses, and nothing is lost.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(Advice::HugePage);
        Some(Self::Mapped(memory))
    }

    fn start(&mut self) -> *mut u8 {
        match self {
            Self::Pages(pages) => pages.as_mut_ptr().cast(),
            Self::Mapped(memory) => memory.as_mut_ptr(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Pages(pages) => pages.capacity() * PAGE,
            Self::Mapped(memory) => memory.len(),
        }
    }
}

/// All blocks.
struct Pool {
    /// Those that are in use, by their address.
    used: BTreeMap<usize, Block>,
    /// Those that are not, by their size and when they were freed, the last first.
    free: BTreeMap<(usize, Reverse<u64>), Block>,
    /// The sizes of those that are not, by when they were freed.
    freed: BTreeMap<u64, usize>,
    /// How many have been freed.
    count: u64,
    /// The bytes of those that are not in use.
    kept: usize,
}

impl Pool {
    const fn new() -> Self {
        Self {
            used: BTreeMap::new(),
            free: BTreeMap::new(),
            freed: BTreeMap::new(),
            count: 0,
            kept: 0,
        }
    }

    /// A block of at least this size, with anything in it but for what IREE puts before the elements, which is zero.
    fn allocate(&mut self, size: usize) -> Option<NonNull<u8>> {
        let size = size.checked_next_multiple_of(PAGE)?;
        let mut block = match self.take(size) {
            Some(block) => block,
            None => Block::new(size)?,
        };
        let (start, size) = (NonNull::new(block.start())?, block.size());
        if let Some(byte) = fill() {
            // SAFETY: the block is that large, and nobody else's.
            unsafe { start.write_bytes(byte, size) };
        }
        // SAFETY: a block is a page at least.
        unsafe { start.write_bytes(0, HEADER) };
        self.used.insert(start.addr().get(), block);
        Some(start)
    }

    /// The least block that an array of this size wastes no more than a quarter of.
    fn take(&mut self, size: usize) -> Option<Block> {
        let most = size + size / 3;
        let mut fitting = self
            .free
            .range((size, Reverse(u64::MAX))..=(most, Reverse(0)));
        let (&(size, Reverse(count)), _) = fitting.next()?;
        self.remove(size, count)
    }

    fn remove(&mut self, size: usize, count: u64) -> Option<Block> {
        self.freed.remove(&count);
        self.kept -= size;
        self.free.remove(&(size, Reverse(count)))
    }

    /// The size of a block that is in use.
    fn size_of(&self, address: usize) -> Option<usize> {
        self.used.get(&address).map(Block::size)
    }

    /// Takes a block back. Returns those that are too many, to be dropped without the lock, or `None` if
    /// there is no such block.
    fn free(&mut self, address: usize) -> Option<Vec<Block>> {
        let block = self.used.remove(&address)?;
        let size = block.size();
        self.count += 1;
        self.kept += size;
        self.free.insert((size, Reverse(self.count)), block);
        self.freed.insert(self.count, size);
        let mut dropped = Vec::new();
        while self.kept > KEPT
            && let Some((count, size)) = self.freed.first_key_value()
        {
            dropped.extend(self.remove(*size, *count));
        }
        Some(dropped)
    }
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What IREE asks of an allocator. What is small is left to the C library's.
///
/// Unlike what the command for cleared memory says, blocks are cleared only where IREE puts what it knows of an array: programs
/// write every element of their arrays, and so does what uploads arrays. What else devices have is small.
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
            let is_kept = size >= least(this);
            let block = is_kept.then(|| pool().allocate(size)).flatten();
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
        for size in [MANY, LARGE / 2, 8 * PAGE] {
            let mut pool = Pool::new();
            let first = allocate(&mut pool, size);
            pool.free(first).unwrap();
            assert_ne!(allocate(&mut pool, size / 2), first);
            assert_ne!(allocate(&mut pool, size + 1), first);
            assert_eq!(allocate(&mut pool, size - size / 8), first);
            assert_ne!(allocate(&mut pool, size), first);
            assert_eq!(pool.kept, 0);
        }
    }

    #[test]
    fn of_those_that_fit_the_least_is_used_and_of_these_the_last() {
        let mut pool = Pool::new();
        let sizes = [12, 10, 11, 10, 13].map(|pages| allocate(&mut pool, pages * PAGE));
        for block in sizes {
            pool.free(block).unwrap();
        }
        let taken = [10, 10, 10, 10, 10].map(|pages| allocate(&mut pool, pages * PAGE));
        let [twelve, first, eleven, last, thirteen] = sizes;
        assert_eq!(taken, [last, first, eleven, twelve, thirteen]);
    }

    #[test]
    fn blocks_begin_at_a_page_and_with_zeros() {
        let mut pool = Pool::new();
        for size in [1, LEAST, LARGE - 1, MANY] {
            let start = pool.allocate(size).unwrap();
            assert!(start.addr().get().is_multiple_of(PAGE));
            // SAFETY: the block is a page at least.
            unsafe { start.write_bytes(7, PAGE) };
            pool.free(start.addr().get()).unwrap();
            assert_eq!(pool.allocate(size).unwrap(), start);
            // SAFETY: the header was just written.
            let bytes = unsafe { std::slice::from_raw_parts(start.as_ptr(), HEADER) };
            assert!(bytes.iter().all(|byte| *byte == 0));
        }
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
        let mut dropped = pool.free(*last).unwrap();
        assert_eq!(dropped.len(), 1);
        assert_eq!(dropped[0].start().addr(), blocks[0]);
        assert_eq!((pool.kept, pool.used.len()), (KEPT, 0));
        assert_eq!(pool.free.len(), pool.freed.len());
    }

    #[test]
    fn blocks_grow_and_shrink_with_what_is_in_them() {
        let run = |command, size: usize, place: &mut *mut c_void| {
            let params = sys::iree_allocator_alloc_params_t { byte_length: size };
            // SAFETY: the arguments are those of the command.
            let status =
                unsafe { control(arrays().self_, command, (&raw const params).cast(), place) };
            assert!(status.is_null());
        };
        let mut place = ptr::null_mut();
        run(CALLOC, LARGE, &mut place);
        // SAFETY: there are that many bytes.
        unsafe { place.cast::<[u8; 100]>().write([7; 100]) };
        for size in [2 * LARGE, LARGE / 2, 100, LARGE] {
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
