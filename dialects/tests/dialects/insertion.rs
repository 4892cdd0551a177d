//! Where builders put operations, and what they refuse.

use iree_dialects::{arith, cf, func, parse, prelude::*, util, verify};

use crate::scene::Outcome;

const SUM: &str = "func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32 return %0 : i32 }";

/// The block of the first function of a module.
pub(crate) fn body<'c, 'a>(module: &'a Module<'c>) -> Outcome<BlockRef<'c, 'a>> {
    let mut all = module.as_operation().descendants();
    let function = all.find_map(|one| one.cast::<func::FuncOperation>());
    let region = function.ok_or("a function")?.body()?;
    Ok(region.blocks().next().ok_or("a block")?)
}

pub(crate) fn names(block: BlockRef<'_, '_>) -> Vec<String> {
    block
        .operations()
        .map(|one| one.name().as_string_ref().as_str().unwrap().to_owned())
        .collect()
}

fn mark<'c, 'a>(builder: &Builder<'c, 'a>, number: i64) -> Outcome<Value<'c, 'a>> {
    let i32 = IntegerType::new(builder.context(), 32).into();
    let constant = builder.insert::<arith::ConstantOperation>(|constant| {
        constant
            .value(IntegerAttribute::new(i32, number))
            .result(i32)
    })?;
    Ok(constant.result()?)
}

fn numbers(block: BlockRef<'_, '_>) -> Outcome<Vec<String>> {
    let numbers = block.operations().map(|one| {
        Ok(match one.cast::<arith::ConstantOperation>() {
            Some(constant) => constant.value()?.to_string().replace(" : i32", ""),
            None => "_".to_owned(),
        })
    });
    numbers.collect()
}

#[test]
fn operations_come_where_the_point_is_in_the_order_of_insertion() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    type Point = for<'c, 'a> fn(BlockRef<'c, 'a>, OperationRef<'c, 'a>) -> InsertionPoint<'c, 'a>;
    let points: [(Point, &str); 5] = [
        (|block, _| InsertionPoint::at_start(block), "1 2 _ _"),
        (|block, _| InsertionPoint::at_end(block), "_ _ 1 2"),
        (
            |block, _| InsertionPoint::before_terminator(block),
            "_ 1 2 _",
        ),
        (|_, sum| InsertionPoint::before(sum), "1 2 _ _"),
        (|_, sum| InsertionPoint::after(sum).unwrap(), "_ 1 2 _"),
    ];
    for (point, expected) in points {
        let module = parse(&context, SUM)?;
        let block = body(&module)?;
        let sum = block.operations().next().ok_or("a sum")?;
        let builder = Builder::new(point(block, sum), location);
        mark(&builder, 1)?;
        mark(&builder, 2)?;
        assert_eq!(numbers(block)?.join(" "), expected);
    }
    Ok(())
}

#[test]
fn points_of_empty_blocks_are_their_ends() -> Outcome {
    let context = iree_dialects::context();
    let module = Module::new(Location::unknown(&context));
    for point in [
        InsertionPoint::at_start(module.body()),
        InsertionPoint::before_terminator(module.body()),
    ] {
        assert_eq!(point, InsertionPoint::at_end(module.body()));
        assert_eq!(point.block(), Some(module.body()));
    }
    Ok(())
}

#[test]
fn an_operation_in_no_block_has_no_place_around_it() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    let module = Module::new(location);
    let error = InsertionPoint::after(module.as_operation()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`builtin.module` cannot be changed: it is in no block"
    );
    let before = Builder::before(module.as_operation());
    assert_eq!(before.point().block(), None);
    let error = before
        .insert::<func::ReturnOperation>(|one| one.operands(&[]))
        .unwrap_err();
    assert!(error.to_string().contains("it is in no block"), "{error}");
    Ok(())
}

