//! What queues and lists of commands do.

use iree_dialects::hal as dialect;

use super::{BUFFER, CHANNEL, COMMANDS, DEVICE, EXECUTABLE, FENCE, FILE, HOST_BUFFER};
use crate::samples::{Sample, samples};

pub(super) fn samples() -> Vec<Sample> {
    [queues(), lists(), commands()]
        .into_iter()
        .flatten()
        .collect()
}

/// The parts that all operations of queues have.
macro_rules! queued {
    ($scene:ident, $builder:ident) => {
        $builder
            .device($scene.value_of(DEVICE))
            .queue_affinity($scene.value_of("i64"))
            .wait_fence($scene.value_of(FENCE))
            .signal_fence($scene.value_of(FENCE))
    };
}

fn queues() -> Vec<Sample> {
    samples! {
        DeviceQueueAllocaOperation: |s, builder| queued!(s, builder)
            .pool(s.value_of("i64"))
            .memory_types(s.number())
            .buffer_usage(s.number())
            .result_size(s.index())
            .flags(dialect::AllocaFlags::INDETERMINATE_LIFETIME)
            .result(s.r#type(BUFFER));
        DeviceQueueDeallocaOperation: |s, builder| queued!(s, builder)
            .buffer(s.value_of(BUFFER))
            .flags(dialect::DeallocaFlags::PREFER_ORIGIN);
        DeviceQueueFillOperation: |s, builder| queued!(s, builder)
            .target_buffer(s.value_of(BUFFER))
            .target_offset(s.index())
            .length(s.index())
            .pattern(s.number())
            .flags(0);
        DeviceQueueUpdateOperation: |s, builder| queued!(s, builder)
            .source_buffer(s.value_of(HOST_BUFFER))
            .source_offset(s.index())
            .target_buffer(s.value_of(BUFFER))
            .target_offset(s.index())
            .length(s.index())
            .flags(0);
        DeviceQueueCopyOperation: |s, builder| queued!(s, builder)
            .source_buffer(s.value_of(BUFFER))
            .source_offset(s.index())
            .target_buffer(s.value_of(BUFFER))
            .target_offset(s.index())
            .length(s.index())
            .flags(0);
        DeviceQueueReadOperation: |s, builder| queued!(s, builder)
            .source_file(s.value_of(FILE))
            .source_offset(s.value_of("i64"))
            .target_buffer(s.value_of(BUFFER))
            .target_offset(s.index())
            .length(s.index())
            .flags(0);
        DeviceQueueWriteOperation: |s, builder| queued!(s, builder)
            .source_buffer(s.value_of(BUFFER))
            .source_offset(s.index())
            .target_file(s.value_of(FILE))
            .target_offset(s.value_of("i64"))
            .length(s.index())
            .flags(0);
        DeviceQueueBarrierOperation: |s, builder| queued!(s, builder).flags(0);
        DeviceQueueExecuteOperation: |s, builder| queued!(s, builder)
            .command_buffer(s.value_of(COMMANDS))
            .flags(0);
        DeviceQueueExecuteIndirectOperation: |s, builder| queued!(s, builder)
            .command_buffer(s.value_of(COMMANDS))
            .binding_buffers(&[s.value_of(BUFFER), s.value_of(BUFFER)])
            .binding_offsets(&[s.index(), s.index()])
            .binding_lengths(&[s.index(), s.index()])
            .flags(0);
        DeviceQueueFlushOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .queue_affinity(s.value_of("i64"));
        ExFileFromMemoryOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .queue_affinity(s.value_of("i64"))
            .access(dialect::MemoryAccess::READ)
            .buffer(s.value_of(HOST_BUFFER))
            .offset(s.index())
            .length(s.index())
            .flags(s.number())
            .result(s.r#type(FILE));
    }
}

fn lists() -> Vec<Sample> {
    samples! {
        CommandBufferCreateOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .modes(dialect::CommandBufferMode::ONE_SHOT)
            .command_categories(
                dialect::CommandCategory::TRANSFER | dialect::CommandCategory::DISPATCH,
            )
            .queue_affinity(s.value_of("i64"))
            .binding_capacity(s.index())
            .result(s.r#type(COMMANDS));
        CommandBufferFinalizeOperation: |s, builder| builder.command_buffer(s.value_of(COMMANDS));
        CommandBufferDeviceOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .device(s.r#type(DEVICE));
        CommandBufferBeginDebugGroupOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .label("layer");
        CommandBufferEndDebugGroupOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS));
        CommandBufferExecutionBarrierOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .source_stage_mask(
                dialect::ExecutionStage::DISPATCH | dialect::ExecutionStage::COMMAND_RETIRE,
            )
            .target_stage_mask(dialect::ExecutionStage::COMMAND_ISSUE)
            .flags(0);
    }
}

fn commands() -> Vec<Sample> {
    samples! {
        CommandBufferFillBufferOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .target_buffer(s.value_of(BUFFER))
            .target_offset(s.index())
            .length(s.index())
            .pattern(s.number())
            .flags(0);
        CommandBufferUpdateBufferOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .source_buffer(s.value_of(HOST_BUFFER))
            .source_size(s.index())
            .source_offset(s.index())
            .target_buffer(s.value_of(BUFFER))
            .target_offset(s.index())
            .length(s.index())
            .flags(0);
        // A number is a buffer that is given later.
        CommandBufferCopyBufferOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .source_buffer(s.index())
            .source_offset(s.index())
            .target_buffer(s.value_of(BUFFER))
            .target_offset(s.index())
            .length(s.index())
            .flags(0);
        CommandBufferCollectiveOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .channel(s.value_of(CHANNEL))
            .op(dialect::Collective {
                kind: dialect::CollectiveKind::AllReduce,
                reduction: Some(dialect::CollectiveReduction::Sum),
                element_type: dialect::CollectiveElementType::Float32,
            })
            .element_count(s.index())
            .send_buffer(s.value_of(BUFFER))
            .send_offset(s.index())
            .send_length(s.index())
            .recv_buffer(s.value_of(BUFFER))
            .recv_offset(s.index())
            .recv_length(s.index());
        CommandBufferDispatchOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .executable(s.value_of(EXECUTABLE))
            .entry_point(s.value_of("i64"))
            .workgroup_x(s.index())
            .workgroup_y(s.index())
            .workgroup_z(s.index())
            .constants(&[s.number()])
            .binding_buffers(&[s.value_of(BUFFER), s.index()])
            .binding_offsets(&[s.index(), s.index()])
            .binding_lengths(&[s.index(), s.index()])
            .flags(0);
        CommandBufferDispatchIndirectOperation: |s, builder| builder
            .command_buffer(s.value_of(COMMANDS))
            .executable(s.value_of(EXECUTABLE))
            .entry_point(s.value_of("i64"))
            .workgroups_buffer(s.value_of(BUFFER))
            .workgroups_offset(s.index())
            .constants(&[])
            .binding_buffers(&[s.value_of(BUFFER)])
            .binding_offsets(&[s.index()])
            .binding_lengths(&[s.index()])
            .flags(0);
    }
}
