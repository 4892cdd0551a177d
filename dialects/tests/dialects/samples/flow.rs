#[cfg(feature = "flow")]
mod all;

use iree_dialects::flow as dialect;

use super::{Sample, samples};

pub(crate) fn samples() -> Vec<Sample> {
    let always = samples! {
        TensorConstantOperation: |s, builder| builder
            .value(s.attribute("#flow.parameter.named<\"model\"::\"w\"> : tensor<2x4xf32>"))
            .result(s.tensor("2x4xf32"));
        TensorBarrierOperation: |s, builder| builder
            .operand(s.value("?x4xi32"))
            .dynamic_dims(&[s.index()])
            .target(s.attribute("#hal.device.promise<@device>"))
            .result(s.tensor("?x4xi32"));
        TensorTieShapeOperation: |s, builder| builder
            .operand(s.value("?x4xf32"))
            .dynamic_dims(&[s.index()])
            .result(s.tensor("?x4xf32"));
        TensorTraceOperation: |s, builder| builder
            .key(s.string("loss"))
            .values(&[s.value("4xf32"), s.value("?x4xi8")])
            .value_dims(&[s.index()]);
        TensorReshapeOperation: |s, builder| builder
            .source(s.value("?x4xf32"))
            .source_dims(&[s.index()])
            .result_dims(&[s.index()])
            .result(s.tensor("?xf32"));
        TensorBitcastOperation: |s, builder| builder
            .source(s.value("?x4xi1"))
            .source_dims(&[s.index()])
            .result_dims(&[s.index()])
            .result(s.tensor("?x4xi8"));
    };
    #[cfg(feature = "flow")]
    let always = always.into_iter().chain(all::samples()).collect();
    always
}
