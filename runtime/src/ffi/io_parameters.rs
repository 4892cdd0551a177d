//! `io_parameters`, the module that programs ask for tensors in archives.

use super::{
    Device, Fence,
    handle::Handle,
    lent::Lent,
    native::{NativeFunction, NativeModule, Values},
    resident::Residents,
    status::{Code, IreeError, check},
    sys,
};
use crate::parameters::Contents;
use std::{mem::MaybeUninit, ops::Range, slice, sync::Arc};

/// A tensor of an archive.
pub(crate) struct Supply {
    pub(crate) contents: Contents,
    /// The copies of it that programs share.
    pub(crate) residents: Residents,
}

/// Finds a tensor by scope and key, or says why there is none.
pub(crate) type Find = dyn Fn(&str, &str) -> Result<Supply, String> + Send + Sync;

/// A module that supplies the tensors that are found. Copies that programs share are in the memory of this device, if that
/// is the host's.
pub(crate) fn io_parameters(find: Arc<Find>, device: &Device) -> Result<NativeModule, IreeError> {
    let shared = device.is_host.then(|| device.allocator().clone());
    let for_load = find.clone();
    let functions = vec![
        NativeFunction::new("load", "0rIrrrIiirrr_r", move |arguments, results| {
            load(&*for_load, shared.as_ref(), arguments, results)
        }),
        NativeFunction::new("gather", "0rIrrrrrrr_v", move |arguments, _| {
            gather(&*find, arguments)
        }),
        NativeFunction::new("scatter", "0rIrrrrrrr_v", |_, _| {
            let reason = "programs cannot write to archives";
            Err(IreeError::new(Code::Unimplemented, reason))
        }),
    ];
    NativeModule::new("io_parameters", functions)
}

/// Makes a buffer for each tensor. What the program only reads is the archive's own memory where that is aligned, or a
/// copy that all programs share; what it changes is a copy of its own.
fn load(
    find: &Find,
    shared: Option<&Handle<sys::iree_hal_allocator_t>>,
    arguments: &mut Values<'_>,
    results: &mut Values<'_>,
) -> Result<(), IreeError> {
    let call = Call::read(arguments)?;
    let scope = arguments.bytes()?;
    let params = sys::iree_hal_buffer_params_t {
        queue_affinity: arguments.i64()?.cast_unsigned(),
        type_: arguments.i32()?.cast_unsigned(),
        usage: arguments.i32()?.cast_unsigned(),
        ..Default::default()
    };
    let spans = spans(find, scope, arguments)?;
    call.wait()?;
    let list = Handle::create(|out| {
        let (anything, host) = (sys::iree_vm_type_def_t::default(), sys::system_allocator());
        // SAFETY: the out pointer is valid.
        unsafe { sys::iree_vm_list_create(anything, spans.len(), host, out) }
    })?;
    for span in &spans {
        let buffer = span.load(&call.device, shared, params)?;
        // SAFETY: the buffer is live; the reference owns a count of it.
        let mut reference = unsafe { sys::iree_hal_buffer_retain_ref(buffer.as_ptr()) };
        // SAFETY: list and reference are live, and the list takes the reference over.
        check(unsafe { sys::iree_vm_list_push_ref_move(list.as_ptr(), &mut reference) })?;
    }
    call.signal()?;
    // SAFETY: the list is live; the reference owns a count of it.
    results.give(unsafe { sys::iree_vm_list_retain_ref(list.as_ptr()) })
}

/// Copies tensors to their places in one buffer.
fn gather(find: &Find, arguments: &mut Values<'_>) -> Result<(), IreeError> {
    let call = Call::read(arguments)?;
    let scope = arguments.bytes()?;
    let target = arguments.object(sys::iree_hal_buffer_check_deref)?;
    let target = target.ok_or_else(|| invalid("there is no buffer to copy to"))?;
    let spans = spans(find, scope, arguments)?;
    call.wait()?;
    for span in &spans {
        span.copy(&call.device, &target, span.target)?;
    }
    call.signal()
}

/// What every function is given first.
struct Call {
    device: Handle<sys::iree_hal_device_t>,
    wait: Option<Fence>,
    signal: Option<Handle<sys::iree_hal_fence_t>>,
}

