mod asynchronous;
mod commands;
mod executables;
mod tensors;

use iree_dialects::{prelude::*, stream as dialect};

use super::{Sample, samples};
use crate::scene::{Outcome, Scene, ends, region_of};

const CHANNEL: &str = "!stream.channel";
const CONSTANT: &str = "!stream.resource<constant>";
const FENCE: &str = "!hal.fence";
const FILE: &str = "!stream.file";
const HOST_BUFFER: &str = "!util.buffer";
const RESOURCE: &str = "!stream.resource<*>";
const STAGING: &str = "!stream.resource<staging>";
const TIMEPOINT: &str = "!stream.timepoint";
const TRANSIENT: &str = "!stream.resource<transient>";

pub(crate) fn samples() -> Vec<Sample> {
    [
        resources(),
        files(),
        tensors::samples(),
        asynchronous::samples(),
        commands::samples(),
        timepoints(),
        channels(),
        executables::samples(),
        tests(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl<'c> Scene<'c> {
    /// A resource whose lifetime is not known.
    fn resource(&self) -> Value<'c, 'c> {
        self.value_of(RESOURCE)
    }

    /// A text of the host.
    fn key(&self) -> Value<'c, 'c> {
        self.value_of(HOST_BUFFER)
    }

    fn timepoint(&self) -> Value<'c, 'c> {
        self.value_of(TIMEPOINT)
    }

    fn long(&self) -> Value<'c, 'c> {
        self.value_of("i64")
    }

    fn device(&self) -> Attribute<'c> {
        self.attribute("#hal.device.promise<@device>")
    }
}

/// Ends a block, if it has no end.
fn r#yield<'c>(scene: &Scene<'c>, block: &Block<'c>) -> Outcome {
    if !ends(block, dialect::YieldOperation::NAME) {
        dialect::YieldOperation::builder(scene.context, scene.location)
            .resource_operands(&[])
            .resource_operand_sizes(&[])
            .append_to(block)?;
    }
    Ok(())
}

/// A region that yields nothing.
fn yielding<'c>(scene: &Scene<'c>, arguments: &[&str]) -> Outcome<Region<'c>> {
    let arguments = arguments.iter();
    let arguments = arguments.map(|text| (scene.r#type(text), scene.location));
    let block = Block::new(&arguments.collect::<Vec<_>>());
    r#yield(scene, &block)?;
    Ok(region_of(block))
}

fn resources() -> Vec<Sample> {
    samples! {
        ContextResolveOperation: |s, builder| builder
            .affinity(s.device())
            .results(&[s.r#type("!hal.device"), s.r#type("i64")]);
        ResourceAllocOperation: |s, builder| builder
            .storage_size(s.index())
            .uninitialized(true)
            .affinity(s.device())
            .result(s.r#type(TRANSIENT));
        ResourceAllocaOperation: |s, builder| builder
            .storage_size(s.index())
            .indeterminate_lifetime(true)
            .await_timepoint(s.timepoint())
            .affinity(s.device())
            .result(s.r#type(TRANSIENT))
            .result_timepoint(s.r#type(TIMEPOINT));
        ResourceDeallocaOperation: |s, builder| builder
            .operand(s.value_of(TRANSIENT))
            .operand_size(s.index())
            .prefer_origin(true)
            .await_timepoint(s.timepoint())
            .affinity(s.device())
            .result_timepoint(s.r#type(TIMEPOINT));
        ResourceRetainOperation: |s, builder| builder
            .operand(s.resource())
            .operand_size(s.index());
        ResourceReleaseOperation: |s, builder| builder
            .operand(s.resource())
            .operand_size(s.index());
        ResourceIsTerminalOperation: |s, builder| builder
            .operand(s.resource())
            .operand_size(s.index());
        ResourceSizeOperation: |s, builder| builder.operand(s.resource());
        ResourceTryMapOperation: |s, builder| builder
            .source(s.value_of(HOST_BUFFER))
            .source_offset(s.index())
            .result_size(s.index())
            .result(s.r#type(CONSTANT));
        ResourceLoadOperation: |s, builder| builder
            .source(s.value_of(STAGING))
            .source_size(s.index())
            .source_offset(s.index())
            .result(s.r#type("i32"));
        ResourceStoreOperation: |s, builder| builder
            .target(s.value_of(STAGING))
            .target_size(s.index())
            .target_offset(s.index())
            .value(s.number());
        ResourcePackOperation: |s, builder| builder
            .offset(s.index())
            .lifetime_intervals(s.array("[0 : index, 9 : index, 4 : index, 12 : index]")?)
            .dynamic_slice_sizes(&[s.index(), s.index()])
            .packed_offsets(&[s.r#type("index"), s.r#type("index")]);
        ResourceConstantsOperation: |s, builder| builder
            .values(s.array("[dense<1> : tensor<4xi32>, dense<2> : tensor<2xi8>]")?)
            .result_sizes(&[s.index(), s.index()])
            .results(&[s.r#type(CONSTANT), s.r#type(CONSTANT)])
            .result_timepoint(s.r#type(TIMEPOINT));
        ResourceSubviewOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .source_offset(s.index())
            .result_size(s.index());
        ResourceTransientsOperation: |s, builder| builder
            .resource(s.resource())
            .resource_size(s.index())
            .storage(s.value_of(TRANSIENT))
            .storage_size(s.index())
            .await_timepoint(s.timepoint())
            .result_timepoint(s.r#type(TIMEPOINT));
    }
}

fn files() -> Vec<Sample> {
    samples! {
        FileConstantOperation: |s, builder| builder
            .source(s.value_of(HOST_BUFFER))
            .source_size(s.index())
            .source_offset(s.index())
            .source_length(s.index())
            .result(s.r#type(FILE));
        FileReadOperation: |s, builder| builder
            .source(s.value_of(FILE))
            .source_offset(s.long())
            .target(s.resource())
            .target_size(s.index())
            .target_offset(s.index())
            .length(s.index())
            .await_timepoint(s.timepoint())
            .result_timepoint(s.r#type(TIMEPOINT));
        FileWriteOperation: |s, builder| builder
            .source(s.resource())
            .source_size(s.index())
            .source_offset(s.index())
            .target(s.value_of(FILE))
            .target_offset(s.long())
            .length(s.index())
            .result_timepoint(s.r#type(TIMEPOINT));
    }
}

fn timepoints() -> Vec<Sample> {
    samples! {
        TimepointImmediateOperation: |s, builder| builder.result_timepoint(s.r#type(TIMEPOINT));
        TimepointImportOperation: |s, builder| builder
            .operands(&[s.value_of(FENCE)])
            .affinity(s.device())
            .result_timepoint(s.r#type(TIMEPOINT));
        TimepointExportOperation: |s, builder| builder
            .await_timepoint(s.timepoint())
            .results(&[s.r#type(FENCE)]);
        TimepointChainExternalOperation: |s, builder| builder
            .await_timepoint(s.timepoint())
            .external_values(&[s.value_of(FENCE)]);
        TimepointJoinOperation: |s, builder| builder
            .await_timepoints(&[s.timepoint(), s.timepoint()])
            .result_timepoint(s.r#type(TIMEPOINT));
        TimepointBarrierOperation: |s, builder| builder
            .resource(s.resource())
            .resource_size(s.index())
            .result_timepoint(s.r#type(TIMEPOINT));
        TimepointAwaitOperation: |s, builder| builder
            .resource_operands(&[s.resource(), s.value_of(STAGING)])
            .resource_operand_sizes(&[s.index(), s.index()])
            .await_timepoint(s.timepoint())
            .sync(true);
    }
}

fn channels() -> Vec<Sample> {
    samples! {
        ChannelCreateOperation: |s, builder| builder
            .id(s.key())
            .group("workers")
            .rank(s.index())
            .count(s.index())
            .affinity(s.device())
            .result(s.r#type(CHANNEL));
        ChannelSplitOperation: |s, builder| builder
            .channel(s.value_of(CHANNEL))
            .color(s.index())
            .key(s.index())
            .result(s.r#type(CHANNEL));
        ChannelRankOperation: |s, builder| builder.channel(s.value_of(CHANNEL));
        ChannelCountOperation: |s, builder| builder.channel(s.value_of(CHANNEL));
    }
}

fn tests() -> Vec<Sample> {
    samples! {
        TestTimelineOpOperation: |s, builder| builder
            .resource_operands(&[s.resource()])
            .resource_operand_sizes(&[s.index()])
            .result_sizes(&[s.index()])
            .await_operands(&[s.timepoint()])
            .await_limit(1)
            .results(&[s.r#type(RESOURCE)])
            .result_timepoint(s.r#type(TIMEPOINT));
        TestTimelineAwareOperation: |s, builder| builder
            .args(&[s.number()])
            .wait_fence_likes(&[s.value_of("!stream.test.fence")])
            .signal_fence_like(s.value_of("!stream.test.fence"))
            .results(&[s.r#type("i32")]);
    }
}
