#[cfg(feature = "util")]
mod all;

use iree_dialects::{prelude::*, util as dialect};

use super::{Sample, samples};

pub(crate) fn samples() -> Vec<Sample> {
    let always = samples! {
        CallOperation: |s, builder| {
            dialect::FuncOperation::builder(s.context, s.location)
                .sym_name(s.string("callee"))
                .sym_visibility(s.string("private"))
                .function_type(s.function_type("(tensor<f32>) -> tensor<f32>"))
                .body(s.util_body(&["f32"])?)
                .append_to(&s.module.body())?;
            builder.callee(s.symbol("callee")).operands(&[s.value("f32")]).results(&[s.tensor("f32")])
        };
        FuncOperation in module: |s, builder| builder
            .sym_name(s.string("identity"))
            .function_type(s.function_type("(tensor<f32>) -> tensor<f32>"))
            .body(s.util_body(&["f32"])?);
        GlobalOperation in module: |s, builder| builder
            .sym_name(s.string("weights"))
            .sym_visibility(s.string("private"))
            .is_mutable(true)
            .r#type(TypeAttribute::new(s.tensor("2xf32")))
            .initial_value(s.attribute("dense<[1.0, 2.0]> : tensor<2xf32>"));
        GlobalLoadOperation: |s, builder| {
            s.global("state")?;
            builder.global(s.symbol("state")).result(s.tensor("f32"))
        };
        GlobalStoreOperation: |s, builder| {
            s.global("state")?;
            builder.global(s.symbol("state")).value(s.value("f32"))
        };
        InitializerOperation in module: |s, builder| builder
            .function_type(s.function_type("() -> ()"))
            .body(s.util_body(&[])?);
        OptimizationBarrierOperation: |s, builder| builder.operands(&s.values(&["f32", "4xi32"]));
        // It may stand only at the end of a function or initialiser of its dialect.
        ReturnOperation in initializer: |s, builder| builder.operands(&[]);
    };
    #[cfg(feature = "util")]
    let always = always.into_iter().chain(all::samples()).collect();
    always
}
