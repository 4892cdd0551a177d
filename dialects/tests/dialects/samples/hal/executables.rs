//! Code for devices, and what is in it.

use iree_dialects::{AttributeValue, arith, hal as dialect, prelude::*};

use super::{DEVICE, EXECUTABLE, layout, returning, target, workgroups};
use crate::{
    samples::{Sample, samples},
    scene::{Outcome, Scene, ends, region_of},
};

pub(super) fn samples() -> Vec<Sample> {
    [executables(), functions(), lookups(), code(), instruments()]
        .into_iter()
        .flatten()
        .collect()
}

trait Places<'c> {
    /// Adds code with a block.
    fn source(&self, block: Block<'c>) -> Outcome;
    /// Adds an executable with a block.
    fn executable(&self, block: Block<'c>) -> Outcome;
    /// Adds an executable with a variant that has a block.
    fn variant(&self, block: Block<'c>) -> Outcome;
}

impl<'c> Places<'c> for Scene<'c> {
    fn source(&self, block: Block<'c>) -> Outcome {
        if !ends(&block, dialect::ExecutableSourceEndOperation::NAME) {
            dialect::ExecutableSourceEndOperation::builder(self.context, self.location)
                .append_to(&block)?;
        }
        dialect::ExecutableSourceOperation::builder(self.context, self.location)
            .sym_visibility("private")
            .sym_name("source")
            .body(region_of(block))
            .append_to(&self.module.body())?;
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

    fn variant(&self, block: Block<'c>) -> Outcome {
        if !ends(&block, dialect::ExecutableVariantEndOperation::NAME) {
            dialect::ExecutableVariantEndOperation::builder(self.context, self.location)
                .append_to(&block)?;
        }
        let outer = Block::new(&[]);
        dialect::ExecutableVariantOperation::builder(self.context, self.location)
            .sym_name("variant")
            .target(target())
            .body(region_of(block))
            .append_to(&outer)?;
        self.executable(outer)
    }
}

/// A block that ends with an operation.
macro_rules! ended {
    ($scene:ident, $end:ident) => {{
        let block = Block::new(&[]);
        dialect::$end::builder($scene.context, $scene.location).append_to(&block)?;
        region_of(block)
    }};
}

fn executables() -> Vec<Sample> {
    samples! {
        ExecutableSourceOperation in module: |s, builder| builder
            .sym_name("source")
            .objects(s.attribute(
                "#hal.executable.objects<{#hal.executable.target<\"llvm-cpu\", \"elf\"> = []}>",
            ))
            .body(ended!(s, ExecutableSourceEndOperation));
        ExecutableOperation in module: |s, builder| {
            let convention = dialect::AbiConvention {
                execution_model: dialect::ExecutionModel::CoarseFences,
            };
            builder
                .sym_name("executable")
                .lazy(true)
                .body(ended!(s, ExecutableEndOperation))
                .discardable_attribute("hal.abi.convention", convention.to_attribute(s.context)?)
        };
        // These may stand only in one of those.
        ExecutableSourceEndOperation in source: |s, builder| builder;
        ExecutableEndOperation in executable: |s, builder| builder;
        ExecutableVariantOperation in executable: |s, builder| {
            let data = s.attribute("dense<[1, 2]> : tensor<2xi8>");
            let object = dialect::ExecutableObject {
                path: "code.o".to_owned(),
                data: Some(data),
            };
            builder
                .sym_name("variant")
                .target(dialect::ExecutableTarget {
                    configuration: Some(s.attribute("{cpu = \"generic\"}")),
                    ..target()
                })
                .objects(&[object])
                .body(ended!(s, ExecutableVariantEndOperation))
        };
        ExecutableVariantEndOperation in variant: |s, builder| builder;
        ExecutableBinaryOperation in executable: |s, builder| builder
            .sym_name("binary")
            .format("elf")
            .data(s.attribute("dense<[1, 2]> : tensor<2xi8>"))
            .mime_type("application/x-elf");
    }
}

fn functions() -> Vec<Sample> {
    samples! {
        ExecutableExportOperation in variant: |s, builder| builder
            .sym_name("entry")
            .ordinal(0)
            .layout(layout(s)?)
            .workgroup_size(s.array("[64 : index, 1 : index, 1 : index]")?)
            .subgroup_size(32)
            .workgroup_local_memory(1024)
            .workgroup_count(workgroups(s)?)
            .condition(Region::new());
        ExecutableConditionOperation in variant: |s, builder| builder
            .function_type(s.function_type("(!hal.device) -> i1"))
            .body(returning(s, &[DEVICE], |block| constant(s, block, "true", "i1"))?);
        ExecutableConstantBlockOperation in variant: |s, builder| builder
            .function_type(s.function_type("() -> i32"))
            .keys(s.array("[\"size\"]")?)
            .body(returning(s, &[], |block| constant(s, block, "8 : i32", "i32"))?);
    }
}

fn constant<'c>(
    scene: &Scene<'c>,
    block: &Block<'c>,
    value: &str,
    r#type: &str,
) -> Outcome<Vec<Value<'c, 'c>>> {
    let constant = arith::ConstantOperation::builder(scene.context, scene.location)
        .value(scene.attribute(value))
        .result(scene.r#type(r#type))
        .append_to(block)?;
    Ok(vec![constant.result()?])
}

fn lookups() -> Vec<Sample> {
    samples! {
        ExecutableCreateOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .queue_affinity(s.value_of("i64"))
            .executable_target(s.attribute("@executable::@binary"))
            .constants(&[s.number()])
            .result(s.r#type(EXECUTABLE));
        ExecutableLookupOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .executable("executable")
            .result(s.r#type(EXECUTABLE));
        ExecutableLookupFunctionOperation: |s, builder| builder
            .executable(s.value_of(EXECUTABLE))
            .entry_point(s.attribute("@executable::@variant::@entry"));
        ExecutableExportOrdinalOperation: |s, builder| builder
            .entry_point(s.attribute("@executable::@variant::@entry"));
        ExecutableCalculateWorkgroupsOperation: |s, builder| builder
            .device(s.value_of(DEVICE))
            .entry_point(s.attribute("@executable::@variant::@entry"))
            .workload(&[s.index()]);
    }
}

fn code() -> Vec<Sample> {
    samples! {
        ExecutableConstantLoadOperation: |s, builder| builder
            .key("size")
            .result(s.r#type("i32"));
        InterfaceWorkgroupIdOperation: |s, builder| builder.dimension(0);
        InterfaceWorkgroupCountOperation: |s, builder| builder.dimension(1).upper_bound(64);
        InterfaceWorkgroupSizeOperation: |s, builder| builder.dimension(2);
        InterfaceConstantLoadOperation: |s, builder| builder
            .layout(layout(s)?)
            .ordinal(0)
            .alignment(4)
            .values(s.array("[8 : i32, 16 : i32]")?)
            .result(s.r#type("i32"));
        InterfaceBindingSubspanOperation: |s, builder| builder
            .layout(layout(s)?)
            .binding(1)
            .byte_offset(s.index())
            .dynamic_dims(&[s.index()])
            .alignment(64)
            .descriptor_flags(dialect::DescriptorFlags::READ_ONLY)
            .result(s.r#type("memref<?x4xf32>"));
    }
}

const TRACE: &str = "memref<1024xi8>";

fn instruments() -> Vec<Sample> {
    samples! {
        InstrumentWorkgroupOperation: |s, builder| builder
            .buffer(s.value_of(TRACE))
            .dispatch_id(s.number());
        InstrumentPrintOperation: |s, builder| builder
            .buffer(s.value_of(TRACE))
            .workgroup_key(s.index())
            .format("%d")
            .values(&[s.number()]);
        InstrumentValueOperation: |s, builder| builder
            .buffer(s.value_of(TRACE))
            .workgroup_key(s.index())
            .ordinal(3)
            .operand(s.number());
        InstrumentMemoryLoadOperation: |s, builder| builder
            .buffer(s.value_of(TRACE))
            .workgroup_key(s.index())
            .load_value(s.number())
            .base(s.value_of("memref<4x4xi32>"))
            .indices(&[s.index(), s.index()]);
        InstrumentMemoryStoreOperation: |s, builder| builder
            .buffer(s.value_of(TRACE))
            .workgroup_key(s.index())
            .store_value(s.number())
            .base(s.value_of("memref<4x4xi32>"))
            .indices(&[s.index(), s.index()]);
    }
}
