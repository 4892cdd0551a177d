//! What devices are told to do.

use iree_dialects::{prelude::*, stream as dialect};

use super::{CHANNEL, RESOURCE, TIMEPOINT, r#yield, yielding};
use crate::{
    samples::{Sample, samples},
    scene::{Outcome, Scene, region_of},
};

pub(super) fn samples() -> Vec<Sample> {
    [parts(), functions(), regions(), parameters()]
        .into_iter()
        .flatten()
        .collect()
}

/// The parts that say which part of a resource is written.
macro_rules! target {
    ($scene:ident, $builder:ident) => {
        $builder
            .target($scene.resource())
            .target_size($scene.index())
            .target_offset($scene.index())
            .target_length($scene.index())
    };
}

fn parts() -> Vec<Sample> {
    samples! {
        CmdFlushOperation: |s, builder| target!(s, builder).source_affinity(s.device());
        CmdInvalidateOperation: |s, builder| target!(s, builder).source_affinity(s.device());
        CmdDiscardOperation: |s, builder| target!(s, builder);
        CmdFillOperation: |s, builder| target!(s, builder).value(s.number());
        CmdCopyOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .source_offset(s.index())
            .target(s.resource())
            .target_size(s.index())
            .target_offset(s.index())
            .length(s.index());
        CmdCollectiveOperation: |s, builder| builder
            .op(dialect::Collective {
                kind: dialect::CollectiveKind::AllReduce,
                reduction: Some(dialect::CollectiveReduction::Maximum),
                element_type: dialect::CollectiveElementType::Uint8,
            })
            .channel(s.value_of(CHANNEL))
            .element_count(s.index())
            .resources(&[s.resource(), s.resource()])
            .resource_sizes(&[s.index(), s.index()])
            .resource_offsets(&[s.index(), s.index()])
            .resource_lengths(&[s.index(), s.index()])
            .resource_accesses(&[dialect::ResourceAccess::READ, dialect::ResourceAccess::WRITE]);
    }
}

fn functions() -> Vec<Sample> {
    samples! {
        CmdDispatchOperation: |s, builder| builder
            .workload(&[s.index()])
            .entry_points(s.array("[@executable::@entry]")?)
            .uniform_operands(&[s.number()])
            .resources(&[s.resource()])
            .resource_sizes(&[s.index()])
            .resource_offsets(&[s.index()])
            .resource_lengths(&[s.index()])
            .resource_accesses(&[dialect::ResourceAccess::READ | dialect::ResourceAccess::WRITE]);
        CmdFuncOperation in module: |s, builder| builder
            .sym_name("host")
            .sym_visibility("private")
            .function_type(s.function_type("(!stream.resource<*>, index, index, i32) -> ()"))
            .body(Region::new());
        CmdCallOperation: |s, builder| {
            dialect::CmdFuncOperation::builder(s.context, s.location)
                .sym_name("host")
                .sym_visibility("private")
                .function_type(s.function_type("(!stream.resource<*>, index, index, i32) -> i32"))
                .body(Region::new())
                .append_to(&s.module.body())?;
            builder
                .callee("host")
                .resource_operands(&[s.resource(), s.number()])
                .resource_operand_sizes(&[s.index()])
                .resource_operand_offsets(&[s.index()])
                .resource_operand_lengths(&[s.index()])
                .result_sizes(&[])
                .resource_operand_accesses(&[dialect::ResourceAccess::READ])
                .results(&[s.r#type("i32")])
        };
    }
}

trait Places<'c> {
    /// Adds commands of a block.
    fn execute(&self, block: Block<'c>) -> Outcome;
}

impl<'c> Places<'c> for Scene<'c> {
    fn execute(&self, block: Block<'c>) -> Outcome {
        r#yield(self, &block)?;
        dialect::CmdExecuteOperation::builder(self.context, self.location)
            .resource_operands(&[])
            .resource_operand_sizes(&[])
            .result_timepoint(self.r#type(TIMEPOINT))
            .body(region_of(block))
            .append_to(&self.block)?;
        Ok(())
    }
}

fn regions() -> Vec<Sample> {
    samples! {
        CmdExecuteOperation: |s, builder| builder
            .resource_operands(&[s.resource()])
            .resource_operand_sizes(&[s.index()])
            .once(true)
            .await_timepoint(s.timepoint())
            .affinity(s.device())
            .result_timepoint(s.r#type(TIMEPOINT))
            .body(yielding(s, &[RESOURCE])?);
        // These may stand only among commands.
        CmdSerialOperation in execute: |s, builder| builder.body(yielding(s, &[])?);
        CmdConcurrentOperation in execute: |s, builder| builder.body(yielding(s, &[])?);
    }
}

fn parameters() -> Vec<Sample> {
    samples! {
        CmdParameterLoadOperation: |s, builder| builder
            .source_scope(s.key())
            .source_keys(&[s.key(), s.key()])
            .source_offsets(&[s.long(), s.long()])
            .result_sizes(&[s.index(), s.index()])
            .await_timepoint(s.timepoint())
            .results(&[s.r#type(RESOURCE), s.r#type(RESOURCE)])
            .result_timepoint(s.r#type(TIMEPOINT));
        CmdParameterReadOperation: |s, builder| target!(s, builder)
            .source_key(s.key())
            .source_offset(s.long())
            .result_timepoint(s.r#type(TIMEPOINT));
        CmdParameterWriteOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .source_offset(s.index())
            .source_length(s.index())
            .target_scope(s.key())
            .target_key(s.key())
            .target_offset(s.long())
            .result_timepoint(s.r#type(TIMEPOINT));
        CmdParameterGatherOperation: |s, builder| builder
            .source_keys(&[s.key()])
            .source_offsets(&[s.long()])
            .target(s.resource())
            .target_size(s.index())
            .target_offsets(&[s.index()])
            .target_lengths(&[s.index()])
            .result_timepoint(s.r#type(TIMEPOINT));
        CmdParameterScatterOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .source_offsets(&[s.index()])
            .source_lengths(&[s.index()])
            .target_keys(&[s.key()])
            .target_offsets(&[s.long()])
            .await_timepoint(s.timepoint())
            .result_timepoint(s.r#type(TIMEPOINT));
    }
}
