//! What builders demand, infer and write.

use iree_dialects::{
    arith::{self, CmpFPredicate, CmpIPredicate},
    cf::{self, Successor},
    func,
    prelude::*,
    print, stablehlo, tensor, util, verify,
};

use crate::scene::{Outcome, Scene};

#[test]
fn a_missing_operand_is_named() {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let error = stablehlo::AddOperation::builder(&context, scene.location)
        .lhs(scene.value("f32"))
        .build()
        .unwrap_err();

    assert_eq!(error.to_string(), "`stablehlo.add` lacks the operand `rhs`");
}

#[test]
fn a_missing_attribute_is_named() {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let error = stablehlo::TransposeOperation::builder(&context, scene.location)
        .operand(scene.value("f32"))
        .result(scene.tensor("f32"))
        .build()
        .unwrap_err();

    assert_eq!(
        error.to_string(),
        "`stablehlo.transpose` lacks the attribute `permutation`"
    );
}

#[test]
fn a_missing_result_type_is_named() {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let error = stablehlo::ReshapeOperation::builder(&context, scene.location)
        .operand(scene.value("f32"))
        .build()
        .unwrap_err();

    assert_eq!(
        error.to_string(),
        "`stablehlo.reshape` lacks the result type `result`"
    );
}

#[test]
fn a_missing_region_is_named() {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let error = util::InitializerOperation::builder(&context, scene.location)
        .function_type(scene.function_type("() -> ()"))
        .build()
        .unwrap_err();

    assert_eq!(
        error.to_string(),
        "`util.initializer` lacks the region `body`"
    );
}

#[test]
fn variadic_operands_that_must_be_equally_many_are_counted() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let error = stablehlo::ReduceOperation::builder(&context, scene.location)
        .inputs(&scene.values(&["4xf32", "4xf32"]))
        .init_values(&scene.values(&["f32"]))
        .dimensions(scene.list(&[0]))
        .body(scene.select(&["f32", "f32"], 0)?)
        .results(&scene.tensors(&["f32", "f32"]))
        .build()
        .unwrap_err();

    assert_eq!(
        error.to_string(),
        "`stablehlo.reduce` needs as many values for `init_values` as for `inputs`"
    );

    Ok(())
}

#[test]
fn an_unknown_operation_is_refused_where_they_are_not_allowed() {
    let context = iree_dialects::context();
    context.set_allow_unregistered_dialects(false);
    let scene = Scene::new(&context, "test");
    let error = stablehlo::NegateOperation::builder(&context, scene.location)
        .operand(scene.value("f32"))
        .build()
        .unwrap_err();

    assert_eq!(
        error.to_string(),
        "the context does not know the operation `stablehlo.negate`"
    );
}

#[test]
fn result_types_are_inferred_and_can_be_given() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let builder = || {
        stablehlo::ClampOperation::builder(&context, scene.location)
            .min(scene.value("f32"))
            .operand(scene.value("4xf32"))
            .max(scene.value("f32"))
    };

    assert_eq!(
        builder().append_to(&scene.block)?.result()?.r#type(),
        scene.tensor("4xf32")
    );
    let given = builder()
        .result(scene.tensor("?xf32"))
        .append_to(&scene.block)?;
    assert_eq!(given.result()?.r#type(), scene.tensor("?xf32"));

    Ok(())
}

#[test]
fn builtin_result_types_are_inferred() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let rank = tensor::RankOperation::builder(&context, scene.location)
        .tensor(scene.value("4xf32"))
        .append_to(&scene.block)?;

    assert_eq!(rank.result()?.r#type(), Type::index(&context));

    Ok(())
}

#[test]
fn inherent_attributes_are_properties_and_others_are_not() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let operation = util::GlobalLoadOperation::builder(&context, scene.location)
        .global(scene.symbol("state"))
        .is_immutable(true)
        .discardable_attribute("note", scene.string(""))
        .result(scene.tensor("f32"))
        .build()?;

    assert_eq!(
        operation.to_string(),
        "%0 = \"util.global.load\"() <{global = @state, is_immutable}> {note = \"\"} : () -> tensor<f32>\n"
    );

    Ok(())
}

#[test]
fn a_unit_attribute_can_be_left_out() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let load = util::GlobalLoadOperation::builder(&context, scene.location)
        .global(scene.symbol("state"))
        .is_immutable(false)
        .result(scene.tensor("f32"))
        .append_to(&scene.block)?;

    assert!(!load.is_immutable());

    Ok(())
}

