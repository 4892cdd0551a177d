use super::{
    Sink,
    handle::Handle,
    instance::{Instance, instance, loading},
    quota::Quota,
    sink,
    status::{Code, IreeError, check},
    sys,
};
use crate::DeviceMemory;
use std::{mem::MaybeUninit, num::NonZeroUsize, ptr, sync::Arc, thread};

/// A device, alone in its group.
pub(crate) struct Device {
    // Dropped in this order: the group outlives whatever refers to its devices.
    allocator: Handle<sys::iree_hal_allocator_t>,
    group: Handle<sys::iree_hal_device_group_t>,
    _quota: Option<Arc<Quota>>,
}

/// What the worker threads of a device are.
#[derive(Clone, Copy, Default)]
pub(crate) struct Workers {
    /// How many there are, if not as many as cores.
    pub(crate) count: Option<NonZeroUsize>,
    /// Whether each stays on a core of its own, if their number is given.
    pub(crate) are_pinned: bool,
}

impl Device {
    /// A CPU device that does its work on the calling thread, with so many bytes of memory.
    pub(crate) fn sync(limit: Option<usize>) -> Result<Self, IreeError> {
        let _lock = loading();
        let instance = instance()?;
        let parts = Parts::new("local-sync", instance, limit)?;
        let mut params = MaybeUninit::uninit();
        // SAFETY: writes all parameters.
        unsafe { sys::iree_hal_sync_device_params_initialize(params.as_mut_ptr()) };
        let device = Handle::create(|out| {
            // SAFETY: every pointer is live, and the device retains what it keeps.
            unsafe {
                sys::iree_hal_sync_device_create(
                    sys::string_view("local-sync"),
                    params.as_ptr(),
                    &parts.create_params,
                    parts.loaders.len(),
                    parts.loaders().as_mut_ptr(),
                    parts.allocator.as_ptr(),
                    parts.memory,
                    out,
                )
            }
        })?;
        Self::in_group_of_its_own(device, parts)
    }

    /// A CPU device with worker threads, with so many bytes of memory.
    pub(crate) fn task(workers: Workers, limit: Option<usize>) -> Result<Self, IreeError> {
        let _lock = loading();
        let instance = instance()?;
        let parts = Parts::new("local-task", instance, limit)?;
        let executor = executor(&topology(workers)?)?;
        let mut params = MaybeUninit::uninit();
        // SAFETY: writes all parameters.
        unsafe { sys::iree_hal_task_device_params_initialize(params.as_mut_ptr()) };
        let device = Handle::create(|out| {
            // SAFETY: every pointer is live, and the device retains what it keeps.
            unsafe {
                sys::iree_hal_task_device_create(
                    sys::string_view("local-task"),
                    params.as_ptr(),
                    1,
                    &executor.as_ptr(),
                    parts.loaders.len(),
                    parts.loaders().as_mut_ptr(),
                    parts.allocator.as_ptr(),
                    &parts.create_params,
                    parts.memory,
                    out,
                )
            }
        })?;
        Self::in_group_of_its_own(device, parts)
    }

    fn in_group_of_its_own(
        device: Handle<sys::iree_hal_device_t>,
        parts: Parts,
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
        Ok(Self {
            allocator: parts.allocator,
            group,
            _quota: parts.quota,
        })
    }

    /// The module that programs reach the device through. What they trace goes to the sink.
    pub(super) fn hal(
        &self,
        instance: &Instance,
        sink: Arc<Sink>,
    ) -> Result<Handle<sys::iree_vm_module_t>, IreeError> {
        let host = sys::system_allocator();
        // SAFETY: has no preconditions.
        let policy = unsafe { sys::iree_hal_module_device_policy_default() };
        let sink = sink::debug_sink(sink);
        let module = Handle::create(|out| {
            let (vm, group) = (instance.vm.as_ptr(), self.group.as_ptr());
            let flags = sys::iree_hal_module_flag_bits_t_IREE_HAL_MODULE_FLAG_SYNCHRONOUS;
            // SAFETY: both are live, and the module retains them.
            unsafe { sys::iree_hal_module_create(vm, policy, group, flags, sink, host, out) }
        });
        if module.is_err() {
            sink::release_unused(&sink);
        }
        module
    }

