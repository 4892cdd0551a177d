//! What is there with the feature of the dialect only.

use iree_dialects::{flow as dialect, prelude::*};

use crate::{
    samples::{Sample, samples},
    scene::{Outcome, Scene, ends, region_of},
};

pub(crate) fn samples() -> Vec<Sample> {
    [tensors(), dispatches(), host(), groups()]
        .into_iter()
        .flatten()
        .collect()
}

fn tensors() -> Vec<Sample> {
    samples! {
        TensorDynamicConstantOperation: |s, builder| builder
            .value(s.attribute("dense<[1, 2]> : tensor<2xi32>"))
            .result(s.tensor("?xi32"));
        TensorEmptyOperation: |s, builder| builder
            .result_dims(&[s.index()])
            .result(s.tensor("?x4xf32"));
        TensorAllocaOperation: |s, builder| builder
            .result_dims(&[s.index()])
            .result(s.tensor("?x4xf32"));
        TensorSplatOperation: |s, builder| builder
            .value(s.number())
            .result_dims(&[s.index()])
            .result(s.tensor("?x4xi32"));
        TensorCloneOperation: |s, builder| builder
            .operand(s.value("?x4xf32"))
            .operand_dims(&[s.index()]);
        TensorEncodeOperation: |s, builder| builder
            .operand(s.value("?x4xf32"))
            .operand_dims(&[s.index()])
            .result_dims(&[s.index()])
            .result(s.tensor("?x4xf32"));
        TensorTransferOperation: |s, builder| builder
            .operand(s.value("?x4xf32"))
            .operand_dims(&[s.index()])
            .target(s.attribute("#hal.device.promise<@device>"));
        TensorLoadOperation: |s, builder| builder
            .source(s.value("?x4xf32"))
            .source_dims(&[s.index()])
            .indices(&[s.index(), s.index()])
            .result(s.r#type("f32"));
        TensorStoreOperation: |s, builder| builder
            .value(s.number())
            .target(s.value("?x4xi32"))
            .target_dims(&[s.index()])
            .indices(&[s.index(), s.index()]);
        TensorSliceOperation: |s, builder| builder
            .source(s.value("?x4xf32"))
            .source_dims(&[s.index()])
            .start_indices(&[s.index(), s.index()])
            .lengths(&[s.index(), s.index()])
            .result_dims(&[s.index()])
            .result(s.tensor("?x2xf32"));
        TensorUpdateOperation: |s, builder| builder
            .target(s.value("?x4xf32"))
            .target_dims(&[s.index()])
            .start_indices(&[s.index(), s.index()])
            .update(s.value("2x2xf32"))
            .update_dims(&[]);
    }
}

/// A region that returns its arguments, or as many first ones as there are.
fn returning<'c>(scene: &Scene<'c>, arguments: &[&str], results: usize) -> Outcome<Region<'c>> {
    let arguments = arguments.iter();
    let arguments = arguments.map(|text| (scene.r#type(text), scene.location));
    let block = Block::new(&arguments.collect::<Vec<_>>());
    let values = (0..results)
        .map(|index| Ok(block.argument(index)?.into()))
        .collect::<Outcome<Vec<_>>>()?;
    dialect::ReturnOperation::builder(scene.context, scene.location)
        .operands(&values)
        .append_to(&block)?;
    Ok(region_of(block))
}

const READ: &str = "!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>";
const WRITTEN: &str = "!iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>";

trait Places<'c> {
    /// Adds a dispatch with a block that returns nothing.
    fn workgroups(&self, block: Block<'c>) -> Outcome;
    /// Adds an executable with a block.
    fn executable(&self, block: Block<'c>) -> Outcome;
}

impl<'c> Places<'c> for Scene<'c> {
    fn workgroups(&self, block: Block<'c>) -> Outcome {
        for r#type in [READ, WRITTEN] {
            block.add_argument(self.r#type(r#type), self.location);
        }
        if !ends(&block, dialect::ReturnOperation::NAME) {
            dialect::ReturnOperation::builder(self.context, self.location)
                .operands(&[])
                .append_to(&block)?;
        }
        dialect::DispatchWorkgroupsOperation::builder(self.context, self.location)
            .workload(&[])
            .arguments(&[self.value("4xf32")])
            .argument_dims(&[])
            .result_dims(&[])
            .workgroup_body(region_of(block))
            .workgroup_count(Region::new())
            .results(&[self.tensor("4xf32")])
            .append_to(&self.block)?;
        Ok(())
    }

    fn executable(&self, block: Block<'c>) -> Outcome {
        if !ends(&block, dialect::ExecutableEndOperation::NAME) {
            dialect::ExecutableEndOperation::builder(self.context, self.location)
                .append_to(&block)?;
        }
        dialect::ExecutableOperation::builder(self.context, self.location)
            .sym_visibility("private")
            .sym_name("executable")
            .body(region_of(block))
            .append_to(&self.module.body())?;
        Ok(())
    }
}

fn dispatches() -> Vec<Sample> {
    samples! {
        DispatchOperation: |s, builder| {
            executable(s)?;
            builder
                .workload(&[s.index()])
                .entry_points(s.array("[@code::@entry]")?)
                .arguments(&[s.value("?x4xf32")])
                .argument_dims(&[s.index()])
                .result_dims(&[])
                .results(&[s.tensor("4xf32")])
        };
        DispatchRegionOperation: |s, builder| {
            let value = s.value("?xf32");
            let block = Block::new(&[]);
            dialect::ReturnOperation::builder(s.context, s.location)
                .operands(&[value])
                .append_to(&block)?;
            builder
                .result_dims(&[s.index()])
                .workload(&[])
                .body(region_of(block))
                .workgroup_count(Region::new())
                .results(&[s.tensor("?xf32")])
        };
        DispatchWorkgroupsOperation: |s, builder| builder
            .workload(&[s.index(), s.index(), s.index()])
            .arguments(&[s.value("4xf32")])
            .argument_dims(&[])
            .result_dims(&[])
            .workgroup_body(returning(s, &[READ, WRITTEN], 0)?)
            .workgroup_count(returning(s, &["index", "index", "index"], 3)?)
            .results(&[s.tensor("4xf32")]);
        // These may stand only inside of a dispatch.
        DispatchWorkgroupIdOperation in workgroups: |s, builder| builder
            .dimension(0);
        DispatchWorkgroupCountOperation in workgroups: |s, builder| builder
            .dimension(1);
        DispatchWorkgroupSizeOperation in workgroups: |s, builder| builder
            .dimension(2);
        DispatchTieShapeOperation: |s, builder| builder
            .operand(s.value_of("!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>"))
            .dynamic_dims(&[s.index()]);
        ReturnOperation in workgroups: |s, builder| builder.operands(&[]);
        ExecutableOperation in module: |s, builder| {
            let block = Block::new(&[]);
            dialect::ExecutableEndOperation::builder(s.context, s.location).append_to(&block)?;
            builder.sym_name("code").body(region_of(block))
        };
        // These may stand only in an executable.
        ExecutableEndOperation in executable: |s, builder| builder;
        ExecutableExportOperation in executable: |s, builder| builder
            .sym_name("entry")
            .function_ref("entry")
            .workgroup_count(Region::new());
    }
}

/// Declares an entry point.
fn executable(scene: &Scene<'_>) -> Outcome {
    let block = Block::new(&[]);
    dialect::ExecutableExportOperation::builder(scene.context, scene.location)
        .sym_name("entry")
        .function_ref("entry")
        .workgroup_count(Region::new())
        .append_to(&block)?;
    dialect::ExecutableEndOperation::builder(scene.context, scene.location).append_to(&block)?;
    dialect::ExecutableOperation::builder(scene.context, scene.location)
        .sym_name("code")
        .body(region_of(block))
        .append_to(&scene.module.body())?;
    Ok(())
}

fn host() -> Vec<Sample> {
    samples! {
        FuncOperation in module: |s, builder| builder
            .sym_name("host")
            .sym_visibility("private")
            .function_type(s.function_type("(tensor<4xf32>) -> tensor<4xf32>"))
            .body(Region::new());
        CallOperation: |s, builder| {
            dialect::FuncOperation::builder(s.context, s.location)
                .sym_name("host")
                .sym_visibility("private")
                .function_type(s.function_type("(tensor<?x4xf32>) -> tensor<?x4xf32>"))
                .body(Region::new())
                .append_to(&s.module.body())?;
            builder
                .callee("host")
                .arguments(&[s.value("?x4xf32")])
                .argument_dims(&[s.index()])
                .result_dims(&[s.index()])
                .results(&[s.tensor("?x4xf32")])
        };
        ParameterLoadOperation: |s, builder| builder
            .source_scope(s.value_of("!util.buffer"))
            .source_key(s.value_of("!util.buffer"))
            .source_offset(s.value_of("i64"))
            .result_dims(&[s.index()])
            .result(s.tensor("?x4xf32"));
        ParameterWriteOperation: |s, builder| builder
            .source(s.value("?x4xf32"))
            .source_dims(&[s.index()])
            .target_key(s.value_of("!util.buffer"))
            .target_offset(s.value_of("i64"));
    }
}

fn groups() -> Vec<Sample> {
    use dialect::{CollectiveElementType::Float32, CollectiveReduction::Sum};
    samples! {
        ChannelDefaultOperation: |s, builder| builder
            .group("workers")
            .result(s.r#type("!flow.channel"));
        ChannelSplitOperation: |s, builder| builder
            .channel(s.value_of("!flow.channel"))
            .color(s.index())
            .key(s.index())
            .result(s.r#type("!flow.channel"));
        ChannelRankOperation: |s, builder| builder.channel(s.value_of("!flow.channel"));
        ChannelCountOperation: |s, builder| builder.channel(s.value_of("!flow.channel"));
        CollectiveAllGatherOperation: |s, builder| builder
            .element_type(Float32)
            .target(s.value("8xf32"))
            .target_dims(&[])
            .source(s.value("4xf32"))
            .channel(s.value_of("!flow.channel"));
        CollectiveAllReduceOperation: |s, builder| builder
            .reduction_op(Sum)
            .element_type(Float32)
            .target(s.value("8xf32"))
            .target_dims(&[])
            .source(s.value("8xf32"))
            .channel(s.value_of("!flow.channel"));
        CollectiveAllToAllOperation: |s, builder| builder
            .element_type(Float32)
            .target(s.value("?xf32"))
            .target_dims(&[s.index()])
            .source(s.value("?xf32"))
            .channel(s.value_of("!flow.channel"));
        CollectiveReduceScatterOperation: |s, builder| builder
            .reduction_op(Sum)
            .element_type(Float32)
            .target(s.value("4xf32"))
            .target_dims(&[])
            .source(s.value("8xf32"))
            .channel(s.value_of("!flow.channel"));
        CollectiveSendRecvOperation: |s, builder| builder
            .element_type(Float32)
            .target(s.value("8xf32"))
            .target_dims(&[])
            .source(s.value("8xf32"))
            .channel(s.value_of("!flow.channel"))
            .send(s.index())
            .recv(s.index());
    }
}
