mod commands;
mod executables;

use iree_dialects::{AttributeValue, hal as dialect, prelude::*};

use super::{Sample, samples};
use crate::scene::{Outcome, Scene, region_of};

const ALLOCATOR: &str = "!hal.allocator";
const VIEW: &str = "!hal.buffer_view";
const BUFFER: &str = "!hal.buffer";
const CHANNEL: &str = "!hal.channel";
const COMMANDS: &str = "!hal.command_buffer";
const DEVICE: &str = "!hal.device";
const EXECUTABLE: &str = "!hal.executable";
const FENCE: &str = "!hal.fence";
const FILE: &str = "!hal.file";
const HOST_BUFFER: &str = "!util.buffer";

pub(crate) fn samples() -> Vec<Sample> {
    [
        tensors(),
        fences(),
        memory(),
        buffers(),
        views(),
        devices(),
        commands::samples(),
        executables::samples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A region that returns values, some of its arguments among them.
fn returning<'c>(
    scene: &Scene<'c>,
    arguments: &[&str],
    results: impl FnOnce(&Block<'c>) -> Outcome<Vec<Value<'c, 'c>>>,
) -> Outcome<Region<'c>> {
    let arguments = arguments.iter();
    let arguments = arguments.map(|text| (scene.r#type(text), scene.location));
    let block = Block::new(&arguments.collect::<Vec<_>>());
    let values = results(&block)?;
    dialect::ReturnOperation::builder(scene.context, scene.location)
        .operands(&values)
        .append_to(&block)?;
    Ok(region_of(block))
}

/// The region of an entry point that says how many workgroups there are.
fn workgroups<'c>(scene: &Scene<'c>) -> Outcome<Region<'c>> {
    returning(scene, &[DEVICE, "index"], |block| {
        Ok(vec![block.argument(1)?.into(); 3])
    })
}

/// Buffers and a number that a dispatch gets.
fn layout<'c>(scene: &Scene<'c>) -> Outcome<dialect::PipelineLayout<'c>> {
    let binding = |flags| dialect::PipelineBinding {
        r#type: dialect::DescriptorType::StorageBuffer,
        flags,
    };
    let read = dialect::DescriptorFlags::READ_ONLY | dialect::DescriptorFlags::INDIRECT;
    let bindings = [binding(Some(read)), binding(None)];
    let bindings = bindings.iter().map(|one| one.to_attribute(scene.context));
    Ok(dialect::PipelineLayout {
        constants: 1,
        bindings: bindings.collect::<Result<_, _>>()?,
        flags: Some(dialect::PipelineLayoutFlags::INDIRECT),
    })
}

/// What code is made for.
fn target<'c>() -> dialect::ExecutableTarget<'c> {
    dialect::ExecutableTarget {
        backend: "llvm-cpu".to_owned(),
        format: "embedded-elf-x86_64".to_owned(),
        configuration: None,
    }
}

