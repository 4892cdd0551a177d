//! Where IREE sends what programs trace.

use super::{
    BufferView,
    handle::Handle,
    place::Place,
    status::{self, Code, IreeError},
    sys,
};
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr, slice,
    sync::Arc,
};

/// Is given the key of a trace and what is traced, which may change after it returned.
pub(crate) type Sink = dyn Fn(&str, &[BufferView]) -> Result<(), IreeError> + Send + Sync;

/// A sink, and where what it is given is.
struct Placed {
    sink: Arc<Sink>,
    place: Place,
}

/// The sink as IREE's HAL module takes it. It is released by that module, or with [`release_unused`].
pub(super) fn debug_sink(place: Place, sink: Arc<Sink>) -> sys::iree_hal_module_debug_sink_t {
    let user_data: *mut c_void = Box::into_raw(Box::new(Placed { sink, place })).cast();
    sys::iree_hal_module_debug_sink_t {
        release: sys::iree_hal_module_debug_sink_release_callback_t {
            fn_: Some(release),
            user_data,
        },
        buffer_view_trace: sys::iree_hal_module_buffer_view_trace_callback_t {
            fn_: Some(trace),
            user_data,
        },
    }
}

/// Releases a sink that no module took.
pub(super) fn release_unused(sink: &sys::iree_hal_module_debug_sink_t) {
    // SAFETY: made by `debug_sink`, and used by nobody else.
    unsafe { release(sink.release.user_data) };
}

unsafe extern "C" fn release(user_data: *mut c_void) {
    // SAFETY: made by `debug_sink`, and released once.
    drop(unsafe { Box::from_raw(user_data.cast::<Placed>()) });
}

unsafe extern "C" fn trace(
    user_data: *mut c_void,
    key: sys::iree_string_view_t,
    count: usize,
    views: *mut *mut sys::iree_hal_buffer_view_t,
    _allocator: sys::iree_allocator_t,
) -> sys::iree_status_t {
    // SAFETY: made by `debug_sink`, and released only after the last call.
    let Placed { sink, place } = unsafe { &*user_data.cast::<Placed>() };
    // SAFETY: the program keeps the key alive during the call.
    let key = unsafe { sys::to_string(key) };
    let views = match count {
        0 => &[],
        // SAFETY: as many pointers to live views.
        _ => unsafe { slice::from_raw_parts(views, count) },
    };
    let views = views.iter().filter_map(|view| retained(*view, place));
    let views: Vec<_> = views.collect();
    // A panic may not cross into C.
    match catch_unwind(AssertUnwindSafe(|| sink(&key, &views))) {
        Ok(Ok(())) => ptr::null_mut(),
        Ok(Err(error)) => status::from_error(&error),
        Err(_) => status::from_error(&IreeError::new(Code::Internal, "the sink panicked")),
    }
}

fn retained(view: *mut sys::iree_hal_buffer_view_t, place: &Place) -> Option<BufferView> {
    // SAFETY: the view is live, and the handle gets a count of its own.
    unsafe { sys::iree_hal_buffer_view_retain(view) };
    Handle::from_owned(view).map(|handle| BufferView::new(handle, place.clone()))
}