#[test]
fn values_of_another_module_are_refused() -> Outcome {
    let context = iree_dialects::context();
    let (one, other) = (parse(&context, SUM)?, parse(&context, SUM)?);
    let (block, foreign) = (body(&one)?, body(&other)?.arguments()[0]);
    let builder = Builder::new(InsertionPoint::at_start(block), Location::unknown(&context));
    let error = builder
        .insert::<arith::AddiOperation>(|add| add.lhs(foreign).rhs(foreign))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`arith.addi` cannot be changed: a value is of another module"
    );

    // Also inside of what is inserted, and in setters.
    let inner = Block::new(&[]);
    func::ReturnOperation::builder(&context, builder.location())
        .operands(&[foreign])
        .append_to(&inner)?;
    let region = Region::new();
    region.append_block(inner);
    let error = builder
        .insert::<util::InitializerOperation>(|one| {
            one.function_type(types::function(&context, &[], &[]))
                .body(region)
        })
        .unwrap_err();
    assert!(error.to_string().contains("another module"), "{error}");
    let sum = block.operations().next().ok_or("a sum")?;
    let sum = sum.cast::<arith::AddiOperation>().ok_or("a sum")?;
    let error = sum.set_rhs(foreign).unwrap_err();
    assert!(error.to_string().contains("another module"), "{error}");
    let error = block.arguments()[0].replace_uses(foreign).unwrap_err();
    assert!(error.to_string().contains("another module"), "{error}");
    verify(&one)?;
    assert_eq!(names(block), ["arith.addi", "func.return"]);
    Ok(())
}

#[test]
fn successors_of_another_module_are_refused() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    let (one, other) = (parse(&context, SUM)?, parse(&context, SUM)?);
    let successor = cf::Successor {
        block: body(&other)?,
        arguments: &[],
    };
    let branch = cf::branch(&context, successor, location)?;
    let error = InsertionPoint::at_end(body(&one)?)
        .insert(branch)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`cf.br` cannot be changed: a successor is of another module"
    );
    Ok(())
}

#[test]
fn what_a_region_has_inside_may_be_used_there() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    let module = Module::new(location);
    let i32: Type<'_> = IntegerType::new(&context, 32).into();
    // Built from the inside, as before, and inserted as a whole.
    let block = Block::new(&[(i32, location)]);
    func::ReturnOperation::builder(&context, location)
        .operands(&[block.argument(0)?.into()])
        .append_to(&block)?;
    let region = Region::new();
    region.append_block(block);
    Builder::at_end(module.body(), location).insert::<func::FuncOperation>(|function| {
        let r#type = types::function(&context, &[i32], &[i32]);
        function.sym_name("f").function_type(r#type).body(region)
    })?;
    verify(&module)?;
    Ok(())
}

#[test]
fn builders_with_another_location_leave_the_first_as_it_was() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(&context, SUM)?;
    let block = body(&module)?;
    let outer = Builder::new(
        InsertionPoint::at_start(block),
        Location::new(&context, "a.calc", 1, 2),
    );
    {
        let inner = outer.named("layer");
        mark(&inner, 1)?;
        mark(&inner.located(Location::new(&context, "a.calc", 3, 4)), 2)?;
    }
    mark(&outer, 3)?;
    let locations = block
        .operations()
        .take(3)
        .map(|one| one.location().to_string());
    assert_eq!(
        locations.collect::<Vec<_>>(),
        [
            r#"loc("layer"("a.calc":1:2))"#,
            r#"loc("a.calc":3:4)"#,
            r#"loc("a.calc":1:2)"#
        ]
    );
    Ok(())
}

#[test]
fn a_function_has_the_types_of_what_its_closure_returns() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    let module = Module::new(location);
    let builder = Builder::at_end(module.body(), location);
    let i32 = IntegerType::new(&context, 32).into();
    let index = Type::index(&context);
    let swap = func::define(&builder, "swap", [i32, index], |_, [a, b]| Ok([b, a]))?;
    assert_eq!(
        swap.function_type()?.value().to_string(),
        "(i32, index) -> (index, i32)"
    );
    let none = func::define(&builder, "none", [], |_, []| Ok([]))?;
    assert_eq!(none.function_type()?.value().to_string(), "() -> ()");
    verify(&module)?;

    let error = func::define::<0, 0>(&builder, "wrong", [], |builder, []| {
        builder.insert::<arith::AddiOperation>(|add| add)?;
        Ok([])
    });
    assert_eq!(
        error.unwrap_err().to_string(),
        "`arith.addi` lacks the operand `lhs`"
    );
    Ok(())
}
