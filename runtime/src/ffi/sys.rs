//! What IREE links but the bindings leave out, declared by hand.
//!
//! The layout of every struct here is compared with the C headers by `tests/layout.rs`.

pub(super) use iree_runtime_sys::runtime::*;

use std::{ffi::c_void, mem::MaybeUninit};

/// Parameters of a synchronous CPU device.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct SyncDeviceParams {
    arena_block_size: usize,
}

/// Parameters of a multi-threaded CPU device.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct TaskDeviceParams {
    arena_block_size: usize,
    queue_scope_flags: u32,
    inline_transfer_threshold: u64,
}

/// Parameters of a pool of worker threads.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct ExecutorOptions {
    scheduling_mode: u32,
    worker_base_index: usize,
    worker_spin_ns: i64,
    worker_stack_size: usize,
    worker_local_memory_size: usize,
}

/// Which processors the workers of a pool run on.
#[repr(C, align(8))]
pub(super) struct Topology {
    numa_node_id: u32,
    group_count: usize,
    groups: MaybeUninit<[u8; 256 * 88]>,
}

/// A pool of worker threads.
#[repr(C)]
pub(super) struct Executor {
    _opaque: [u8; 0],
}

/// Any processor of the machine.
pub(super) const NODE_ANY: u32 = u32::MAX;
/// Cores of every performance level.
pub(super) const PERFORMANCE_ANY: u32 = 0;
/// Workers are spread over cache domains.
pub(super) const DISTRIBUTION_SCATTER: u32 = 1;

unsafe extern "C" {
    pub(super) fn iree_allocator_libc_ctl(
        this: *mut c_void,
        command: iree_allocator_command_t,
        params: *const c_void,
        inout_ptr: *mut *mut c_void,
    ) -> iree_status_t;

    pub(super) fn iree_hal_sync_device_params_initialize(out_params: *mut SyncDeviceParams);
    pub(super) fn iree_hal_sync_device_create(
        identifier: iree_string_view_t,
        params: *const SyncDeviceParams,
        create_params: *const iree_hal_device_create_params_t,
        loader_count: usize,
        loaders: *mut *mut iree_hal_executable_loader_t,
        device_allocator: *mut iree_hal_allocator_t,
        host_allocator: iree_allocator_t,
        out_device: *mut *mut iree_hal_device_t,
    ) -> iree_status_t;

    pub(super) fn iree_hal_task_device_params_initialize(out_params: *mut TaskDeviceParams);
    pub(super) fn iree_hal_task_device_create(
        identifier: iree_string_view_t,
        params: *const TaskDeviceParams,
        queue_count: usize,
        queue_executors: *const *mut Executor,
        loader_count: usize,
        loaders: *mut *mut iree_hal_executable_loader_t,
        device_allocator: *mut iree_hal_allocator_t,
        create_params: *const iree_hal_device_create_params_t,
        host_allocator: iree_allocator_t,
        out_device: *mut *mut iree_hal_device_t,
    ) -> iree_status_t;

    pub(super) fn iree_task_executor_options_initialize(out_options: *mut ExecutorOptions);
    pub(super) fn iree_task_executor_create(
        options: ExecutorOptions,
        topology: *const Topology,
        allocator: iree_allocator_t,
        out_executor: *mut *mut Executor,
    ) -> iree_status_t;
    pub(super) fn iree_task_executor_retain(executor: *mut Executor);
    pub(super) fn iree_task_executor_release(executor: *mut Executor);

    pub(super) fn iree_task_topology_initialize_from_group_count(
        group_count: usize,
        out_topology: *mut Topology,
    );
    pub(super) fn iree_task_topology_initialize_from_physical_cores(
        node_id: u32,
        performance_level: u32,
        distribution: u32,
        max_core_count: usize,
        out_topology: *mut Topology,
    ) -> iree_status_t;
    pub(super) fn iree_task_topology_deinitialize(topology: *mut Topology);

    pub(super) fn iree_hal_executable_plugin_manager_create(
        capacity: usize,
        host_allocator: iree_allocator_t,
        out_manager: *mut *mut iree_hal_executable_plugin_manager_t,
    ) -> iree_status_t;
    pub(super) fn iree_hal_executable_plugin_manager_retain(
        manager: *mut iree_hal_executable_plugin_manager_t,
    );
    pub(super) fn iree_hal_executable_plugin_manager_release(
        manager: *mut iree_hal_executable_plugin_manager_t,
    );
}

/// The allocator of the C library.
pub(super) const fn system_allocator() -> iree_allocator_t {
    iree_allocator_t {
        self_: std::ptr::null_mut(),
        ctl: Some(iree_allocator_libc_ctl),
    }
}

/// A string as C takes it; valid as long as `text` is.
pub(super) const fn string_view(text: &str) -> iree_string_view_t {
    iree_string_view_t {
        data: text.as_ptr().cast(),
        size: text.len(),
    }
}

/// A copy of a string that C owns.
///
/// # Safety
///
/// The view is live.
pub(super) unsafe fn to_string(view: iree_string_view_t) -> String {
    if view.data.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    let bytes = unsafe { std::slice::from_raw_parts(view.data.cast::<u8>(), view.size) };
    String::from_utf8_lossy(bytes).into_owned()
}
