//! Where buffers are.

use super::{
    context::Context,
    handle::Handle,
    status::{IreeError, check},
    sys,
};

/// A device, as buffers on it need it: to move their contents, and to be released.
#[derive(Clone)]
pub(super) struct Place {
    device: Handle<sys::iree_hal_device_t>,
    context: Context,
}

impl Place {
    pub(super) const fn new(device: Handle<sys::iree_hal_device_t>, context: Context) -> Self {
        Self { device, context }
    }

    pub(super) const fn device(&self) -> &Handle<sys::iree_hal_device_t> {
        &self.device
    }

    /// Prepares this thread for what comes next on the device.
    pub(super) fn bind(&self) {
        self.context.bind();
    }

    /// Copies bytes to a buffer, which is at least as long.
    pub(super) fn write(
        &self,
        buffer: &Handle<sys::iree_hal_buffer_t>,
        bytes: &[u8],
    ) -> Result<(), IreeError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (source, length, buffer) = (bytes.as_ptr().cast(), bytes.len(), buffer.as_ptr());
        // SAFETY: the buffer is live.
        if unsafe { is_mappable(buffer) } {
            // SAFETY: the buffer is long enough, and its memory can be mapped.
            return check(unsafe { sys::iree_hal_buffer_map_write(buffer, 0, source, length) });
        }
        self.bind();
        let device = self.device.as_ptr();
        // SAFETY: device and buffer are live, and the call waits until the bytes are copied.
        check(unsafe {
            sys::iree_hal_device_transfer_h2d(
                device,
                source,
                buffer,
                0,
                length,
                0,
                sys::INFINITE_TIMEOUT,
            )
        })
    }

    /// Copies the start of a buffer, as many bytes as there is room for.
    ///
    /// # Safety
    ///
    /// The buffer is live.
    pub(super) unsafe fn read(
        &self,
        buffer: *mut sys::iree_hal_buffer_t,
        target: &mut [u8],
    ) -> Result<(), IreeError> {
        self.bind();
        let (out, length, device) = (
            target.as_mut_ptr().cast(),
            target.len(),
            self.device.as_ptr(),
        );
        // SAFETY: device and buffer are live, and the call waits until the bytes are copied.
        check(unsafe {
            sys::iree_hal_device_transfer_d2h(
                device,
                buffer,
                0,
                out,
                length,
                0,
                sys::INFINITE_TIMEOUT,
            )
        })
    }
}

/// Whether the host reaches a buffer's memory where it is.
///
/// # Safety
///
/// The buffer is live.
pub(super) unsafe fn is_mappable(buffer: *mut sys::iree_hal_buffer_t) -> bool {
    let visible = sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_HOST_VISIBLE;
    let wanted_usage = sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED;
    // SAFETY: as the caller promises.
    let ty = unsafe { sys::iree_hal_buffer_memory_type(buffer) };
    // SAFETY: as the caller promises.
    let usage = unsafe { sys::iree_hal_buffer_allowed_usage(buffer) };
    ty & visible == visible && usage & wanted_usage == wanted_usage
}
