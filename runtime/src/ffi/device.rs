use super::{
    context::Context,
    handle::Handle,
    inline::Inline,
    place::Place,
    quota::Quota,
    status::{Code, IreeError, check},
    sys,
};
use crate::DeviceMemory;
use std::sync::Arc;

/// A device, alone in its group.
pub(crate) struct Device {
    // Dropped in this order: the group outlives whatever refers to its devices.
    /// What does the work of short calls, if the calling thread can.
    pub(super) inline: Option<Arc<Inline>>,
    allocator: Handle<sys::iree_hal_allocator_t>,
    place: Place,
    group: Handle<sys::iree_hal_device_group_t>,
    pub(super) works_at_once: bool,
    /// Whether its memory is the host's.
    pub(super) is_host: bool,
    pub(super) quota: Option<Arc<Quota>>,
}

impl Device {
    pub(super) fn in_group_of_its_own(
        device: Handle<sys::iree_hal_device_t>,
        context: Context,
        quota: Option<Arc<Quota>>,
    ) -> Result<Self, IreeError> {
        let host = sys::system_allocator();
        let options = sys::iree_async_frontier_tracker_options_t {
            axis_table_capacity: 256,
            session_epoch: 1,
            machine_index: 0,
        };
        let tracker = Handle::create(|out| {
            // SAFETY: `out` is valid.
            unsafe { sys::iree_async_frontier_tracker_create(options, host, out) }
        })?;
        let group = Handle::create(|out| {
            let (device, tracker) = (device.as_ptr(), tracker.as_ptr());
            // SAFETY: both are live, and the group retains them.
            unsafe { sys::iree_hal_device_group_create_from_device(device, tracker, host, out) }
        })?;
        // SAFETY: the device is live, and with it its allocator.
        let allocator = unsafe { sys::iree_hal_device_allocator(device.as_ptr()) };
        // SAFETY: as above; the handle gets a reference of its own.
        unsafe { sys::iree_hal_allocator_retain(allocator) };
        let allocator = Handle::from_owned(allocator)
            .ok_or_else(|| IreeError::new(Code::Internal, "the device has no allocator"))?;
        Ok(Self {
            inline: None,
            allocator,
            place: Place::new(device, context),
            group,
            works_at_once: false,
            is_host: false,
            quota,
        })
    }

    /// Whether it does what it is told to before it returns.
    pub(crate) const fn works_at_once(&self) -> bool {
        self.works_at_once
    }

    /// The group that it is alone in.
    pub(super) const fn group(&self) -> &Handle<sys::iree_hal_device_group_t> {
        &self.group
    }

    /// Where its memory is from.
    pub(super) const fn allocator(&self) -> &Handle<sys::iree_hal_allocator_t> {
        &self.allocator
    }

    /// Where its buffers are.
    pub(super) const fn place(&self) -> &Place {
        &self.place
    }

    /// A property of the device; `None` if it has none of that name.
    pub(crate) fn property(&self, category: &str, key: &str) -> Option<i64> {
        let mut value = 0;
        let (category, key) = (sys::string_view(category), sys::string_view(key));
        let device = self.place.device().as_ptr();
        self.place.bind();
        // SAFETY: the device is live, and the out pointer valid.
        check(unsafe { sys::iree_hal_device_query_i64(device, category, key, &mut value) })
            .is_ok()
            .then_some(value)
    }

    /// What the allocator counts.
    pub(crate) fn memory(&self) -> DeviceMemory {
        let mut counted = sys::iree_hal_allocator_statistics_t::default();
        // SAFETY: the allocator is live and serves any thread, and the out pointer is valid.
        unsafe { sys::iree_hal_allocator_query_statistics(self.allocator.as_ptr(), &mut counted) };
        let allocated = counted.host_bytes_allocated + counted.device_bytes_allocated;
        let freed = counted.host_bytes_freed + counted.device_bytes_freed;
        DeviceMemory {
            live: allocated.saturating_sub(freed),
            peak: counted.host_bytes_peak + counted.device_bytes_peak,
            allocated,
        }
    }

    /// Memory that the device reaches, and the host too where it is the device.
    pub(super) fn allocate(
        &self,
        length: usize,
    ) -> Result<Handle<sys::iree_hal_buffer_t>, IreeError> {
        let params = sys::iree_hal_buffer_params_t {
            usage: sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_DEFAULT
                | sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_MAPPING,
            access: sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_ALL as _,
            type_: sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL
                | sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_HOST_VISIBLE,
            ..Default::default()
        };
        self.place.bind();
        Handle::create(|out| {
            let allocator = self.allocator.as_ptr();
            // SAFETY: the allocator is live and serves any thread.
            unsafe { sys::iree_hal_allocator_allocate_buffer(allocator, params, length, out) }
        })
    }
}

impl Device {
    /// The first bytes of a buffer in memory of their own.
    pub(super) fn copy(
        &self,
        source: &Handle<sys::iree_hal_buffer_t>,
        length: usize,
    ) -> Result<Handle<sys::iree_hal_buffer_t>, IreeError> {
        let (device, target) = (self.place.device(), self.allocate(length)?);
        if length > 0 {
            // SAFETY: both buffers are live and have as many bytes; nobody else knows the target yet.
            check(unsafe {
                sys::iree_hal_device_transfer_d2d(
                    device.as_ptr(),
                    source.as_ptr(),
                    0,
                    target.as_ptr(),
                    0,
                    length,
                    sys::iree_hal_transfer_buffer_flag_bits_t_IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT,
                    sys::INFINITE_TIMEOUT,
                )
            })?;
        }
        Ok(target)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        self.place.bind();
    }
}