impl Call {
    fn read(arguments: &mut Values<'_>) -> Result<Self, IreeError> {
        let device = arguments.object(sys::iree_hal_device_check_deref)?;
        let device = device.ok_or_else(|| invalid("there is no device"))?;
        let _queues = arguments.i64()?;
        let wait = arguments.object(sys::iree_hal_fence_check_deref)?;
        Ok(Self {
            device,
            wait: wait.map(Fence::from_handle),
            signal: arguments.object(sys::iree_hal_fence_check_deref)?,
        })
    }

    /// Waits for what the program does before.
    fn wait(&self) -> Result<(), IreeError> {
        match &self.wait {
            Some(fence) => fence.wait(None).map(drop),
            None => Ok(()),
        }
    }

    /// Lets the program go on.
    fn signal(&self) -> Result<(), IreeError> {
        match &self.signal {
            // SAFETY: the fence is live.
            Some(fence) => check(unsafe { sys::iree_hal_fence_signal(fence.as_ptr()) }),
            None => Ok(()),
        }
    }
}

/// A part of a tensor, and where in a buffer it goes.
struct Span {
    contents: Contents,
    residents: Residents,
    source: Range<usize>,
    target: usize,
}

/// Reads which parts of which tensors the program asks for.
fn spans(find: &Find, scope: &[u8], arguments: &mut Values<'_>) -> Result<Vec<Span>, IreeError> {
    let (places, text, numbers) = (arguments.bytes()?, arguments.bytes()?, arguments.bytes()?);
    let scope = String::from_utf8_lossy(scope);
    let places = places.as_chunks::<8>().0.iter();
    let numbers = numbers.as_chunks::<24>().0.iter();
    let spans = places.zip(numbers).map(|(place, numbers)| {
        let [offset, length] = [0, 4].map(|at| number::<4>(place, at));
        let [source, target, size] = [0, 8, 16].map(|at| number::<8>(numbers, at));
        let key = range(offset, length).and_then(|range| text.get(range));
        let key = String::from_utf8_lossy(key.ok_or_else(|| invalid("a key is not there"))?);
        let supply = find(&scope, &key);
        let supply = supply.map_err(|reason| IreeError::new(Code::NotFound, reason))?;
        let contents = supply.contents;
        let source = range(source, size).filter(|range| range.end <= contents.len());
        let source = source.ok_or_else(|| {
            let found = contents.len();
            invalid(&format!("`{scope}::{key}` has {found} bytes, not {size}"))
        })?;
        Ok(Span {
            contents,
            residents: supply.residents,
            source,
            target: usize::try_from(target).map_err(|_| invalid("a buffer is too large"))?,
        })
    });
    spans.collect()
}

