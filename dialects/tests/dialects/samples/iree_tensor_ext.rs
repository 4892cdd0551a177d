use iree_dialects::iree_tensor_ext as dialect;

use super::{Sample, samples};

pub(crate) fn samples() -> Vec<Sample> {
    samples! {
        BitcastOperation: |s, builder| builder
            .source(s.value("?x4xi32"))
            .source_dims(&[s.index()])
            .result_dims(&[s.index()])
            .result(s.tensor("?x16xi8"));
        CastToRaggedShapeOperation: |s, builder| builder
            .source(s.value("18x?xf32"))
            .ragged_dim(0)
            .column_lengths(s.value("5xi32"))
            .source_dynamic_dims(&[s.index()])
            .result(s.r#type("tensor<4x?x?xf32, #iree_tensor_ext.ragged_shape<0>>"));
        LinearizeRaggedDimsOperation: |s, builder| builder
            .source(s.value_of("tensor<4x?x2xf32, #iree_tensor_ext.ragged_shape<0>>"))
            .result_dynamic_dims(&[s.index()])
            .result(s.tensor("?x2xf32"));
        ComputeBarrierStartOperation: |s, builder| builder
            .value(s.value("?x4xf32"))
            .value_dims(&[s.index()]);
        ComputeBarrierEndOperation: |s, builder| builder.value(s.value("4xf32")).value_dims(&[]);
        DispatchTensorLoadOperation: |s, builder| builder
            .source(s.value_of("!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>"))
            .source_dims(&[s.index()])
            .offsets(&[])
            .sizes(&[s.index()])
            .strides(&[])
            .static_offsets(s.list(&[0, 0]))
            .static_sizes(s.list(&[i64::MIN, 4]))
            .static_strides(s.list(&[1, 1]))
            .result(s.tensor("?x4xf32"));
        DispatchTensorStoreOperation: |s, builder| builder
            .value(s.value("2x4xf32"))
            .target(s.value_of("!iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x4xf32>>"))
            .target_dims(&[])
            .offsets(&[s.index()])
            .sizes(&[])
            .strides(&[])
            .static_offsets(s.list(&[i64::MIN, 0]))
            .static_sizes(s.list(&[2, 4]))
            .static_strides(s.list(&[1, 1]));
        DispatchWorkgroupCountFromSliceOperation: |s, builder| builder.operands(&[s.index()]);
        DispatchWorkgroupCountSplitReductionModifierOperation: |s, builder| builder
            .workgroup_x(s.index())
            .workgroup_y(s.index())
            .workgroup_z(s.index())
            .workload(&[s.index()]);
        DispatchWorkloadOrdinalOperation: |s, builder| builder
            .operand(s.index())
            .ordinal(0);
    }
}
