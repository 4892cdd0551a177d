//! What views read from operations, built by us or read from text.

use iree_dialects::{func, parse, prelude::*, stablehlo, util};

use crate::scene::{Outcome, Scene};

/// The only operation of the only block of a module's only function, before its terminator.
fn operation<'c, 'a>(module: &'a Module<'c>) -> Outcome<OperationRef<'c, 'a>> {
    let function = module.body().first_operation().ok_or("a function")?;
    let block = func::FuncOperation::try_from(function)?
        .body()?
        .first_block()
        .ok_or("a block")?;

    Ok(block.first_operation().ok_or("an operation")?)
}

const REDUCE: &str = r#"
    func.func @f(%a: tensor<4xf32>, %b: tensor<4xi32>, %c: tensor<f32>, %d: tensor<i32>) {
      %0:2 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0>}> ({
      ^bb0(%1: tensor<f32>, %2: tensor<i32>, %3: tensor<f32>, %4: tensor<i32>):
        "stablehlo.return"(%1, %2) : (tensor<f32>, tensor<i32>) -> ()
      }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
      return
    }
"#;

#[test]
fn a_view_reads_operands_attributes_results_and_regions() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(&context, REDUCE)?;
    let reduce = stablehlo::ReduceOperation::try_from(operation(&module)?)?;
    let types = |values: Vec<Value<'_, '_>>| {
        values
            .iter()
            .map(|value| value.r#type().to_string())
            .collect::<Vec<_>>()
    };

    assert_eq!(types(reduce.inputs()?), ["tensor<4xf32>", "tensor<4xi32>"]);
    assert_eq!(types(reduce.init_values()?), ["tensor<f32>", "tensor<i32>"]);
    assert_eq!(types(reduce.results()?), ["tensor<f32>", "tensor<i32>"]);
    assert_eq!(reduce.dimensions()?.element(0)?, 0);
    let block = reduce.body()?.first_block().ok_or("a block")?;
    let terminator = block.first_operation().ok_or("a terminator")?;
    assert_eq!(
        stablehlo::ReturnOperation::try_from(terminator)?
            .results()?
            .len(),
        2
    );

    Ok(())
}

#[test]
fn a_view_is_for_one_operation() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(&context, REDUCE)?;
    let error = stablehlo::AddOperation::try_from(operation(&module)?).unwrap_err();

    assert_eq!(
        error.to_string(),
        "expected the operation `stablehlo.add`, found `stablehlo.reduce`"
    );

    Ok(())
}

#[test]
fn attributes_are_found_in_either_form() -> Outcome {
    let context = iree_dialects::context();

    for text in ["<{is_stable = true}>", "{is_stable = true}"] {
        let module = parse(
            &context,
            &format!(
                r#"func.func @f(%a: tensor<4xf32>) {{
                    %0 = "stablehlo.sort"(%a) {text} : (tensor<4xf32>) -> tensor<4xf32>
                    return
                }}"#
            ),
        )?;
        let sort = stablehlo::SortOperation::try_from(operation(&module)?)?;

        assert!(sort.is_stable()?.ok_or("present")?.value());
        assert!(sort.dimension()?.is_none());
    }

    Ok(())
}

#[test]
fn an_attribute_of_another_kind_is_an_error() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(
        &context,
        r#"func.func @f() { "util.global.store"() <{global = 1 : i32}> : () -> () return }"#,
    )?;
    let store = util::GlobalStoreOperation::try_from(operation(&module)?)?;

    assert_eq!(
        store.global().unwrap_err().to_string(),
        "the attribute `global` of `util.global.store` is of another kind: flat symbol ref \
         attribute expected: 1 : i32"
    );

    Ok(())
}

#[test]
fn what_a_malformed_operation_lacks_is_an_error() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(
        &context,
        r#"func.func @f() { "stablehlo.reduce"() : () -> () return }"#,
    )?;
    let reduce = stablehlo::ReduceOperation::try_from(operation(&module)?)?;

    assert_eq!(
        reduce.dimensions().unwrap_err().to_string(),
        "the operation `stablehlo.reduce` is malformed: it lacks the attribute `dimensions`"
    );
    assert_eq!(
        reduce.body().unwrap_err().to_string(),
        "the operation `stablehlo.reduce` is malformed: it lacks the region `body`"
    );

    Ok(())
}

#[test]
fn values_that_a_malformed_operation_lacks_are_an_error() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(
        &context,
        r#"func.func @f(%a: tensor<f32>) { "stablehlo.add"(%a) : (tensor<f32>) -> () return }"#,
    )?;
    let add = stablehlo::AddOperation::try_from(operation(&module)?)?;

    assert_eq!(
        add.rhs().unwrap_err().to_string(),
        "the operation `stablehlo.add` is malformed: it lacks the operand `rhs`"
    );
    assert_eq!(
        add.result().unwrap_err().to_string(),
        "the operation `stablehlo.add` is malformed: it lacks the result type `result`"
    );

    Ok(())
}

#[test]
fn variadic_regions_are_read() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let value = scene.value("f32");
    let case = stablehlo::CaseOperation::builder(&context, scene.location)
        .index(scene.value("i32"))
        .branches(vec![scene.yielding(value)?, scene.yielding(value)?])
        .results(&[value.r#type()])
        .append_to(&scene.block)?;

    assert_eq!(case.branches()?.len(), 2);
    assert_eq!(OperationRef::from(case), case.as_operation());

    Ok(())
}

#[test]
fn empty_strings_and_symbols_are_read() -> Outcome {
    let context = iree_dialects::context();

    assert_eq!(attributes::string(StringAttribute::new(&context, "")), "");
    assert_eq!(attributes::string(StringAttribute::new(&context, "é")), "é");
    assert_eq!(
        attributes::symbol(FlatSymbolRefAttribute::new(&context, "")),
        ""
    );

    Ok(())
}