/// A number in little-endian order.
fn number<const N: usize>(bytes: &[u8], start: usize) -> u64 {
    let bytes = bytes.iter().skip(start).take(N).rev();
    bytes.fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

fn range(start: u64, length: u64) -> Option<Range<usize>> {
    let start = usize::try_from(start).ok()?;
    Some(start..start.checked_add(usize::try_from(length).ok()?)?)
}

fn invalid(reason: &str) -> IreeError {
    IreeError::new(Code::InvalidArgument, reason)
}

impl Span {
    fn load(
        &self,
        device: &Handle<sys::iree_hal_device_t>,
        shared: Option<&Handle<sys::iree_hal_allocator_t>>,
        params: sys::iree_hal_buffer_params_t,
    ) -> Result<Handle<sys::iree_hal_buffer_t>, IreeError> {
        // SAFETY: the device is live, and its allocator with it.
        let allocator = unsafe { sys::iree_hal_device_allocator(device.as_ptr()) };
        let immutable = sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_SHARING_IMMUTABLE;
        if params.usage & immutable != 0
            && let Some(memory) = self.lent(shared, params)?
            && let Some(buffer) = memory.import(allocator, params)
        {
            return Ok(buffer);
        }
        let buffer = allocate(allocator, params, self.source.len())?;
        self.copy(device, &buffer, 0)?;
        Ok(buffer)
    }

    /// Memory with the bytes that programs share; `None` if the device's is another than the host's.
    fn lent(
        &self,
        shared: Option<&Handle<sys::iree_hal_allocator_t>>,
        params: sys::iree_hal_buffer_params_t,
    ) -> Result<Option<Lent>, IreeError> {
        if self.source.is_empty() {
            return Ok(None);
        }
        if let Contents::Stored(storage, whole) = &self.contents {
            let place = whole.start + self.source.start..whole.start + self.source.end;
            if storage.in_place(place.clone()).is_some() {
                return Ok(Some(Lent::Archive(storage.clone(), place)));
            }
        }
        let Some(shared) = shared else {
            return Ok(None);
        };
        let kind = (self.contents.conversion(), self.source.clone());
        let resident = self.residents.get(shared, kind, || {
            let buffer = allocate(shared.as_ptr(), params, self.source.len())?;
            Ok(self.copy_mapped(&buffer, 0)?.then_some(buffer))
        });
        Ok(resident?.map(Lent::Resident))
    }

    /// Copies the bytes to a place in a buffer.
    fn copy(
        &self,
        device: &Handle<sys::iree_hal_device_t>,
        buffer: &Handle<sys::iree_hal_buffer_t>,
        target: usize,
    ) -> Result<(), IreeError> {
        match self.copy_mapped(buffer, target)? {
            true => Ok(()),
            false => self.copy_staged(device, buffer, target),
        }
    }

    /// Reads into the buffer's memory, if that can be mapped.
    fn copy_mapped(
        &self,
        buffer: &Handle<sys::iree_hal_buffer_t>,
        target: usize,
    ) -> Result<bool, IreeError> {
        let mode = sys::iree_hal_mapping_mode_bits_t_IREE_HAL_MAPPING_MODE_SCOPED;
        let access = sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE as u16;
        let length = self.source.len();
        if length == 0 {
            return Ok(true);
        }
        let (buffer, mut mapping) = (buffer.as_ptr(), MaybeUninit::uninit());
        // SAFETY: the buffer is live; the mapping is written on success.
        let mapped = check(unsafe {
            let out = mapping.as_mut_ptr();
            sys::iree_hal_buffer_map_range(buffer, mode, access, target, length, out)
        });
        if mapped.is_err() {
            return Ok(false);
        }
        // SAFETY: the call above succeeded.
        let mut mapping = unsafe { mapping.assume_init() };
        let data = mapping.contents.data;
        // SAFETY: mapped until it is unmapped below; the program hands the buffer out only after it was
        // filled, so nobody else uses it.
        let bytes = unsafe { slice::from_raw_parts_mut(data, mapping.contents.data_length) };
        let read = self.read(bytes);
        // SAFETY: mapped above and not used again.
        check(unsafe { sys::iree_hal_buffer_unmap_range(&mut mapping) })?;
        read.map(|()| true)
    }

    /// Copies to memory that only the device reaches.
    fn copy_staged(
        &self,
        device: &Handle<sys::iree_hal_device_t>,
        buffer: &Handle<sys::iree_hal_buffer_t>,
        target: usize,
    ) -> Result<(), IreeError> {
        let mut bytes = vec![0; self.source.len()];
        self.read(&mut bytes)?;
        let (device, buffer) = (device.as_ptr(), buffer.as_ptr());
        let (data, length) = (bytes.as_ptr().cast(), bytes.len());
        // SAFETY: device and buffer are live, and the call waits until the bytes are copied.
        check(unsafe {
            sys::iree_hal_device_transfer_h2d(
                device,
                data,
                buffer,
                target,
                length,
                0,
                sys::INFINITE_TIMEOUT,
            )
        })
    }

    fn read(&self, target: &mut [u8]) -> Result<(), IreeError> {
        let read = self.contents.read(self.source.start, target);
        read.map_err(|error| IreeError::new(Code::DataLoss, format!("cannot read: {error}")))
    }
}

fn allocate(
    allocator: *mut sys::iree_hal_allocator_t,
    params: sys::iree_hal_buffer_params_t,
    length: usize,
) -> Result<Handle<sys::iree_hal_buffer_t>, IreeError> {
    Handle::create(|out| {
        // SAFETY: the allocator is live and serves any thread.
        unsafe { sys::iree_hal_allocator_allocate_buffer(allocator, params, length, out) }
    })
}