fn tensors() -> Vec<Sample> {
    samples! {
        TensorImportOperation: |s, builder| builder
            .source(s.value_of(VIEW))
            .target_encoding(TypeAttribute::new(s.tensor("?x3xf32")))
            .target_dims(&[s.index()])
            .consume(true)
            .wait_fence(s.value_of(FENCE))
            .byte_offset(s.index())
            .name("x")
            .target(s.tensor("?x3xi32"));
        TensorExportOperation: |s, builder| {
            let device = dialect::DevicePromise {
                device: s.attribute("@device"),
                queues: vec![0, 2],
            };
            builder
                .source(s.value("?x3xi32"))
                .source_encoding(TypeAttribute::new(s.tensor("?x3xf32")))
                .source_dims(&[s.index()])
                .name("y")
                .affinity(device.to_attribute(s.context)?)
                .target(s.r#type(VIEW))
        };
        TensorAliasOperation: |s, builder| builder
            .source(s.value("?x4xf32"))
            .source_dims(&[s.index()])
            .storage(s.value_of(BUFFER))
            .wait_fence(s.value_of(FENCE));
        TensorTransientsOperation: |s, builder| builder
            .source(s.value("?x4xf32"))
            .source_dims(&[s.index()])
            .storage(s.value_of(BUFFER));
        TensorBarrierOperation: |s, builder| builder
            .sources(&s.values(&["4xf32", "2xi32"]))
            .signal_fence(s.value_of(FENCE));
        DispatchExternOperation: |s, builder| {
            let object = dialect::ExecutableObject {
                path: "code.o".to_owned(),
                data: None,
            };
            let objects = ArrayAttribute::new(s.context, &[object.to_attribute(s.context)?]);
            builder
                .export_name("entry")
                .workload(&[s.index()])
                .arguments(&[s.value("?x4xf32")])
                .argument_dims(&[s.index()])
                .result_dims(&[])
                .layout(layout(s)?)
                .targets(&[target()])
                .target_ordinals(s.array("[0 : index]")?)
                .target_objects(ArrayAttribute::new(s.context, &[objects.into()]))
                .workgroup_size(s.array("[64 : index, 1 : index, 1 : index]")?)
                .results(&[s.tensor("4xf32")])
                .workgroup_count(workgroups(s)?)
                .target_regions(vec![Region::new()])
        };
    }
}

fn fences() -> Vec<Sample> {
    samples! {
        FenceCreateOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .flags(0)
            .result(s.r#type(FENCE));
        FenceJoinOperation: |s, builder| builder
            .flags(0)
            .fences(&[s.value_of(FENCE), s.value_of(FENCE)])
            .result(s.r#type(FENCE));
        FenceQueryOperation: |s, builder| builder.fence(s.value_of(FENCE));
        FenceSignalOperation: |s, builder| builder.fence(s.value_of(FENCE));
        FenceFailOperation: |s, builder| builder.fence(s.value_of(FENCE)).status(s.number());
        FenceAwaitOperation: |s, builder| builder
            .timeout_millis(s.number())
            .flags(0)
            .fences(&[s.value_of(FENCE)]);
    }
}

fn memory() -> Vec<Sample> {
    samples! {
        MemoryTypeOperation: |s, builder| builder
            .r#type(dialect::MemoryType::DEVICE_LOCAL | dialect::MemoryType::HOST_VISIBLE);
        BufferUsageOperation: |s, builder| builder
            .usage(dialect::BufferUsage::TRANSFER | dialect::BufferUsage::DISPATCH_STORAGE);
        AllocatorSelectOperation: |s, builder| builder
            .devices(&[s.value_of(DEVICE), s.value_of(DEVICE)])
            .queue_affinities(&[s.value_of("i64"), s.value_of("i64")])
            .memory_types(s.number())
            .buffer_usage(s.number())
            .selected_device(s.r#type(DEVICE));
        AllocatorAllocateOperation: |s, builder| builder
            .allocator(s.value_of(ALLOCATOR))
            .queue_affinity(s.value_of("i64"))
            .memory_types(s.number())
            .buffer_usage(s.number())
            .result_size(s.index())
            .result(s.r#type(BUFFER));
        AllocatorImportOperation: |s, builder| builder
            .allocator(s.value_of(ALLOCATOR))
            .queue_affinity(s.value_of("i64"))
            .memory_types(s.number())
            .buffer_usage(s.number())
            .source(s.value_of(HOST_BUFFER))
            .offset(s.index())
            .length(s.index())
            .result(s.r#type(BUFFER));
        AllocatorResolveMemoryPropertiesOperation: |s, builder| {
            let device = dialect::DeviceAffinity {
                device: s.attribute("@device"),
                queues: vec![],
            };
            let best = dialect::DeviceOptimal {
                affinities: vec![device.to_attribute(s.context)?],
            };
            builder
                .affinity(best.to_attribute(s.context)?)
                .lifetime(dialect::Lifetime::Transient)
        };
    }
}

fn buffers() -> Vec<Sample> {
    samples! {
        BufferLengthOperation: |s, builder| builder.buffer(s.value_of(BUFFER));
        BufferSubspanOperation: |s, builder| builder
            .source_buffer(s.value_of(BUFFER))
            .source_offset(s.index())
            .length(s.index());
        BufferLoadOperation: |s, builder| builder
            .source_buffer(s.value_of(BUFFER))
            .source_offset(s.index())
            .result(s.r#type("i32"));
        BufferStoreOperation: |s, builder| builder
            .value(s.number())
            .target_buffer(s.value_of(BUFFER))
            .target_offset(s.index());
        BufferAssertOperation: |s, builder| builder
            .buffer(s.value_of(BUFFER))
            .message("weights")
            .allocator(s.value_of(ALLOCATOR))
            .minimum_length(s.index())
            .memory_types(dialect::MemoryType::DEVICE_LOCAL)
            .buffer_usage(dialect::BufferUsage::TRANSFER_SOURCE);
        BufferAllocationPreserveOperation: |s, builder| builder.buffer(s.value_of(BUFFER));
        BufferAllocationDiscardOperation: |s, builder| builder.buffer(s.value_of(BUFFER));
        BufferAllocationIsTerminalOperation: |s, builder| builder.buffer(s.value_of(BUFFER));
    }
}

fn views() -> Vec<Sample> {
    samples! {
        ElementTypeOperation: |s, builder| builder.r#type(TypeAttribute::new(s.r#type("f32")));
        EncodingTypeOperation: |s, builder| builder;
        BufferViewCreateOperation: |s, builder| builder
            .source_buffer(s.value_of(BUFFER))
            .source_offset(s.index())
            .source_length(s.index())
            .element_type(s.number())
            .encoding_type(s.number())
            .shape(&[s.index(), s.index()])
            .result(s.r#type(VIEW));
        BufferViewAssertOperation: |s, builder| builder
            .buffer_view(s.value_of(VIEW))
            .message("a matrix")
            .element_type(s.number())
            .encoding_type(s.number())
            .shape(&[s.index(), s.index()]);
        BufferViewBufferOperation: |s, builder| builder
            .buffer_view(s.value_of(VIEW))
            .result(s.r#type(BUFFER));
        BufferViewElementTypeOperation: |s, builder| builder.buffer_view(s.value_of(VIEW));
        BufferViewEncodingTypeOperation: |s, builder| builder.buffer_view(s.value_of(VIEW));
        BufferViewRankOperation: |s, builder| builder.buffer_view(s.value_of(VIEW));
        BufferViewDimOperation: |s, builder| builder.buffer_view(s.value_of(VIEW)).index(1);
        BufferViewTraceOperation: |s, builder| builder
            .key("loss")
            .operands(&[s.value_of(VIEW)]);
    }
}

trait Places<'c> {
    /// Adds what a block makes once.
    fn memoize(&self, block: Block<'c>) -> Outcome;
}

impl<'c> Places<'c> for Scene<'c> {
    fn memoize(&self, block: Block<'c>) -> Outcome {
        dialect::DeviceMemoizeOperation::builder(self.context, self.location)
            .device(self.value_of(DEVICE))
            .queue_affinity(self.value_of("i64"))
            .results(&[])
            .body(region_of(block))
            .append_to(&self.block)?;
        Ok(())
    }
}

fn devices() -> Vec<Sample> {
    samples! {
        DevicesCountOperation: |s, builder| builder;
        DevicesGetOperation: |s, builder| builder.index(s.index()).result(s.r#type(DEVICE));
        DeviceResolveOperation: |s, builder| builder
            .affinity(dialect::DeviceAffinity {
                device: s.attribute("@device"),
                queues: vec![4, 5],
            })
            .results(&[s.r#type(DEVICE), s.r#type(ALLOCATOR), s.r#type("i64")]);
        DeviceAllocatorOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .result(s.r#type(ALLOCATOR));
        DeviceQueryOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .category("hal.device.id")
            .key("local")
            .default_value(s.attribute("0 : i32"))
            .value(s.r#type("i32"));
        DeviceMemoizeOperation: |s, builder| {
            let fence = s.value_of(FENCE);
            builder
                .device(s.value_of(DEVICE))
                .queue_affinity(s.value_of("i64"))
                .results(&[s.r#type(FENCE)])
                .body(returning(s, &[], |_| Ok(vec![fence]))?)
        };
        // It may stand only at the end of a region of this dialect.
        ReturnOperation in memoize: |s, builder| builder.operands(&[]);
        ChannelCreateOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .queue_affinity(s.value_of("i64"))
            .flags(0)
            .id(s.value_of(HOST_BUFFER))
            .group(s.value_of(HOST_BUFFER))
            .rank(s.number())
            .count(s.number())
            .result(s.r#type(CHANNEL));
        ChannelSplitOperation: |s, builder| builder
            .channel(s.value_of(CHANNEL))
            .color(s.number())
            .key(s.number())
            .flags(0)
            .result(s.r#type(CHANNEL));
        ChannelRankAndCountOperation: |s, builder| builder.channel(s.value_of(CHANNEL));
    }
}
