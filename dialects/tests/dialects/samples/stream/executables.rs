//! Code for devices, and what is in it.

use iree_dialects::{prelude::*, stream as dialect};

use crate::{
    samples::{Sample, samples},
    scene::{Outcome, Scene, ends, region_of},
};

trait Places<'c> {
    /// Adds an executable with a block.
    fn executable(&self, block: Block<'c>) -> Outcome;
}

impl<'c> Places<'c> for Scene<'c> {
    fn executable(&self, block: Block<'c>) -> Outcome {
        let end = dialect::ExecutableEndOperation::NAME;
        if !ends(&block, end) {
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

/// The region of an entry point that returns its argument three times.
fn workgroups<'c>(scene: &Scene<'c>) -> Outcome<Region<'c>> {
    let block = Block::new(&[(scene.r#type("index"), scene.location)]);
    let count = block.argument(0)?.into();
    dialect::ReturnOperation::builder(scene.context, scene.location)
        .operands(&[count, count, count])
        .append_to(&block)?;
    Ok(region_of(block))
}

/// Adds an executable with an entry point that returns how many workgroups there are.
fn returning(scene: &Scene<'_>) -> Outcome {
    let block = Block::new(&[]);
    dialect::ExecutableExportOperation::builder(scene.context, scene.location)
        .sym_name("entry")
        .function_ref("entry")
        .workgroup_count(workgroups(scene)?)
        .append_to(&block)?;
    scene.executable(block)
}

pub(super) fn samples() -> Vec<Sample> {
    let mut samples = samples! {
        ExecutableOperation in module: |s, builder| {
            let block = Block::new(&[]);
            dialect::ExecutableEndOperation::builder(s.context, s.location).append_to(&block)?;
            builder.sym_name("code").body(region_of(block))
        };
        // These may stand only in an executable.
        ExecutableEndOperation in executable: |s, builder| builder;
        ExecutableExportOperation in executable: |s, builder| builder
            .sym_visibility("public")
            .sym_name("entry")
            .function_ref("entry")
            .workgroup_count(workgroups(s)?);
        BindingSubspanOperation: |s, builder| builder
            .binding(s.value_of("!stream.binding"))
            .byte_offset(s.index())
            .dynamic_dims(&[s.index()])
            .result(s.r#type("!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>"));
        DispatchWorkgroupIdOperation: |s, builder| builder.dimension(0);
        DispatchWorkgroupCountOperation: |s, builder| builder.dimension(1);
        DispatchWorkgroupSizeOperation: |s, builder| builder.dimension(2);
    };
    // It may stand only at the end of an entry point, which sees nothing around it.
    samples.push(Sample {
        name: dialect::ReturnOperation::NAME,
        build: returning,
    });
    samples
}
