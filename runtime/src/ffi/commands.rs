//! Commands that a device with workers has recorded, executed by the calling thread.

use super::{
    handle::Handle,
    native::Values,
    status::{Code, IreeError, check},
    sys,
};
use std::ptr;

type CommandBuffer = Handle<sys::iree_hal_command_buffer_t>;

/// The buffers that commands name by their place in a table. The caller keeps them alive.
#[derive(Default)]
pub(super) struct Bindings(Vec<sys::iree_hal_buffer_binding_t>);

impl Bindings {
    /// Reads them from the arguments of a call, where their number is first.
    pub(super) fn read(arguments: &mut Values<'_>) -> Result<Self, IreeError> {
        let count = arguments.i32()?;
        let mut bindings =
            Vec::with_capacity(usize::try_from(count).unwrap_or(0).min(MAX_BINDINGS));
        for _ in 0..count {
            let (reference, mut buffer) = (arguments.reference()?, ptr::null_mut());
            // SAFETY: the reference is live or null, and the out pointer valid.
            check(unsafe { sys::iree_hal_buffer_check_deref_or_null(reference, &mut buffer) })?;
            bindings.push(sys::iree_hal_buffer_binding_t {
                buffer,
                offset: as_size(arguments.i64()?),
                length: as_size(arguments.i64()?),
            });
        }
        Ok(Self(bindings))
    }
}

/// More than any program has.
const MAX_BINDINGS: usize = 1 << 16;

/// A size as a program passes it.
const fn as_size(value: i64) -> sys::iree_device_size_t {
    value.cast_unsigned() as sys::iree_device_size_t
}

/// Executes commands and returns when they are done.
pub(super) fn execute(commands: &CommandBuffer, bindings: &Bindings) -> Result<(), IreeError> {
    let table = sys::iree_hal_buffer_binding_table_t {
        count: bindings.0.len(),
        bindings: bindings.0.as_ptr(),
    };
    // SAFETY: the commands and the buffers of the table are live.
    check(unsafe { sys::iree_hal_command_buffer_validate_submission(commands.as_ptr(), table) })?;
    // SAFETY: as above.
    if !unsafe { sys::iree_hal_block_command_buffer_isa(commands.as_ptr()) } {
        let message = "the commands are of another device";
        return Err(IreeError::new(Code::Internal, message));
    }
    let memory = Memory::of(commands, bindings)?;
    // SAFETY: the commands are live, and of the kind that has a recording.
    let recording = unsafe { sys::iree_hal_block_command_buffer_recording(commands.as_ptr()) };
    let Some(processor) = Processor::new(recording, &memory)? else {
        return Ok(());
    };
    processor.run()
}

/// The memory of the buffers that commands use, which is mapped as long as this lives.
struct Memory {
    mappings: Vec<sys::iree_hal_buffer_mapping_t>,
    entries: Vec<sys::BindingEntry>,
}

impl Memory {
    /// That of the buffers of a table, and behind it of those that the commands themselves name.
    fn of(commands: &CommandBuffer, bindings: &Bindings) -> Result<Self, IreeError> {
        let mut count = 0;
        // SAFETY: the commands are live, and the out pointer is valid.
        let late = unsafe {
            sys::iree_hal_block_command_buffer_late_bindings(commands.as_ptr(), &mut count)
        };
        let late = match count {
            0 => &[][..],
            // SAFETY: the commands own so many.
            _ => unsafe { std::slice::from_raw_parts(late, count) },
        };
        // SAFETY: the commands are live, and this does not change once they are recorded.
        let capacity = unsafe { (*commands.as_ptr()).binding_capacity } as usize;
        let mut memory = Self {
            mappings: Vec::with_capacity(bindings.0.len() + late.len()),
            entries: vec![NOTHING; bindings.0.len().max(capacity + late.len())],
        };
        let places = (0..).zip(&bindings.0).chain((capacity..).zip(late));
        for (place, binding) in places {
            let entry = memory.map(binding)?;
            if let Some(place) = memory.entries.get_mut(place) {
                *place = entry;
            }
        }
        Ok(memory)
    }

    fn map(
        &mut self,
        binding: &sys::iree_hal_buffer_binding_t,
    ) -> Result<sys::BindingEntry, IreeError> {
        if binding.buffer.is_null() {
            return Ok(NOTHING);
        }
        let mut mapping = sys::iree_hal_buffer_mapping_t::default();
        // SAFETY: the buffer is live, and the out pointer valid.
        check(unsafe {
            sys::iree_hal_buffer_map_range(
                binding.buffer,
                sys::iree_hal_mapping_mode_bits_t_IREE_HAL_MAPPING_MODE_SCOPED,
                sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_ANY as _,
                binding.offset,
                binding.length,
                &mut mapping,
            )
        })?;
        let contents = mapping.contents;
        self.mappings.push(mapping);
        Ok(sys::BindingEntry {
            base: contents.data.cast(),
            length: contents.data_length,
        })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        for mapping in &mut self.mappings {
            // SAFETY: mapped when this was made, and used no more. The memory is the host's: there is nothing to flush
            // that could fail.
            drop(check(unsafe { sys::iree_hal_buffer_unmap_range(mapping) }));
        }
    }
}

const NOTHING: sys::BindingEntry = sys::BindingEntry {
    base: ptr::null_mut(),
    length: 0,
};

/// What executes recorded commands, on one thread.
struct Processor<'m> {
    context: ptr::NonNull<sys::Processor>,
    _memory: &'m Memory,
}

impl<'m> Processor<'m> {
    /// `None` if there are no commands.
    fn new(
        recording: *const sys::Recording,
        memory: &'m Memory,
    ) -> Result<Option<Self>, IreeError> {
        let (mut context, host) = (ptr::null_mut(), sys::system_allocator());
        let (table, length) = (memory.entries.as_ptr(), memory.entries.len());
        // SAFETY: the recording belongs to live commands, the table outlives the context, and the out pointer is valid.
        check(unsafe {
            sys::iree_hal_cmd_block_processor_context_allocate(
                recording,
                table,
                length,
                1,
                host,
                &mut context,
            )
        })?;
        let context = ptr::NonNull::new(context);
        Ok(context.map(|context| Self {
            context,
            _memory: memory,
        }))
    }

    fn run(self) -> Result<(), IreeError> {
        let thread = sys::WorkerContext {
            worker_index: 0,
            processor_id: 0,
            // Code for CPUs has what it needs on the stack.
            local_memory: sys::iree_byte_span_t {
                data: ptr::null_mut(),
                data_length: 0,
            },
        };
        let (mut state, mut result) = (sys::WorkerState::default(), sys::DrainResult::default());
        let context = self.context.as_ptr();
        // SAFETY: has no preconditions.
        let fpu = unsafe { sys::iree_fpu_state_push(sys::FLUSH_DENORMALS) };
        // SAFETY: all pointers are live; a context of one worker is done when this returns.
        unsafe {
            sys::iree_hal_cmd_block_processor_drain(context, &thread, &mut state, &mut result);
        };
        // SAFETY: pushed above, on this thread.
        unsafe { sys::iree_fpu_state_pop(fpu) };
        // SAFETY: the context is live, and nobody works on it.
        check(unsafe { sys::iree_hal_cmd_block_processor_context_consume_result(context) })
    }
}

impl Drop for Processor<'_> {
    fn drop(&mut self) {
        let host = sys::system_allocator();
        // SAFETY: allocated with this allocator, and used no more.
        unsafe { sys::iree_hal_cmd_block_processor_context_free(self.context.as_ptr(), host) };
    }
}
