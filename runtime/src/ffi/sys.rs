//! What IREE links but the bindings leave out, declared by hand.
//!
//! The layout of every struct here is compared with the C headers by a test below.

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
    pub(super) worker_stack_size: usize,
    worker_local_memory_size: usize,
}

/// Which processors the workers of a pool run on.
#[repr(C, align(8))]
pub(super) struct Topology {
    numa_node_id: u32,
    pub(super) group_count: usize,
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

/// Commands as the multi-threaded CPU device records them.
#[repr(C)]
pub(super) struct Recording {
    _opaque: [u8; 0],
}

/// What executes recorded commands.
#[repr(C)]
pub(super) struct Processor {
    _opaque: [u8; 0],
}

/// The memory that a command reads or writes through an entry of a table.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct BindingEntry {
    pub(super) base: *mut c_void,
    pub(super) length: usize,
}

/// The thread that executes commands.
#[repr(C)]
pub(super) struct WorkerContext {
    pub(super) worker_index: u32,
    pub(super) processor_id: u32,
    pub(super) local_memory: iree_byte_span_t,
}

/// What a thread remembers between its turns.
#[repr(C)]
#[derive(Default)]
pub(super) struct WorkerState {
    block_sequence: i32,
}

/// What a thread did in a turn.
#[repr(C)]
#[derive(Default)]
pub(super) struct DrainResult {
    tiles_executed: u32,
    completed: bool,
    block_sequence: i32,
    region_epoch: i32,
    wake_delta: i32,
    warm_retainer_limit: i32,
    prefer_warm_spin: bool,
}

/// How a thread computes with floating-point numbers.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct FpuState {
    previous_value: u64,
    current_value: u64,
}

/// Numbers too small to be normal are taken for zero, as by the workers of a device.
pub(super) const FLUSH_DENORMALS: u32 = 1;

/// What is said of a piece of a profile.
#[repr(C)]
pub(super) struct ChunkMetadata {
    pub(super) content_type: iree_string_view_t,
    name: iree_string_view_t,
    session_id: u64,
    stream_id: u64,
    event_id: u64,
    executable_id: u64,
    command_buffer_id: u64,
    physical_device_ordinal: u32,
    queue_ordinal: u32,
    flags: u64,
    pub(super) dropped_record_count: u64,
}

/// The functions of what is given a profile.
#[repr(C)]
pub(super) struct ProfileSinkVtable {
    pub(super) destroy: unsafe extern "C" fn(*mut iree_hal_profile_sink_t),
    pub(super) begin_session:
        unsafe extern "C" fn(*mut iree_hal_profile_sink_t, *const ChunkMetadata) -> iree_status_t,
    pub(super) write: unsafe extern "C" fn(
        *mut iree_hal_profile_sink_t,
        *const ChunkMetadata,
        usize,
        *const iree_const_byte_span_t,
    ) -> iree_status_t,
    pub(super) end_session: unsafe extern "C" fn(
        *mut iree_hal_profile_sink_t,
        *const ChunkMetadata,
        iree_status_code_t,
    ) -> iree_status_t,
}