#[test]
fn operations_that_mlir_knows_are_built() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let index = arith::ConstantOperation::builder(&context, scene.location)
        .value(IntegerAttribute::new(Type::index(&context), 1))
        .result(Type::index(&context))
        .append_to(&scene.block)?
        .result()?;
    let sum = arith::AddiOperation::builder(&context, scene.location)
        .lhs(index)
        .rhs(index)
        .append_to(&scene.block)?
        .result()?;
    let dynamic = tensor::ExtractSliceOperation::builder(&context, scene.location)
        .source(scene.value("8xf32"))
        .offsets(&[index])
        .sizes(&[sum])
        .static_offsets(scene.list(&[i64::MIN]))
        .static_sizes(scene.list(&[i64::MIN]))
        .static_strides(scene.list(&[1]))
        .result(scene.tensor("?xf32"))
        .append_to(&scene.block)?;

    assert_eq!(dynamic.offsets()?, [index]);
    assert_eq!(dynamic.sizes()?, [sum]);
    assert_eq!(dynamic.strides()?, []);

    let module = scene.finish()?;
    verify(&module)?;
    let text = print(&module, Form::Pretty, Locations::Omit);
    assert!(
        text.contains("tensor.extract_slice %arg0[%c1] [%0] [1] : tensor<8xf32> to tensor<?xf32>"),
        "{text}"
    );

    Ok(())
}

#[test]
fn a_function_can_be_called() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    func::FuncOperation::builder(&context, scene.location)
        .sym_name(scene.string("external"))
        .sym_visibility(scene.string("private"))
        .function_type(scene.function_type("(tensor<f32>) -> (tensor<f32>, tensor<i1>)"))
        .body(Region::new())
        .append_to(&scene.module.body())?;
    let call = func::CallOperation::builder(&context, scene.location)
        .callee(scene.symbol("external"))
        .operands(&[scene.value("f32")])
        .results(&scene.tensors(&["f32", "i1"]))
        .append_to(&scene.block)?;

    assert_eq!(call.results()?.len(), 2);
    assert_eq!(attributes::symbol(call.callee()?), "external");
    verify(&scene.finish()?)?;

    Ok(())
}

/// Builds a module with a wrong operation, which MLIR's verifier must refuse for a reason, and which
/// must be printable nonetheless.
fn refused(reason: &str, build: impl FnOnce(&Scene<'_>) -> Outcome) -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "wrong");
    build(&scene)?;
    let module = scene.finish()?;
    let diagnostics = verify(&module).unwrap_err().to_string();

    assert!(diagnostics.contains(reason), "{diagnostics}");
    for form in [Form::Generic, Form::Pretty] {
        assert!(print(&module, form, Locations::Omit).contains("sample"));
    }

    Ok(())
}

#[test]
fn an_attribute_of_the_wrong_kind_is_refused() -> Outcome {
    refused(
        "attribute 'function_type' failed to satisfy constraint",
        |scene| {
            func::FuncOperation::builder(scene.context, scene.location)
                .sym_name(scene.string("f"))
                .function_type(TypeAttribute::new(Type::float32(scene.context)))
                .body(Region::new())
                .append_to(&scene.module.body())?;

            Ok(())
        },
    )
}

#[test]
fn an_attribute_of_the_wrong_type_is_refused() -> Outcome {
    refused("all of {value, result} have same type", |scene| {
        arith::ConstantOperation::builder(scene.context, scene.location)
            .value(scene.string("text"))
            .result(Type::float32(scene.context))
            .append_to(&scene.block)?;

        Ok(())
    })
}

#[test]
fn operands_of_different_types_are_refused() -> Outcome {
    refused(
        "requires the same type for all operands and results",
        |scene| {
            arith::AddfOperation::builder(scene.context, scene.location)
                .lhs(scene.value("f32"))
                .rhs(scene.value("f64"))
                .append_to(&scene.block)?;

            Ok(())
        },
    )
}

#[test]
fn a_slice_of_the_wrong_rank_is_refused() -> Outcome {
    refused("expected 1 offset values, got 0", |scene| {
        tensor::ExtractSliceOperation::builder(scene.context, scene.location)
            .source(scene.value("8xf32"))
            .static_offsets(scene.list(&[]))
            .static_sizes(scene.list(&[]))
            .static_strides(scene.list(&[]))
            .result(scene.tensor("8xf32"))
            .append_to(&scene.block)?;

        Ok(())
    })
}

#[test]
fn predicates_of_comparisons_have_their_names() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let integers = CmpIPredicate::Uge;
    let floats = CmpFPredicate::UNE;
    arith::CmpiOperation::builder(&context, scene.location)
        .lhs(scene.value("4xi32"))
        .rhs(scene.value("4xi32"))
        .predicate(integers)
        .result(scene.tensor("4xi1"))
        .append_to(&scene.block)?;
    arith::CmpfOperation::builder(&context, scene.location)
        .lhs(scene.value("4xf32"))
        .rhs(scene.value("4xf32"))
        .predicate(floats)
        .result(scene.tensor("4xi1"))
        .append_to(&scene.block)?;

    let module = scene.finish()?;
    verify(&module)?;
    let text = print(&module, Form::Pretty, Locations::Omit);
    assert!(text.contains("arith.cmpi uge, "), "{text}");
    assert!(text.contains("arith.cmpf une, "), "{text}");

    Ok(())
}

