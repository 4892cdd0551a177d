//! What setters and removers change, and Rust values in place of attributes.

use iree_dialects::{
    arith::{self, FastMathFlags},
    flow, func,
    prelude::*,
    print, stablehlo, tensor, verify,
};

use crate::scene::{Outcome, Scene};

#[test]
fn rust_values_stand_where_attributes_do() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let transpose = stablehlo::TransposeOperation::builder(&context, scene.location)
        .operand(scene.value("2x3xf32"))
        .permutation([1, 0])
        .result(scene.tensor("3x2xf32"))
        .append_to(&scene.block)?;
    assert_eq!(transpose.permutation()?.to_string(), "array<i64: 1, 0>");
    let iota = stablehlo::IotaOperation::builder(&context, scene.location)
        .iota_dimension(0)
        .result(scene.tensor("4xi32"))
        .append_to(&scene.block)?;
    assert_eq!(iota.iota_dimension()?.to_string(), "0 : i64");
    let precision = stablehlo::ReducePrecisionOperation::builder(&context, scene.location)
        .operand(scene.value("f32"))
        .exponent_bits(5_u8)
        .mantissa_bits(10)
        .append_to(&scene.block)?;
    assert_eq!(precision.exponent_bits()?.to_string(), "5 : i32");
    let call = func::CallOperation::builder(&context, scene.location)
        .callee("sample")
        .operands(&[])
        .append_to(&scene.block)?;
    assert_eq!(call.callee()?.to_string(), "@sample");

    Ok(())
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let error = stablehlo::ReducePrecisionOperation::builder(&context, scene.location)
        .operand(scene.value("f32"))
        .exponent_bits(1_i64 << 40)
        .mantissa_bits(10)
        .build()
        .unwrap_err();

    assert_eq!(
        error.to_string(),
        "`1099511627776` cannot be the attribute `exponent_bits`: it is out of range"
    );
}

#[test]
fn setters_change_what_they_name() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let [a, b] = [scene.value("f32"), scene.value("f32")];
    let compare = stablehlo::CompareOperation::builder(&context, scene.location)
        .lhs(a)
        .rhs(b)
        .comparison_direction(stablehlo::ComparisonDirection::Less)
        .result(scene.tensor("i1"))
        .append_to(&scene.block)?;
    compare.set_comparison_direction(stablehlo::ComparisonDirection::Greater)?;
    compare.set_compare_type(stablehlo::ComparisonType::TotalOrder)?;
    compare.set_lhs(b)?;
    assert_eq!(
        compare.comparison_direction()?,
        stablehlo::ComparisonDirection::Greater
    );
    assert_eq!(
        compare.compare_type()?,
        Some(stablehlo::ComparisonType::TotalOrder)
    );
    assert_eq!((compare.lhs()?, compare.rhs()?), (b, b));
    let text = compare.as_operation().to_string();
    assert!(
        text.contains("<{compare_type = #stablehlo<comparison_type TOTALORDER>"),
        "{text}"
    );

    Ok(())
}

#[test]
fn attributes_of_known_operations_are_removed() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let number = scene
        .block
        .add_argument(Type::float32(&context), scene.location);
    let sum = arith::AddfOperation::builder(&context, scene.location)
        .lhs(number)
        .rhs(number)
        .fastmath(FastMathFlags::NNAN)
        .append_to(&scene.block)?;
    assert_eq!(sum.fastmath()?, Some(FastMathFlags::NNAN));
    assert!(sum.remove_fastmath()?);
    assert!(!sum.remove_fastmath()?);
    assert_eq!(sum.fastmath()?, None);
    sum.set_fastmath(FastMathFlags::FAST)?;
    assert_eq!(sum.fastmath()?, Some(FastMathFlags::FAST));
    let text = print(&scene.finish()?, Form::Pretty, Locations::Omit);
    assert!(text.contains("fastmath<fast>"), "{text}");

    Ok(())
}

#[test]
fn lists_of_operands_are_replaced() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let [a, b] = [scene.value("f32"), scene.value("?xf32")];
    let size = scene.index();
    let trace = flow::TensorTraceOperation::builder(&context, scene.location)
        .key("here")
        .values(&[a])
        .value_dims(&[])
        .append_to(&scene.block)?;
    trace.set_values(&[a, b])?;
    trace.set_value_dims(&[size])?;
    assert_eq!(trace.values()?, [a, b]);
    assert_eq!(trace.value_dims()?, [size]);
    trace.set_values(&[])?;
    trace.set_value_dims(&[])?;
    assert!(trace.values()?.is_empty() && trace.value_dims()?.is_empty());
    let shape = scene.value("2xindex");
    let reshape = tensor::ReshapeOperation::builder(&context, scene.location)
        .source(b)
        .shape(shape)
        .result(scene.tensor("1x?xf32"))
        .append_to(&scene.block)?;
    reshape.set_source(a)?;
    assert_eq!((reshape.source()?, reshape.shape()?), (a, shape));
    verify(&scene.finish()?)?;

    Ok(())
}

#[test]
fn what_mlir_cannot_take_out_stays() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let sort = stablehlo::SortOperation::builder(&context, scene.location)
        .inputs(&[scene.value("4xf32")])
        .is_stable(true)
        .results(&[scene.tensor("4xf32")])
        .comparator(scene.comparator()?)
        .append_to(&scene.block)?;
    assert_eq!(
        sort.remove_is_stable().unwrap_err().to_string(),
        "`stablehlo.sort` cannot be changed: MLIR keeps the attributes of operations that it does \
         not know"
    );
    assert!(!sort.remove_dimension()?);
    sort.set_is_stable(false)?;
    assert_eq!(
        sort.is_stable()?.map(|attribute| attribute.value()),
        Some(false)
    );

    Ok(())
}

#[test]
fn every_operation_is_in_the_enum_of_its_dialect() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let operation = stablehlo::TanhOperation::builder(&context, scene.location)
        .operand(scene.value("f32"))
        .append_to(&scene.block)?
        .as_operation();
    match stablehlo::AnyOperation::try_from(operation)? {
        stablehlo::AnyOperation::Tanh(tanh) => assert_eq!(tanh.as_operation(), operation),
        other => panic!("{other:?}"),
    }
    assert!(func::AnyOperation::try_from(operation).is_err());

    Ok(())
}