unsafe extern "C" {
    pub(super) fn iree_hal_profile_sink_retain(sink: *mut iree_hal_profile_sink_t);
    pub(super) fn iree_hal_profile_sink_release(sink: *mut iree_hal_profile_sink_t);

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

    pub(super) fn iree_hal_block_command_buffer_isa(
        command_buffer: *mut iree_hal_command_buffer_t,
    ) -> bool;
    pub(super) fn iree_hal_block_command_buffer_recording(
        command_buffer: *mut iree_hal_command_buffer_t,
    ) -> *const Recording;
    pub(super) fn iree_hal_block_command_buffer_late_bindings(
        command_buffer: *mut iree_hal_command_buffer_t,
        out_count: *mut usize,
    ) -> *const iree_hal_buffer_binding_t;

    pub(super) fn iree_hal_cmd_block_processor_context_allocate(
        recording: *const Recording,
        binding_table: *const BindingEntry,
        binding_table_length: usize,
        worker_count: u32,
        allocator: iree_allocator_t,
        out_context: *mut *mut Processor,
    ) -> iree_status_t;
    pub(super) fn iree_hal_cmd_block_processor_drain(
        context: *mut Processor,
        worker_context: *const WorkerContext,
        worker_state: *mut WorkerState,
        out_result: *mut DrainResult,
    );
    pub(super) fn iree_hal_cmd_block_processor_context_consume_result(
        context: *mut Processor,
    ) -> iree_status_t;
    pub(super) fn iree_hal_cmd_block_processor_context_free(
        context: *mut Processor,
        allocator: iree_allocator_t,
    );

    pub(super) fn iree_fpu_state_push(flags: u32) -> FpuState;
    pub(super) fn iree_fpu_state_pop(state: FpuState);

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

    pub(super) fn iree_hal_vmvx_module_loader_create(
        instance: *mut iree_vm_instance_t,
        user_module_count: usize,
        user_modules: *mut *mut iree_vm_module_t,
        host_allocator: iree_allocator_t,
        out_executable_loader: *mut *mut iree_hal_executable_loader_t,
    ) -> iree_status_t;

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

/// Waits as long as it takes.
pub(super) const INFINITE_TIMEOUT: iree_timeout_t = iree_timeout_t {
    type_: iree_timeout_type_e_IREE_TIMEOUT_ABSOLUTE,
    nanos: i64::MAX,
};

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        env, fs,
        mem::{align_of, offset_of},
        path::{Path, PathBuf},
        process::Command,
    };

    /// A C assertion for the size and alignment of a struct.
    fn layout<T>(name: &str) -> String {
        format!(
            "_Static_assert(sizeof({name}) == {}, \"size of {name}\");\n\
             _Static_assert(_Alignof({name}) == {}, \"alignment of {name}\");\n",
            size_of::<T>(),
            align_of::<T>()
        )
    }

    /// A C assertion for the place of each field.
    macro_rules! offsets {
        ($ty:ty, $name:literal: $($field:ident)*) => {
            String::new() $(+ &format!(
                "_Static_assert(offsetof({}, {}) == {}, \"place of {}\");\n",
                $name, stringify!($field), offset_of!($ty, $field), stringify!($field)
            ))*
        };
    }

    #[test]
    fn structs_are_laid_out_as_in_c() {
        let source = [
            "#include <stddef.h>\n\
             #include \"iree/base/internal/fpu_state.h\"\n\
             #include \"iree/hal/drivers/local_sync/sync_device.h\"\n\
             #include \"iree/hal/drivers/local_task/block_processor.h\"\n\
             #include \"iree/hal/drivers/local_task/task_device.h\"\n\
             #include \"iree/hal/profile_sink.h\"\n\
             #include \"iree/task/api.h\"\n"
                .to_owned(),
            layout::<BindingEntry>("iree_hal_cmd_binding_entry_t"),
            offsets!(BindingEntry, "iree_hal_cmd_binding_entry_t": base length),
            layout::<WorkerContext>("iree_hal_cmd_block_processor_worker_context_t"),
            offsets!(WorkerContext, "iree_hal_cmd_block_processor_worker_context_t":
                worker_index processor_id local_memory),
            layout::<WorkerState>("iree_hal_cmd_block_processor_worker_state_t"),
            offsets!(WorkerState, "iree_hal_cmd_block_processor_worker_state_t": block_sequence),
            layout::<DrainResult>("iree_hal_cmd_block_processor_drain_result_t"),
            offsets!(DrainResult, "iree_hal_cmd_block_processor_drain_result_t":
                tiles_executed completed block_sequence region_epoch wake_delta warm_retainer_limit
                prefer_warm_spin),
            layout::<FpuState>("iree_fpu_state_t"),
            offsets!(FpuState, "iree_fpu_state_t": previous_value current_value),
            layout::<ChunkMetadata>("iree_hal_profile_chunk_metadata_t"),
            offsets!(ChunkMetadata, "iree_hal_profile_chunk_metadata_t":
                content_type name session_id stream_id event_id executable_id command_buffer_id
                physical_device_ordinal queue_ordinal flags dropped_record_count),
            layout::<ProfileSinkVtable>("iree_hal_profile_sink_vtable_t"),
            offsets!(ProfileSinkVtable, "iree_hal_profile_sink_vtable_t":
                destroy begin_session write end_session),
            layout::<SyncDeviceParams>("iree_hal_sync_device_params_t"),
            offsets!(SyncDeviceParams, "iree_hal_sync_device_params_t": arena_block_size),
            layout::<TaskDeviceParams>("iree_hal_task_device_params_t"),
            offsets!(TaskDeviceParams, "iree_hal_task_device_params_t":
                arena_block_size queue_scope_flags inline_transfer_threshold),
            layout::<ExecutorOptions>("iree_task_executor_options_t"),
            offsets!(ExecutorOptions, "iree_task_executor_options_t":
                scheduling_mode worker_base_index worker_spin_ns worker_stack_size
                worker_local_memory_size),
            layout::<Topology>("iree_task_topology_t"),
            offsets!(Topology, "iree_task_topology_t": numa_node_id group_count groups),
            format!(
                "_Static_assert(IREE_TASK_TOPOLOGY_NODE_ID_ANY == {NODE_ANY}u, \"node\");\n\
                 _Static_assert(IREE_TASK_TOPOLOGY_PERFORMANCE_LEVEL_ANY == {PERFORMANCE_ANY}, \"level\");\n\
                 _Static_assert(IREE_TASK_TOPOLOGY_DISTRIBUTION_SCATTER == {DISTRIBUTION_SCATTER}, \"order\");\n"
            ),
        ];
        let folder = env::temp_dir().join(format!("iree-layout-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("layout.c");
        fs::write(&file, source.concat()).unwrap();
        let output = Command::new(env::var_os("CC").unwrap_or_else(|| "clang".into()))
            .arg("-fsyntax-only")
            .arg("-I")
            .arg(headers())
            .arg(&file)
            .output()
            .expect("a C compiler starts");
        fs::remove_dir_all(&folder).unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// Where cargo unpacked IREE's sources.
    fn headers() -> PathBuf {
        let output = Command::new(env!("CARGO"))
            .args([
                "metadata",
                "--format-version=1",
                "--offline",
                // Crates for other platforms are on no machine that only built this.
                "--filter-platform",
                &format!("{}-unknown-linux-gnu", std::env::consts::ARCH),
                "--manifest-path",
            ])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
            .output()
            .expect("cargo starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let manifest = text
            .split('"')
            .find(|part| {
                let path = Path::new(part);
                let folder = path.parent().and_then(Path::file_name);
                path.ends_with("Cargo.toml")
                    && folder.is_some_and(|name| name.to_string_lossy().starts_with("eerie-sys"))
            })
            .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        Path::new(manifest).with_file_name("iree/runtime/src")
    }
}
