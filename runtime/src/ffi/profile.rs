//! What IREE's devices tell of the time that their work takes.

use super::{
    device::Device,
    handle::Handle,
    place::Place,
    status::{self, Code, IreeError, check},
    sys::{self, ChunkMetadata, ProfileSinkVtable},
};
use std::{
    ffi::c_void,
    mem::{offset_of, size_of},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr, slice,
    sync::Arc,
};

/// What a device tells while it is profiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// A function of an executable, by the numbers that spans name it by.
    Function {
        executable: u64,
        ordinal: u32,
        name: String,
    },
    /// Something that the device did.
    Span(Span),
    /// So many spans were not kept.
    Lost(u64),
}

/// Something that a device did, in nanoseconds of the host's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) kind: SpanKind,
    pub(crate) executable: u64,
    pub(crate) ordinal: u32,
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// Into how many parts the work was split.
    pub(crate) tiles: u64,
    /// What all parts took together, on however many threads.
    pub(crate) tile_time: i64,
}

/// What a device did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpanKind {
    Dispatch,
    Copy,
    Fill,
    /// What has no time of its own worth telling, such as a barrier.
    Other,
}

/// Is given what a device tells. It is called from any thread.
pub(crate) type Receiver = dyn Fn(Record) + Send + Sync;

/// A device that tells what its work takes.
pub(crate) struct Profiling {
    place: Place,
    works_at_once: bool,
}

impl Profiling {
    /// Begins, on a device that has done nothing yet: workers of IREE 3.13 look for what they note behind all work there is
    /// while there is a profile, and only work that was begun since has that.
    pub(crate) fn begin(device: &Device, receiver: Arc<Receiver>) -> Result<Self, IreeError> {
        let place = device.place().clone();
        let sink = Handle::from_owned(Sink::new(receiver).cast())
            .ok_or_else(|| IreeError::new(Code::Internal, "no sink"))?;
        let families = sys::iree_hal_device_profiling_data_family_bits_t_IREE_HAL_DEVICE_PROFILING_DATA_HOST_EXECUTION_EVENTS
            | sys::iree_hal_device_profiling_data_family_bits_t_IREE_HAL_DEVICE_PROFILING_DATA_EXECUTABLE_METADATA;
        let options = sys::iree_hal_device_profiling_options_t {
            data_families: families.into(),
            sink: sink.as_ptr(),
            ..Default::default()
        };
        place.bind();
        // SAFETY: the device is live and retains the sink.
        check(unsafe { sys::iree_hal_device_profiling_begin(place.device().as_ptr(), &options) })?;
        Ok(Self {
            place,
            works_at_once: device.works_at_once,
        })
    }

    /// Has the device tell what it did so far.
    pub(crate) fn flush(&self) -> Result<(), IreeError> {
        self.place.bind();
        let device = self.place.device().as_ptr();
        // SAFETY: the device is live and being profiled.
        check(unsafe { sys::iree_hal_device_profiling_flush(device) })
    }
}

impl Drop for Profiling {
    /// Ends it on a device without workers. One that has done its work may yet look at what the end frees, and nothing tells
    /// when it will not: there the memory stays as it is.
    fn drop(&mut self) {
        if !self.works_at_once {
            return;
        }
        self.place.bind();
        let device = self.place.device().as_ptr();
        // SAFETY: the device is live and being profiled, and the last session on it is gone.
        let status = unsafe { sys::iree_hal_device_profiling_end(device) };
        // Nobody is left to be told.
        let _ = check(status);
    }
}

/// A profile sink as IREE knows them: a counted resource with a table of functions.
#[repr(C)]
struct Sink {
    resource: sys::iree_hal_resource_t,
    receiver: Arc<Receiver>,
}

static VTABLE: ProfileSinkVtable = ProfileSinkVtable {
    destroy,
    begin_session,
    write,
    end_session,
};

impl Sink {
    /// A sink with one reference, which the caller owns.
    fn new(receiver: Arc<Receiver>) -> *mut Self {
        Box::into_raw(Box::new(Self {
            resource: sys::iree_hal_resource_t {
                ref_count: 1,
                vtable: (&raw const VTABLE).cast::<c_void>(),
            },
            receiver,
        }))
    }
}

unsafe extern "C" fn destroy(sink: *mut sys::iree_hal_profile_sink_t) {
    // SAFETY: made by `new`, and IREE destroys a resource once.
    drop(unsafe { Box::from_raw(sink.cast::<Sink>()) });
}

unsafe extern "C" fn begin_session(
    _sink: *mut sys::iree_hal_profile_sink_t,
    _metadata: *const ChunkMetadata,
) -> sys::iree_status_t {
    ptr::null_mut()
}

unsafe extern "C" fn end_session(
    _sink: *mut sys::iree_hal_profile_sink_t,
    _metadata: *const ChunkMetadata,
    _code: sys::iree_status_code_t,
) -> sys::iree_status_t {
    ptr::null_mut()
}

