//! Values with shapes.

use iree_dialects::{prelude::*, stream as dialect};

use super::{RESOURCE, STAGING};
use crate::samples::{Sample, samples};

pub(super) fn samples() -> Vec<Sample> {
    [made(), changed(), elsewhere()]
        .into_iter()
        .flatten()
        .collect()
}

/// Sets the parts of a name that say what a resource is.
macro_rules! source {
    ($scene:ident, $builder:ident, $tensor:literal) => {
        $builder
            .source($scene.resource())
            .source_encoding(TypeAttribute::new($scene.tensor($tensor)))
            .source_encoding_dims(&[$scene.index()])
            .source_size($scene.index())
    };
}
macro_rules! target {
    ($scene:ident, $builder:ident, $type:expr, $tensor:literal) => {
        $builder
            .target($scene.value_of($type))
            .target_encoding(TypeAttribute::new($scene.tensor($tensor)))
            .target_encoding_dims(&[$scene.index()])
            .target_size($scene.index())
    };
}
macro_rules! result {
    ($scene:ident, $builder:expr, $tensor:literal) => {
        $builder
            .result_encoding(TypeAttribute::new($scene.tensor($tensor)))
            .result_encoding_dims(&[$scene.index()])
            .result_size($scene.index())
            .result($scene.r#type(RESOURCE))
    };
}

fn made() -> Vec<Sample> {
    samples! {
        TensorImportOperation: |s, builder| result!(s, builder, "?x4xf32")
            .source(s.value_of("!hal.buffer_view"))
            .consume(true)
            .affinity(s.device())
            .result(s.r#type("!stream.resource<external>"));
        TensorExportOperation: |s, builder| source!(s, builder, "?x4xf32")
            .source(s.value_of("!stream.resource<external>"))
            .result(s.r#type("!hal.buffer_view"));
        TensorSizeofOperation: |s, builder| builder
            .encoding(TypeAttribute::new(s.tensor("?x4xf32")))
            .encoding_dims(&[s.index()])
            .affinity(s.device());
        TensorEmptyOperation: |s, builder| result!(s, builder, "?x4xf32");
        TensorConstantOperation: |s, builder| builder
            .value(s.attribute("dense<1.0> : tensor<4xf32>"))
            .result_encoding(TypeAttribute::new(s.tensor("?xf32")))
            .result_encoding_dims(&[s.index()])
            .result(s.r#type("!stream.resource<constant>"));
        TensorSplatOperation: |s, builder| result!(s, builder, "?x4xi32").value(s.number());
        TensorCloneOperation: |s, builder| result!(s, source!(s, builder, "?x4xf32"), "?x4xf32");
        TensorEncodeOperation: |s, builder| result!(s, source!(s, builder, "?x4xf32"), "?x4xf32");
    }
}

fn changed() -> Vec<Sample> {
    samples! {
        TensorSliceOperation: |s, builder| result!(s, source!(s, builder, "?x4xf32"), "?x2xf32")
            .start_indices(&[s.index(), s.index()])
            .lengths(&[s.index(), s.index()]);
        TensorFillOperation: |s, builder| target!(s, builder, RESOURCE, "?x4xi32")
            .start_indices(&[s.index(), s.index()])
            .lengths(&[s.index(), s.index()])
            .value(s.number());
        TensorUpdateOperation: |s, builder| target!(s, builder, RESOURCE, "?x4xf32")
            .start_indices(&[s.index(), s.index()])
            .update(s.resource())
            .update_encoding(TypeAttribute::new(s.tensor("2x2xf32")))
            .update_encoding_dims(&[])
            .update_size(s.index());
        TensorLoadOperation: |s, builder| source!(s, builder, "?x4xi32")
            .source(s.value_of(STAGING))
            .indices(&[s.index(), s.index()])
            .result(s.r#type("i32"));
        TensorStoreOperation: |s, builder| target!(s, builder, STAGING, "?x4xi32")
            .indices(&[s.index(), s.index()])
            .value(s.number());
    }
}

fn elsewhere() -> Vec<Sample> {
    samples! {
        TensorTraceOperation: |s, builder| builder
            .key("loss")
            .resources(&[s.value_of(STAGING), s.value_of(STAGING)])
            .resource_sizes(&[s.index(), s.index()])
            .resource_encodings(s.array("[tensor<?x4xf32>, tensor<f32>]")?)
            .resource_encoding_dims(&[s.index()]);
        TensorDispatchOperation: |s, builder| builder
            .workload(&[s.index()])
            .entry_points(s.array("[@executable::@entry]")?)
            .mixed_operands(&[s.resource(), s.number()])
            .operand_sizes(&[s.index()])
            .operand_encodings(s.array("[tensor<?x4xf32>, i32]")?)
            .operand_encoding_dims(&[s.index()])
            .result_sizes(&[s.index()])
            .result_encodings(s.array("[tensor<4xf32>]")?)
            .result_encoding_dims(&[])
            .affinity(s.device())
            .results(&[s.r#type(RESOURCE)]);
        TensorParameterLoadOperation: |s, builder| result!(s, builder, "?x4xf32")
            .source_scope(s.key())
            .source_key(s.key())
            .source_offset(s.long());
        TensorParameterWriteOperation: |s, builder| source!(s, builder, "?x4xf32")
            .target_key(s.key())
            .target_offset(s.long());
    }
}
