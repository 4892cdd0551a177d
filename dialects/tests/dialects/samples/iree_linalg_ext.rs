#[cfg(feature = "iree_linalg_ext")]
mod all;

use iree_dialects::{iree_linalg_ext as dialect, prelude::*};

use super::{Sample, samples};
use crate::scene::region_of;

pub(crate) fn samples() -> Vec<Sample> {
    let always = samples! {
        GatherOperation: |s, builder| builder
            .source(s.value("10xf32"))
            .indices(s.value("1xi32"))
            .mask(s.value("1xi1"))
            .output(s.value("1xf32"))
            .dimension_map(s.list(&[0]))
            .results(&[s.tensor("1xf32")]);
        ScanOperation: |s, builder| {
            let block = s.elements();
            dialect::YieldOperation::builder(s.context, s.location)
                .values(&[block.argument(0)?.into()])
                .append_to(&block)?;
            builder
                .operand(s.value("?x3xi32"))
                .output(s.value("?x3xi32"))
                .accumulator(s.value("3xi32"))
                .dimension(s.i64(0))
                .inclusive(s.bool(true))
                .result(s.tensor("?x3xi32"))
                .last(s.tensor("3xi32"))
                .body(region_of(block))
        };
        // It may stand only at the end of a region of an operation of its dialect.
        YieldOperation in scan: |s, builder| builder.values(&[s.number()]);
    };
    #[cfg(feature = "iree_linalg_ext")]
    let always = always.into_iter().chain(all::samples()).collect();
    always
}
