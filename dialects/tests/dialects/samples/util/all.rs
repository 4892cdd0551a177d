//! What is there with the feature of the dialect only.

use iree_dialects::{prelude::*, util as dialect};

use crate::{
    samples::{Sample, samples},
    scene::region_of,
};

pub(crate) fn samples() -> Vec<Sample> {
    [
        globals(),
        values(),
        numbers(),
        ends(),
        lists(),
        buffers(),
        texts(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

const POINTER: &str = "!util.ptr<tensor<f32>>";
const LIST: &str = "!util.list<i32>";
const BUFFER: &str = "!util.buffer";

fn globals() -> Vec<Sample> {
    samples! {
        GlobalAddressOperation: |s, builder| {
            s.global("state")?;
            builder.global("state").result(s.r#type(POINTER))
        };
        GlobalLoadIndirectOperation: |s, builder| builder
            .global(s.value_of(POINTER))
            .result(s.tensor("f32"));
        GlobalStoreIndirectOperation: |s, builder| builder
            .value(s.value("f32"))
            .global(s.value_of(POINTER));
    }
}

fn values() -> Vec<Sample> {
    samples! {
        NullOperation: |s, builder| builder.result(s.r#type(BUFFER));
        CastOperation: |s, builder| builder
            .operand(s.value_of("!util.object"))
            .result(s.r#type(BUFFER));
        CmpEqOperation: |s, builder| builder.lhs(s.value_of(BUFFER)).rhs(s.value_of(BUFFER));
        CmpNeOperation: |s, builder| builder.lhs(s.value_of(BUFFER)).rhs(s.value_of(BUFFER));
        SwitchOperation: |s, builder| builder
            .index(s.index())
            .default_value(s.number())
            .values(&[s.number(), s.number()]);
        UnfoldableConstantOperation: |s, builder| builder
            .value(s.attribute("42 : i32"))
            .result(s.r#type("i32"));
        NumericOptionalNarrowOperation: |s, builder| builder
            .operand(s.value("4xf32"))
            .semantic_type(TypeAttribute::new(s.r#type("ui8")))
            .min_value(s.attribute("0 : ui8"))
            .max_value(s.attribute("7 : ui8"));
        AssumeIntOperation: |s, builder| builder
            .operands(&[s.index(), s.number()])
            .assumptions(ArrayAttribute::try_from(s.attribute(
                "[[#util.int.assumption<umin = 1, umax = 9>], [#util.int.assumption<udiv = 4>]]",
            ))?);
        HoistableConversionOperation: |s, builder| {
            let block = Block::new(&[(s.tensor("4xf32"), s.location)]);
            dialect::ReturnOperation::builder(s.context, s.location)
                .operands(&[block.argument(0)?.into()])
                .append_to(&block)?;
            builder
                .tag("pack")
                .inverse_tag("unpack")
                .inputs(&[s.value("4xf32")])
                .body(region_of(block))
                .results(&[s.tensor("4xf32")])
        };
    }
}

fn numbers() -> Vec<Sample> {
    samples! {
        AlignOperation: |s, builder| builder.value(s.index()).alignment(s.index());
        SizeofOperation: |s, builder| builder.sized_type(TypeAttribute::new(s.r#type("f32")));
        RangeMinOperation: |s, builder| builder.operands(&[s.index(), s.index()]);
        RangeMaxOperation: |s, builder| builder.operands(&[s.index(), s.index()]);
        RangeExtentsOperation: |s, builder| builder
            .offsets(&[s.index(), s.index()])
            .lengths(&[s.index(), s.index()]);
    }
}

fn ends() -> Vec<Sample> {
    samples! {
        // It may stand only at the end of a block.
        UnreachableOperation in initializer: |s, builder| builder.message("never");
        ScfUnreachableOperation: |s, builder| builder.message("never");
        StatusCheckOkOperation: |s, builder| builder.status(s.number()).message("no device");
    }
}

fn lists() -> Vec<Sample> {
    samples! {
        ListCreateOperation: |s, builder| builder
            .initial_capacity(s.index())
            .result(s.r#type(LIST));
        ListConstructOperation: |s, builder| builder
            .values(&[s.number(), s.number()])
            .result(s.r#type(LIST));
        ListSizeOperation: |s, builder| builder.list(s.value_of(LIST));
        ListResizeOperation: |s, builder| builder.list(s.value_of(LIST)).new_size(s.index());
        ListGetOperation: |s, builder| builder
            .list(s.value_of(LIST))
            .index(s.index())
            .result(s.r#type("i32"));
        ListSetOperation: |s, builder| builder
            .list(s.value_of(LIST))
            .index(s.index())
            .value(s.number());
    }
}

fn buffers() -> Vec<Sample> {
    samples! {
        BufferConstantOperation: |s, builder| builder
            .name("table")
            .value(s.attribute("dense<[1, 2]> : tensor<2xi32>"))
            .alignment(64)
            .mime_type("text/plain")
            .result(s.r#type(BUFFER));
        BufferAllocOperation: |s, builder| builder
            .storage_size(s.index())
            .alignment(64)
            .result(s.r#type(BUFFER));
        BufferDeallocOperation: |s, builder| builder
            .operand(s.value_of(BUFFER))
            .operand_size(s.index());
        BufferSliceOperation: |s, builder| builder
            .source(s.value_of(BUFFER))
            .source_size(s.index())
            .source_offset(s.index())
            .result_size(s.index());
        BufferSubspanOperation: |s, builder| builder
            .source(s.value_of(BUFFER))
            .source_size(s.index())
            .source_offset(s.index())
            .result_size(s.index());
        BufferSizeOperation: |s, builder| builder.operand(s.value_of(BUFFER));
        BufferStorageOperation: |s, builder| builder
            .operand(s.value_of(BUFFER))
            .operand_size(s.index())
            .result(s.r#type("memref<?xi8>"));
        BufferCopyOperation: |s, builder| builder
            .source(s.value_of(BUFFER))
            .source_size(s.index())
            .source_offset(s.index())
            .target(s.value_of(BUFFER))
            .target_size(s.index())
            .target_offset(s.index())
            .length(s.index());
        BufferCompareOperation: |s, builder| builder
            .lhs(s.value_of(BUFFER))
            .lhs_size(s.index())
            .lhs_offset(s.index())
            .rhs(s.value_of(BUFFER))
            .rhs_size(s.index())
            .rhs_offset(s.index())
            .length(s.index());
        BufferFillOperation: |s, builder| builder
            .pattern(s.number())
            .target(s.value_of(BUFFER))
            .target_size(s.index())
            .target_offset(s.index())
            .length(s.index());
        BufferLoadOperation: |s, builder| builder
            .source(s.value_of(BUFFER))
            .source_size(s.index())
            .source_offset(s.index())
            .length(s.index())
            .result(s.r#type("i32"));
        BufferStoreOperation: |s, builder| builder
            .source(s.number())
            .target(s.value_of(BUFFER))
            .target_size(s.index())
            .target_offset(s.index())
            .length(s.index());
        BufferHashOperation: |s, builder| builder
            .source(s.value_of(BUFFER))
            .source_size(s.index())
            .source_offset(s.index())
            .length(s.index());
    }
}

fn texts() -> Vec<Sample> {
    samples! {
        StringFormatOperation: |s, builder| builder
            .format("block {}")
            .args(&[s.index()])
            .result(s.r#type(BUFFER));
        StringItoaOperation: |s, builder| builder.value(s.index()).result(s.r#type(BUFFER));
    }
}