unsafe extern "C" fn write(
    sink: *mut sys::iree_hal_profile_sink_t,
    metadata: *const ChunkMetadata,
    count: usize,
    parts: *const sys::iree_const_byte_span_t,
) -> sys::iree_status_t {
    // SAFETY: made by `new`, and live during the call.
    let sink = unsafe { &*sink.cast::<Sink>() };
    // SAFETY: live during the call.
    let metadata = unsafe { &*metadata };
    // SAFETY: the producer keeps the text alive during the call.
    let kind = unsafe { sys::to_string(metadata.content_type) };
    let parts = match count {
        0 => &[],
        // SAFETY: as many parts, live during the call.
        _ => unsafe { slice::from_raw_parts(parts, count) },
    };
    let mut bytes = Vec::new();
    for part in parts.iter().filter(|part| part.data_length > 0) {
        // SAFETY: live during the call.
        bytes.extend_from_slice(unsafe { slice::from_raw_parts(part.data, part.data_length) });
    }
    // A panic may not cross into C.
    let read = || {
        read(&kind, &bytes, |record| (sink.receiver)(record));
        if metadata.dropped_record_count > 0 && kind.ends_with(SPANS) {
            (sink.receiver)(Record::Lost(metadata.dropped_record_count));
        }
    };
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(()) => ptr::null_mut(),
        Err(_) => status::from_error(&IreeError::new(Code::Internal, "the receiver panicked")),
    }
}

/// What the types of chunks end with that hold functions.
const FUNCTIONS: &str = ".executable-functions";

/// What those end with that hold spans.
const SPANS: &str = ".host-execution-events";

/// Reads the records of a chunk. Each begins with its length.
fn read(kind: &str, mut bytes: &[u8], mut receive: impl FnMut(Record)) {
    while let Some(length) = word(bytes, 0).map(|length| length as usize) {
        let Some(record) = bytes.get(..length).filter(|_| length > 0) else {
            return;
        };
        let read = match kind {
            kind if kind.ends_with(FUNCTIONS) => function(record),
            kind if kind.ends_with(SPANS) => span(record).map(Record::Span),
            _ => None,
        };
        read.into_iter().for_each(&mut receive);
        bytes = bytes.get(length..).unwrap_or_default();
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + size_of::<u32>())?;
    Some(u32::from_ne_bytes(bytes.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + size_of::<u64>())?;
    Some(u64::from_ne_bytes(bytes.try_into().ok()?))
}

/// A function, whose name follows what all functions have.
fn function(record: &[u8]) -> Option<Record> {
    use sys::iree_hal_profile_executable_function_record_t as Layout;

    let length = word(record, offset_of!(Layout, name_length))? as usize;
    let name = record.get(size_of::<Layout>()..)?.get(..length)?;
    Some(Record::Function {
        executable: long(record, offset_of!(Layout, executable_id))?,
        ordinal: word(record, offset_of!(Layout, function_ordinal))?,
        name: String::from_utf8_lossy(name).into_owned(),
    })
}

fn span(record: &[u8]) -> Option<Span> {
    use sys::iree_hal_profile_host_execution_event_t as Layout;

    let signed = |at| Some(long(record, at)?.cast_signed());
    Some(Span {
        kind: kind(word(record, offset_of!(Layout, type_))?),
        executable: long(record, offset_of!(Layout, executable_id))?,
        ordinal: word(record, offset_of!(Layout, function_ordinal))?,
        start: signed(offset_of!(Layout, start_host_time_ns))?,
        end: signed(offset_of!(Layout, end_host_time_ns))?,
        tiles: long(record, offset_of!(Layout, tile_count))?,
        tile_time: signed(offset_of!(Layout, tile_duration_sum_ns))?,
    })
}

const fn kind(code: u32) -> SpanKind {
    match code {
        sys::iree_hal_profile_queue_event_type_e_IREE_HAL_PROFILE_QUEUE_EVENT_TYPE_DISPATCH => {
            SpanKind::Dispatch
        }
        sys::iree_hal_profile_queue_event_type_e_IREE_HAL_PROFILE_QUEUE_EVENT_TYPE_COPY => {
            SpanKind::Copy
        }
        sys::iree_hal_profile_queue_event_type_e_IREE_HAL_PROFILE_QUEUE_EVENT_TYPE_FILL => {
            SpanKind::Fill
        }
        _ => SpanKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_that_are_cut_off_are_read_as_far_as_they_go() {
        let mut bytes = vec![0u8; size_of::<sys::iree_hal_profile_host_execution_event_t>()];
        let length = bytes.len() as u32;
        bytes[..4].copy_from_slice(&length.to_ne_bytes());
        let whole = [&bytes[..], &bytes[..]].concat();
        for end in 0..=whole.len() {
            let mut count = 0;
            read(SPANS, &whole[..end], |_| count += 1);
            assert_eq!(count, end / bytes.len());
        }
        for end in 0..whole.len() {
            read(FUNCTIONS, &whole[..end], |_| {});
        }
        read(SPANS, &[0; 64], |_| {
            unreachable!("a record without a length")
        });
    }
}
