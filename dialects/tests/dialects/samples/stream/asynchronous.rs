//! Values without shapes, and what is done with them in which order.

use iree_dialects::{prelude::*, stream as dialect};

use super::{CHANNEL, HOST_BUFFER, RESOURCE, STAGING, TIMEPOINT, TRANSIENT, r#yield, yielding};
use crate::{
    samples::{Sample, samples},
    scene::{Outcome, Scene, region_of},
};

pub(super) fn samples() -> Vec<Sample> {
    [values(), parts(), functions(), regions(), parameters()]
        .into_iter()
        .flatten()
        .collect()
}

fn values() -> Vec<Sample> {
    samples! {
        AsyncAllocaOperation: |s, builder| builder
            .storage_size(s.index())
            .result(s.r#type(TRANSIENT));
        AsyncConstantOperation: |s, builder| builder
            .await_timepoint(s.timepoint())
            .value(s.attribute("dense<1> : tensor<4xi32>"))
            .result_size(s.index())
            .result(s.r#type("!stream.resource<constant>"));
        AsyncSplatOperation: |s, builder| builder
            .value(s.number())
            .result_size(s.index())
            .affinity(s.device())
            .result(s.r#type(RESOURCE));
        AsyncCloneOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .result_size(s.index())
            .result(s.r#type(RESOURCE));
        AsyncBarrierOperation: |s, builder| builder
            .source(s.resource())
            .size(s.index())
            .affinity(s.device());
        AsyncTransferOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .result_size(s.index())
            .source_affinity(s.attribute("#hal.device.promise<@other>"))
            .target_affinity(s.device())
            .execution_affinity(s.device())
            .result(s.r#type(STAGING));
        AsyncCastOperation: |s, builder| {
            let size = s.index();
            builder
                .source(s.resource())
                .source_size(size)
                .result_size(size)
                .result(s.r#type(TRANSIENT))
        };
        AsyncLoadOperation: |s, builder| builder
            .source(s.value_of(STAGING))
            .source_size(s.index())
            .source_offset(s.index())
            .result(s.r#type("i32"));
        AsyncStoreOperation: |s, builder| builder
            .target(s.value_of(STAGING))
            .target_size(s.index())
            .target_offset(s.index())
            .value(s.number());
    }
}

fn parts() -> Vec<Sample> {
    samples! {
        AsyncSliceOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .source_offset(s.index())
            .source_end(s.index())
            .result_size(s.index());
        AsyncFillOperation: |s, builder| builder
            .target(s.resource())
            .target_size(s.index())
            .target_offset(s.index())
            .target_end(s.index())
            .target_length(s.index())
            .value(s.number());
        AsyncUpdateOperation: |s, builder| builder
            .target(s.resource())
            .target_size(s.index())
            .target_offset(s.index())
            .target_end(s.index())
            .update(s.resource())
            .update_size(s.index());
        AsyncCopyOperation: |s, builder| builder
            .target(s.resource())
            .target_size(s.index())
            .target_offset(s.index())
            .target_end(s.index())
            .source(s.resource())
            .source_size(s.index())
            .source_offset(s.index())
            .source_end(s.index())
            .length(s.index());
        AsyncCollectiveOperation: |s, builder| builder
            .op(dialect::Collective {
                kind: dialect::CollectiveKind::Broadcast,
                reduction: None,
                element_type: dialect::CollectiveElementType::Float32,
            })
            .target(s.resource())
            .target_size(s.index())
            .target_offset(s.index())
            .target_end(s.index())
            .target_length(s.index())
            .source(s.resource())
            .source_size(s.index())
            .source_offset(s.index())
            .source_end(s.index())
            .source_length(s.index())
            .element_count(s.index())
            .channel(s.value_of(CHANNEL))
            .param(s.number());
    }
}

fn functions() -> Vec<Sample> {
    samples! {
        AsyncDispatchOperation: |s, builder| builder
            .workload(&[s.index(), s.index()])
            .entry_points(s.array("[@executable::@entry]")?)
            .resource_operands(&[s.resource(), s.number()])
            .resource_operand_sizes(&[s.index()])
            .resource_operand_offsets(&[s.index()])
            .resource_operand_ends(&[s.index()])
            .resource_operand_lengths(&[s.index()])
            .result_sizes(&[s.index()])
            .results(&[s.r#type(RESOURCE)]);
        AsyncFuncOperation in module: |s, builder| builder
            .sym_name("host")
            .sym_visibility("private")
            .function_type(s.function_type("(!stream.resource<*>, index) -> !stream.resource<*>"))
            .body(Region::new());
        AsyncCallOperation: |s, builder| {
            dialect::AsyncFuncOperation::builder(s.context, s.location)
                .sym_name("host")
                .sym_visibility("private")
                .function_type(s.function_type("(!stream.resource<*>, i32) -> !stream.resource<*>"))
                .body(Region::new())
                .append_to(&s.module.body())?;
            builder
                .callee("host")
                .resource_operands(&[s.resource(), s.number()])
                .resource_operand_sizes(&[s.index()])
                .resource_operand_offsets(&[s.index()])
                .resource_operand_ends(&[s.index()])
                .resource_operand_lengths(&[s.index()])
                .result_sizes(&[s.index()])
                .results(&[s.r#type(RESOURCE)])
        };
    }
}

trait Places<'c> {
    /// Adds operations of a block that a device runs.
    fn execute(&self, block: Block<'c>) -> Outcome;
}

impl<'c> Places<'c> for Scene<'c> {
    fn execute(&self, block: Block<'c>) -> Outcome {
        r#yield(self, &block)?;
        dialect::AsyncExecuteOperation::builder(self.context, self.location)
            .resource_operands(&[])
            .resource_operand_sizes(&[])
            .result_sizes(&[])
            .results(&[])
            .result_timepoint(self.r#type(TIMEPOINT))
            .body(region_of(block))
            .append_to(&self.block)?;
        Ok(())
    }
}

fn regions() -> Vec<Sample> {
    samples! {
        AsyncExecuteOperation: |s, builder| {
            let size = s.index();
            let block = Block::new(&[(s.r#type(RESOURCE), s.location)]);
            dialect::YieldOperation::builder(s.context, s.location)
                .resource_operands(&[block.argument(0)?.into()])
                .resource_operand_sizes(&[size])
                .append_to(&block)?;
            builder
                .resource_operands(&[s.resource()])
                .resource_operand_sizes(&[size])
                .result_sizes(&[size])
                .await_timepoint(s.timepoint())
                .affinity(s.device())
                .results(&[s.r#type(RESOURCE)])
                .result_timepoint(s.r#type(TIMEPOINT))
                .body(region_of(block))
        };
        // These may stand only in one of those.
        AsyncConcurrentOperation in execute: |s, builder| builder
            .resource_operands(&[])
            .resource_operand_sizes(&[])
            .result_sizes(&[])
            .results(&[])
            .body(yielding(s, &[])?);
        YieldOperation in execute: |s, builder| builder
            .resource_operands(&[])
            .resource_operand_sizes(&[]);
    }
}

fn parameters() -> Vec<Sample> {
    samples! {
        AsyncParameterLoadOperation: |s, builder| builder
            .await_timepoint(s.timepoint())
            .source_scope(s.value_of(HOST_BUFFER))
            .source_key(s.key())
            .source_offset(s.long())
            .result_size(s.index())
            .result(s.r#type(RESOURCE))
            .result_timepoint(s.r#type(TIMEPOINT));
        AsyncParameterReadOperation: |s, builder| builder
            .target(s.resource())
            .target_size(s.index())
            .target_offset(s.index())
            .target_end(s.index())
            .target_length(s.index())
            .source_key(s.key())
            .source_offset(s.long())
            .result_timepoint(s.r#type(TIMEPOINT));
        AsyncParameterWriteOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .source_offset(s.index())
            .source_end(s.index())
            .source_length(s.index())
            .target_scope(s.key())
            .target_key(s.key())
            .target_offset(s.long())
            .await_timepoint(s.timepoint())
            .result_timepoint(s.r#type(TIMEPOINT));
        AsyncParameterGatherOperation: |s, builder| builder
            .source_keys(&[s.key(), s.key()])
            .source_offsets(&[s.long(), s.long()])
            .target(s.resource())
            .target_size(s.index())
            .target_offsets(&[s.index(), s.index()])
            .target_ends(&[s.index(), s.index()])
            .target_lengths(&[s.index(), s.index()])
            .result_timepoint(s.r#type(TIMEPOINT));
        AsyncParameterScatterOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .source_offsets(&[s.index()])
            .source_ends(&[s.index()])
            .source_lengths(&[s.index()])
            .target_scope(s.key())
            .target_keys(&[s.key()])
            .target_offsets(&[s.long()])
            .result_timepoint(s.r#type(TIMEPOINT));
    }
}
