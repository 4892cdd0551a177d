use iree_dialects::{hal as dialect, prelude::*};

use super::{Sample, samples};

const VIEW: &str = "!hal.buffer_view";
const BUFFER: &str = "!hal.buffer";
const FENCE: &str = "!hal.fence";
const DEVICE: &str = "!hal.device";

pub(crate) fn samples() -> Vec<Sample> {
    [tensors(), fences(), buffers(), views(), devices()]
        .into_iter()
        .flatten()
        .collect()
}

fn tensors() -> Vec<Sample> {
    samples! {
        TensorImportOperation: |s, builder| builder
            .source(s.value_of(VIEW))
            .target_encoding(TypeAttribute::new(s.tensor("?x3xf32")))
            .target_dims(&[s.index()])
            .consume(true)
            .wait_fence(s.value_of(FENCE))
            .name("x")
            .target(s.tensor("?x3xi32"));
        TensorExportOperation: |s, builder| builder
            .source(s.value("?x3xi32"))
            .source_encoding(TypeAttribute::new(s.tensor("?x3xf32")))
            .source_dims(&[s.index()])
            .name("y")
            .target(s.r#type(VIEW));
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

fn buffers() -> Vec<Sample> {
    samples! {
        ElementTypeOperation: |s, builder| builder.r#type(TypeAttribute::new(s.r#type("f32")));
        EncodingTypeOperation: |s, builder| builder;
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
    }
}

fn views() -> Vec<Sample> {
    samples! {
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

fn devices() -> Vec<Sample> {
    samples! {
        DevicesCountOperation: |s, builder| builder;
        DevicesGetOperation: |s, builder| builder.index(s.index()).result(s.r#type(DEVICE));
        DeviceResolveOperation: |s, builder| builder
            .affinity(s.attribute("#hal.device.affinity<@device>"))
            .results(&[s.r#type(DEVICE), s.r#type("!hal.allocator"), s.r#type("i64")]);
        DeviceAllocatorOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .result(s.r#type("!hal.allocator"));
        DeviceQueryOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .category("hal.device.id")
            .key("local")
            .default_value(s.attribute("0 : i32"))
            .value(s.r#type("i32"));
        ChannelSplitOperation: |s, builder| builder
            .channel(s.value_of("!hal.channel"))
            .color(s.number())
            .key(s.number())
            .flags(0)
            .result(s.r#type("!hal.channel"));
        ChannelRankAndCountOperation: |s, builder| builder.channel(s.value_of("!hal.channel"));
    }
}