    /// The device itself.
    pub(super) fn device(&self) -> Result<Handle<sys::iree_hal_device_t>, IreeError> {
        // SAFETY: the group is live and has one device.
        let device = unsafe { sys::iree_hal_device_group_device_at(self.group.as_ptr(), 0) };
        // SAFETY: the device is as live as its group.
        unsafe { sys::iree_hal_device_retain(device) };
        Handle::from_owned(device)
            .ok_or_else(|| IreeError::new(Code::Internal, "the group has no device"))
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

    /// Memory that both the device and the host can reach.
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
        let (device, target) = (self.device()?, self.allocate(length)?);
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

/// What both kinds of CPU device are made from.
struct Parts {
    /// For embedded ELF files, and for code of IREE's own virtual machine.
    loaders: [Handle<sys::iree_hal_executable_loader_t>; 2],
    allocator: Handle<sys::iree_hal_allocator_t>,
    create_params: sys::iree_hal_device_create_params_t,
    /// Where arrays and what programs compute with have their memory from.
    memory: sys::iree_allocator_t,
    /// The bound on that memory.
    quota: Option<Arc<Quota>>,
}

impl Parts {
    fn new(
        identifier: &'static str,
        instance: &Instance,
        limit: Option<usize>,
    ) -> Result<Self, IreeError> {
        let host = sys::system_allocator();
        let quota = limit.map(Quota::new);
        let memory = quota.as_ref().map_or(host, Quota::allocator);
        let plugins = Handle::create(|out| {
            // SAFETY: `out` is valid.
            unsafe { sys::iree_hal_executable_plugin_manager_create(0, host, out) }
        })?;
        let elf = Handle::create(|out| {
            // SAFETY: the loader retains the plugin manager.
            unsafe { sys::iree_hal_embedded_elf_loader_create(plugins.as_ptr(), host, out) }
        })?;
        let portable = Handle::create(|out| {
            let (vm, none) = (instance.vm.as_ptr(), ptr::null_mut());
            // SAFETY: the loader retains the instance, and there are no modules.
            unsafe { sys::iree_hal_vmvx_module_loader_create(vm, 0, none, host, out) }
        })?;
        let allocator = Handle::create(|out| {
            let identifier = sys::string_view(identifier);
            // SAFETY: the identifier is static.
            unsafe { sys::iree_hal_allocator_create_heap(identifier, memory, memory, out) }
        })?;
        let create_params = sys::iree_hal_device_create_params_t {
            next: ptr::null(),
            proactor_pool: instance.proactors.as_ptr(),
        };
        Ok(Self {
            loaders: [elf, portable],
            allocator,
            create_params,
            memory,
            quota,
        })
    }
}

impl Parts {
    fn loaders(&self) -> [*mut sys::iree_hal_executable_loader_t; 2] {
        self.loaders.each_ref().map(Handle::as_ptr)
    }
}

/// A topology that is deinitialised when dropped.
struct Topology(Box<MaybeUninit<sys::Topology>>);

impl Drop for Topology {
    fn drop(&mut self) {
        // SAFETY: initialised by whoever made this value.
        unsafe { sys::iree_task_topology_deinitialize(self.0.as_mut_ptr()) };
    }
}

/// One worker pinned to each physical core, as IREE's own tools do, but no more than the process is
/// given time for; or as many as asked for, which the system places unless they are to be pinned.
fn topology(workers: Workers) -> Result<Topology, IreeError> {
    let mut topology = Box::new(MaybeUninit::zeroed());
    let out: *mut sys::Topology = topology.as_mut_ptr();
    if let (Some(count), false) = (workers.count, workers.are_pinned) {
        // SAFETY: initialises the topology.
        unsafe { sys::iree_task_topology_initialize_from_group_count(count.get(), out) };
        return Ok(Topology(topology));
    }
    let available = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let most = workers.count.map_or(available, NonZeroUsize::get);
    // SAFETY: initialises the topology.
    check(unsafe {
        sys::iree_task_topology_initialize_from_physical_cores(
            sys::NODE_ANY,
            sys::PERFORMANCE_ANY,
            sys::DISTRIBUTION_SCATTER,
            most,
            out,
        )
    })?;
    Ok(Topology(topology))
}

fn executor(topology: &Topology) -> Result<Handle<sys::Executor>, IreeError> {
    let mut options = MaybeUninit::uninit();
    // SAFETY: writes all options.
    unsafe { sys::iree_task_executor_options_initialize(options.as_mut_ptr()) };
    // SAFETY: just written.
    let options = unsafe { options.assume_init() };
    Handle::create(|out| {
        let topology = topology.0.as_ptr();
        // SAFETY: the topology is initialised and copied.
        unsafe { sys::iree_task_executor_create(options, topology, sys::system_allocator(), out) }
    })
}