#[test]
fn a_switch_hands_each_case_its_arguments() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::new(&context, "test", 1, 1);
    let i32: Type<'_> = IntegerType::new(&context, 32).into();
    let region = Region::new();
    let entry = region.append_block(Block::new(&[(i32, location), (i32, location)]));
    let [one, two, other] = [&[(i32, location)] as &[_], &[], &[]]
        .map(|arguments| region.append_block(Block::new(arguments)));
    let flag = entry.argument(0)?.into();
    let handed = [entry.argument(1)?.into()];
    let successor = |block, arguments| Successor { block, arguments };
    let cases = [successor(one, &handed[..]), successor(two, &[])];

    let switch = cf::switch(&context, flag, successor(other, &[]), &cases, location)?;
    for block in [one, two, other] {
        let itself = cf::branch(&context, successor(two, &[]), location)?;
        block.append_operation(itself);
    }
    entry.append_operation(switch);
    let module = Module::new(location);
    let function = FunctionType::new(&context, &[i32, i32], &[]);
    func::FuncOperation::builder(&context, location)
        .sym_name(StringAttribute::new(&context, "f"))
        .function_type(TypeAttribute::new(function.into()))
        .body(region)
        .append_to(&module.body())?;
    let text = module.as_operation().to_string();
    let cases = "default: ^bb3,\n      0: ^bb1(%arg1 : i32),\n      1: ^bb2\n";
    assert!(text.contains(cases), "{text}");

    Ok(())
}

#[test]
fn successors_are_demanded_read_and_replaced() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::new(&context, "test", 1, 1);
    let module = iree_dialects::module(location);
    let builder = Builder::at_end(module.body(), location);
    let function = builder.insert::<func::FuncOperation>(|function| {
        let r#type = types::function(&context, &[], &[]);
        function
            .sym_name("f")
            .function_type(r#type)
            .body(Region::new())
    })?;
    let (entry, _) = builder.append_block(function.body()?, &[]);
    let exits = [(); 2].map(|()| builder.append_block(function.body().unwrap(), &[]));
    for (exit, _) in &exits {
        exit.insert::<func::ReturnOperation>(|one| one.operands(&[]))?;
    }
    let error = entry
        .insert::<cf::BrOperation>(|one| one.dest_operands(&[]))
        .unwrap_err();
    assert_eq!(error.to_string(), "`cf.br` lacks the successor `dest`");

    let branch = entry.insert::<cf::BrOperation>(|one| one.dest_operands(&[]).dest(exits[0].1))?;
    assert_eq!(branch.dest()?, exits[0].1);
    branch.set_dest(exits[1].1)?;
    assert_eq!(branch.dest()?, exits[1].1);
    verify(&module)?;

    let other = iree_dialects::parse(&context, "func.func @g() { return }")?;
    let foreign = other
        .as_operation()
        .descendants()
        .next()
        .ok_or("a function")?;
    let foreign = foreign.region(0)?.blocks().next().ok_or("a block")?;
    let error = branch.set_dest(foreign).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`cf.br` cannot be changed: a successor is of another module"
    );
    // Written without one, it is malformed.
    let module = iree_dialects::parse(&context, r#""t.a"() ({ "cf.br"() : () -> () }) : () -> ()"#);
    assert!(module.is_err());
    Ok(())
}

#[test]
fn parts_may_be_given_in_any_order_and_again() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test");
    let (inputs, others) = (
        scene.values(&["4xf32", "4xf32"]),
        scene.values(&["f32", "f32"]),
    );
    let none: &[Value<'_, '_>] = &[];
    let reduce = stablehlo::ReduceOperation::builder(&context, scene.location)
        .init_values(&others)
        .inputs(none)
        .results(&scene.tensors(&["f32", "f32"]))
        .dimensions(scene.list(&[1]))
        .body(Region::new())
        .inputs(&inputs)
        .dimensions(scene.list(&[0]))
        .body(scene.select(&["f32", "f32", "f32", "f32"], 0)?)
        .append_to(&scene.block)?;
    assert_eq!(reduce.inputs()?, inputs);
    assert_eq!(reduce.init_values()?, others);
    assert_eq!(
        Attribute::from(reduce.dimensions()?),
        scene.list(&[0]).into()
    );
    assert_eq!(reduce.body()?.blocks().count(), 1);

    let [first, second] = [scene.value("i1"), scene.value("i1")];
    let and = stablehlo::AndOperation::builder(&context, scene.location)
        .rhs(first)
        .lhs(first)
        .rhs(second)
        .append_to(&scene.block)?;
    assert_eq!((and.lhs()?, and.rhs()?), (first, second));
    Ok(())
}
