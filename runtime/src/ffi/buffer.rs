use super::{
    AlignedBytes, Device,
    handle::Handle,
    place::{Place, is_mappable},
    plain::{self, Plain},
    status::{Code, IreeError, check},
    sys,
};
use std::{
    marker::PhantomData,
    mem::MaybeUninit,
    sync::atomic::{AtomicI32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// An array in device memory: a buffer, its shape and its element type.
///
/// The contents are written once, before the first view of them exists.
#[derive(Clone)]
pub(crate) struct BufferView {
    handle: Handle<sys::iree_hal_buffer_view_t>,
    place: Place,
}

impl BufferView {
    pub(super) const fn new(handle: Handle<sys::iree_hal_buffer_view_t>, place: Place) -> Self {
        Self { handle, place }
    }

    pub(super) const fn as_ptr(&self) -> *mut sys::iree_hal_buffer_view_t {
        self.handle.as_ptr()
    }

    /// Copies bytes to the device.
    pub(crate) fn create(
        device: &Device,
        shape: &[usize],
        element_type: u32,
        bytes: &[u8],
    ) -> Result<Self, IreeError> {
        let buffer = device.allocate(bytes.len())?;
        device.place().write(&buffer, bytes)?;
        Self::over(&buffer, device.place(), shape, element_type)
    }

    /// A view of a whole buffer.
    fn over(
        buffer: &Handle<sys::iree_hal_buffer_t>,
        place: &Place,
        shape: &[usize],
        element_type: u32,
    ) -> Result<Self, IreeError> {
        let encoding = sys::iree_hal_encoding_types_t_IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR;
        let (rank, dims, host) = (shape.len(), shape.as_ptr(), sys::system_allocator());
        let view = Handle::create(|out| {
            // SAFETY: the shape is copied and the buffer retained.
            unsafe {
                sys::iree_hal_buffer_view_create(
                    buffer.as_ptr(),
                    rank,
                    dims,
                    element_type,
                    encoding,
                    host,
                    out,
                )
            }
        })?;
        Ok(Self::new(view, place.clone()))
    }

    /// The same memory with another element type of the same width.
    pub(crate) fn with_element_type(&self, element_type: u32) -> Result<Self, IreeError> {
        Self::over(&self.buffer()?, &self.place, self.shape(), element_type)
    }

    /// The same contents in memory of their own.
    pub(crate) fn copy(&self, device: &Device) -> Result<Self, IreeError> {
        let copy = device.copy(&self.buffer()?, self.byte_length())?;
        Self::over(&copy, &self.place, self.shape(), self.element_type())
    }

    /// The same contents in memory that nobody else has and that may be written to: this memory if that is
    /// so, else a copy.
    pub(crate) fn into_exclusive(self, device: &Device) -> Result<Self, IreeError> {
        let (shape, element_type) = (self.shape().to_vec(), self.element_type());
        let (buffer, length) = (self.buffer()?, self.byte_length());
        // If this was the only one of the view, its reference of the buffer is gone with it.
        drop(self);
        let becomes = || !device.works_at_once && becomes_exclusive(&buffer, length);
        let buffer = match is_exclusive(&buffer) || becomes() {
            true => buffer,
            false => device.copy(&buffer, length)?,
        };
        Self::over(&buffer, device.place(), &shape, element_type)
    }

    fn buffer(&self) -> Result<Handle<sys::iree_hal_buffer_t>, IreeError> {
        // SAFETY: the view is live, and with it its buffer.
        let buffer = unsafe { sys::iree_hal_buffer_view_buffer(self.as_ptr()) };
        // SAFETY: as above; the handle gets a reference of its own.
        unsafe { sys::iree_hal_buffer_retain(buffer) };
        Handle::from_owned(buffer)
            .ok_or_else(|| IreeError::new(Code::Internal, "an array without memory"))
    }

    /// The view, whose reference the caller owns from now on.
    pub(super) fn into_raw(self) -> *mut sys::iree_hal_buffer_view_t {
        self.handle.clone().into_raw()
    }

    /// Whether it is in memory with others. IREE 3.13 records commands with such a view only once the memory is there,
    /// which it is after what the array waits for.
    pub(crate) fn is_part(&self) -> bool {
        self.buffer()
            .is_ok_and(|buffer| allocated(&buffer) != buffer.as_ptr())
    }

    /// IREE's code of the element type.
    pub(crate) fn element_type(&self) -> u32 {
        // SAFETY: the view is live.
        unsafe { sys::iree_hal_buffer_view_element_type(self.as_ptr()) }
    }

    /// The sizes along the axes.
    pub(crate) fn shape(&self) -> &[usize] {
        // SAFETY: the view is live.
        let rank = unsafe { sys::iree_hal_buffer_view_shape_rank(self.as_ptr()) };
        if rank == 0 {
            return &[];
        }
        // SAFETY: the view is live.
        let dims = unsafe { sys::iree_hal_buffer_view_shape_dims(self.as_ptr()) };
        // SAFETY: the view holds `rank` sizes and does not change; it lives as long as `self`.
        unsafe { std::slice::from_raw_parts(dims, rank) }
    }

    /// The size of the contents in bytes.
    fn byte_length(&self) -> usize {
        // SAFETY: the view is live.
        unsafe { sys::iree_hal_buffer_view_byte_length(self.as_ptr()) }
    }

    /// The contents: in place where the host reaches the memory, or a copy.
    ///
    /// # Errors
    ///
    /// IREE's, if the memory cannot be read.
    pub(crate) fn map(&self) -> Result<Mapping<'_>, IreeError> {
        let length = self.byte_length();
        if length == 0 {
            return Ok(Mapping::of(Memory::Empty));
        }
        // SAFETY: the view is live, and with it its buffer.
        let buffer = unsafe { sys::iree_hal_buffer_view_buffer(self.as_ptr()) };
        // SAFETY: as above.
        if !unsafe { is_mappable(buffer) } {
            let mut copy = AlignedBytes::zeroed(length);
            // SAFETY: as above.
            unsafe { self.place.read(buffer, copy.as_mut_slice()) }?;
            return Ok(Mapping::of(Memory::Copied(copy)));
        }
        let mode = sys::iree_hal_mapping_mode_bits_t_IREE_HAL_MAPPING_MODE_SCOPED;
        let access = sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_READ as u16;
        let mut mapping = MaybeUninit::uninit();
        // SAFETY: the buffer is live; the mapping is written on success.
        check(unsafe {
            sys::iree_hal_buffer_map_range(buffer, mode, access, 0, length, mapping.as_mut_ptr())
        })?;
        // SAFETY: the call above succeeded.
        let mut mapping = unsafe { mapping.assume_init() };
        // SAFETY: mapped; what the host has in its caches of it is old, on devices where that happens.
        check(unsafe { sys::iree_hal_buffer_mapping_invalidate_range(&mut mapping, 0, length) })?;
        Ok(Mapping::of(Memory::Mapped(mapping)))
    }
}

impl Drop for BufferView {
    fn drop(&mut self) {
        // Arrays are dropped on any thread.
        self.place.bind();
    }
}

/// The buffer that was allocated, of which this one may be a part.
fn allocated(buffer: &Handle<sys::iree_hal_buffer_t>) -> *mut sys::iree_hal_buffer_t {
    // SAFETY: the buffer is live.
    unsafe { sys::iree_hal_buffer_allocated_buffer(buffer.as_ptr()) }
}

/// Whether the owner of this reference is the only one of the memory, and may write to it: not so constants
/// and archives, which are mapped read-only.
fn is_exclusive(buffer: &Handle<sys::iree_hal_buffer_t>) -> bool {
    let allocated = allocated(buffer);
    // What is a part of another buffer has one reference of that.
    is_only(buffer.as_ptr()) && (allocated == buffer.as_ptr() || is_only(allocated))
}

/// Whether a device lets go of the memory soon: worker threads say that work is done a little before they
/// forget what it used. Waiting takes about as long as a copy at most, as when it is somebody else's.
fn becomes_exclusive(buffer: &Handle<sys::iree_hal_buffer_t>, length: usize) -> bool {
    let start = Instant::now();
    let copying = Duration::from_nanos((length / BYTES_COPIED_IN_A_NANOSECOND) as u64);
    while is_writable(buffer.as_ptr()) && start.elapsed() < copying {
        thread::yield_now();
        if is_exclusive(buffer) {
            return true;
        }
    }
    false
}

/// About what a core copies, to memory that was used before.
const BYTES_COPIED_IN_A_NANOSECOND: usize = 8;

fn is_writable(buffer: *mut sys::iree_hal_buffer_t) -> bool {
    let write = sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_WRITE as u16;
    // SAFETY: live, as the caller has a reference of it or of a part of it.
    let access = unsafe { sys::iree_hal_buffer_allowed_access(buffer) };
    access & write != 0
}

/// Whether a buffer may be written to and has one reference. Only who has that can make more of them.
fn is_only(buffer: *mut sys::iree_hal_buffer_t) -> bool {
    // SAFETY: live, as the caller has a reference of it or of a part of it.
    let count = unsafe { &raw mut (*buffer).resource.ref_count };
    // SAFETY: as above; the count is only used as an atomic number.
    let count = unsafe { AtomicI32::from_ptr(count) };
    is_writable(buffer) && count.load(Ordering::Acquire) == 1
}

/// The contents of device memory.
pub(crate) struct Mapping<'a> {
    memory: Memory,
    view: PhantomData<&'a BufferView>,
}

