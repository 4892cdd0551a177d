//! The CPU as a device.

use super::{
    Device,
    context::Context,
    handle::Handle,
    inline::Inline,
    instance::{Instance, instance, loading},
    pool,
    quota::Quota,
    status::{IreeError, check},
    sys,
};
use std::{
    mem::MaybeUninit,
    num::{NonZeroU64, NonZeroUsize},
    ptr,
    sync::Arc,
    thread,
};

/// What the worker threads of a device are.
#[derive(Clone, Copy, Default)]
pub(crate) struct Workers {
    /// How many there are, if not as many as cores.
    pub(crate) count: Option<NonZeroUsize>,
    /// Whether each stays on a core of its own, if their number is given.
    pub(crate) are_pinned: bool,
    /// Whether they do all the work, and not the calling thread where that takes less time.
    pub(crate) do_all: bool,
}

impl Device {
    /// A CPU device that does its work on the calling thread, with so many bytes of memory.
    pub(crate) fn sync(limit: Option<usize>) -> Result<Self, IreeError> {
        Self::sync_within(limit.map(Quota::new))
    }

    /// Another one like this, which has no workers, within the same bound on memory.
    pub(crate) fn beside(&self) -> Result<Self, IreeError> {
        Self::sync_within(self.quota.clone())
    }

    fn sync_within(quota: Option<Arc<Quota>>) -> Result<Self, IreeError> {
        let _lock = loading();
        let instance = instance()?;
        Parts::new("local-sync", instance, quota)?.sync()
    }

    /// A CPU device with worker threads, with so many bytes of memory.
    pub(crate) fn task(workers: Workers, limit: Option<usize>) -> Result<Self, IreeError> {
        let _lock = loading();
        let instance = instance()?;
        let parts = Parts::new("local-task", instance, limit.map(Quota::new))?;
        let topology = topology(workers)?;
        let executor = executor(&topology)?;
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
                    parts.host,
                    out,
                )
            }
        })?;
        let mut device = Self::in_group_of_its_own(device, Context::NONE, parts.quota.clone())?;
        device.is_host = true;
        if !workers.do_all {
            let inline = Inline::new(parts.sync()?, topology.count());
            device.inline = Some(Arc::new(inline));
        }
        Ok(device)
    }
}

/// What both kinds of CPU device are made from.
struct Parts {
    /// For embedded ELF files, and for code of IREE's own virtual machine.
    loaders: [Handle<sys::iree_hal_executable_loader_t>; 2],
    allocator: Handle<sys::iree_hal_allocator_t>,
    create_params: sys::iree_hal_device_create_params_t,
    /// Where what devices keep beside arrays has its memory from.
    host: sys::iree_allocator_t,
    /// The bound on that memory.
    quota: Option<Arc<Quota>>,
}

impl Parts {
    fn new(
        identifier: &'static str,
        instance: &Instance,
        quota: Option<Arc<Quota>>,
    ) -> Result<Self, IreeError> {
        let host = sys::system_allocator();
        let within = |memory| quota.as_ref().map_or(memory, Quota::allocator);
        let arrays = within(pool::arrays());
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
            unsafe { sys::iree_hal_allocator_create_heap(identifier, arrays, arrays, out) }
        })?;
        Ok(Self {
            loaders: [elf, portable],
            allocator,
            create_params: instance.create_params(),
            host: within(pool::devices()),
            quota,
        })
    }
}

impl Parts {
    /// A device that does its work on the calling thread.
    fn sync(&self) -> Result<Device, IreeError> {
        let mut params = MaybeUninit::uninit();
        // SAFETY: writes all parameters.
        unsafe { sys::iree_hal_sync_device_params_initialize(params.as_mut_ptr()) };
        let device = Handle::create(|out| {
            // SAFETY: every pointer is live, and the device retains what it keeps.
            unsafe {
                sys::iree_hal_sync_device_create(
                    sys::string_view("local-sync"),
                    params.as_ptr(),
                    &self.create_params,
                    self.loaders.len(),
                    self.loaders().as_mut_ptr(),
                    self.allocator.as_ptr(),
                    self.host,
                    out,
                )
            }
        })?;
        let mut device = Device::in_group_of_its_own(device, Context::NONE, self.quota.clone())?;
        (device.works_at_once, device.is_host) = (true, true);
        Ok(device)
    }

    fn loaders(&self) -> [*mut sys::iree_hal_executable_loader_t; 2] {
        self.loaders.each_ref().map(Handle::as_ptr)
    }
}

/// A topology that is deinitialised when dropped.
struct Topology(Box<MaybeUninit<sys::Topology>>);

impl Topology {
    /// How many workers there are, at least one.
    fn count(&self) -> NonZeroU64 {
        // SAFETY: initialised by whoever made this value.
        let count = unsafe { (*self.0.as_ptr()).group_count };
        NonZeroU64::new(count as u64).unwrap_or(NonZeroU64::MIN)
    }
}

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

/// How many bytes of stack a worker has. One that fails tells all that wait for it, which tell those that wait for them,
/// each on top of the other; and it runs the wakers of futures.
const STACK: usize = 8 << 20;

fn executor(topology: &Topology) -> Result<Handle<sys::Executor>, IreeError> {
    let mut options = MaybeUninit::uninit();
    // SAFETY: writes all options.
    unsafe { sys::iree_task_executor_options_initialize(options.as_mut_ptr()) };
    // SAFETY: just written.
    let mut options = unsafe { options.assume_init() };
    options.worker_stack_size = STACK;
    Handle::create(|out| {
        let topology = topology.0.as_ptr();
        // SAFETY: the topology is initialised and copied.
        unsafe { sys::iree_task_executor_create(options, topology, sys::system_allocator(), out) }
    })
}
