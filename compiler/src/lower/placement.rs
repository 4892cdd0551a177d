//! Where tensors are.

use super::{
    emit::{Emitter, Result, Tensor},
    global,
};
use iree_dialects::{attributes, flow};

/// The device that IREE makes of the target of a compilation.
const DEVICE: &str = "#hal.device.promise<@__device_0>";

/// The same tensor, on the device.
///
/// IREE 3.13 cannot find out where a tensor is that iterations of a loop hand on, and copies it in each of
/// them, to where it is already. It then also no longer updates globals in place that are stored after
/// the loop, not even elsewhere in the module.
pub(super) fn pin<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    tensor: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    global::in_storage(emitter, tensor, |stored| {
        let value = flow::TensorBarrierOperation::builder(emitter.context, emitter.location)
            .operand(stored.value)
            .dynamic_dims(&emitter.unknown(&stored.ty.shape)?)
            .target(attributes::parse(emitter.context, DEVICE)?)
            .result(emitter.tensor_type(&stored.ty)?)
            .append_to(&emitter.block)?
            .result()?;
        Ok(Tensor { value, ..stored })
    })
}