enum Memory {
    Mapped(sys::iree_hal_buffer_mapping_t),
    Copied(AlignedBytes),
    Empty,
}

// SAFETY: the memory is only read, and unmapping works from any thread.
unsafe impl Send for Mapping<'_> {}
// SAFETY: as above.
unsafe impl Sync for Mapping<'_> {}

impl Mapping<'_> {
    const fn of(memory: Memory) -> Self {
        Self {
            memory,
            view: PhantomData,
        }
    }

    /// The contents.
    pub(crate) fn bytes(&self) -> &[u8] {
        let contents = match &self.memory {
            Memory::Empty => return &[],
            Memory::Copied(bytes) => return bytes.as_slice(),
            Memory::Mapped(mapping) => mapping.contents,
        };
        // SAFETY: mapped until `self` is dropped, written by the program that made the array, and
        // not written again.
        unsafe { std::slice::from_raw_parts(contents.data, contents.data_length) }
    }

    /// The contents as values; `None` if the memory does not hold such values.
    pub(crate) fn values<T: Plain>(&self) -> Option<&[T]> {
        match self.bytes() {
            [] => Some(&[]),
            bytes => plain::from_bytes(bytes),
        }
    }
}

impl Drop for Mapping<'_> {
    fn drop(&mut self) {
        if let Memory::Mapped(mapping) = &mut self.memory {
            // SAFETY: mapped by `map` and not used again. Unmapping what was only read writes
            // nothing back, so there is nothing to do about a failure.
            let _ = check(unsafe { sys::iree_hal_buffer_unmap_range(mapping) });
        }
    }
}
