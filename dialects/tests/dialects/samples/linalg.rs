use iree_dialects::{linalg as dialect, prelude::*};

use super::{Sample, samples};
use crate::scene::region_of;

pub(crate) fn samples() -> Vec<Sample> {
    samples! {
        FillOperation: |s, builder| {
            let block = s.elements();
            dialect::YieldOperation::builder(s.context, s.location)
                .values(&[block.argument(0)?.into()])
                .append_to(&block)?;
            builder
                .inputs(&[s.number()])
                .outputs(&[s.value("i32")])
                .result_tensors(&[s.tensor("i32")])
                .region(region_of(block))
        };
        // It may stand only at the end of a region of an operation of its dialect.
        YieldOperation in fill: |s, builder| builder.values(&[s.number()]);
    }
}
