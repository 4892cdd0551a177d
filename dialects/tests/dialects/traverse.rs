//! In which order operations are visited, also while they change.

use iree_dialects::{arith, cf, func, parse, prelude::*, verify};

use crate::{
    insertion::{body, names},
    scene::Outcome,
};

const NESTED: &str = r#"
    module @a {
      module @b { "t.c"() : () -> () }
      "t.d"() ({
        "t.e"() : () -> ()
      ^bb1:
        "t.f"() : () -> ()
      }, {
        "t.g"() : () -> ()
      }) : () -> ()
    }"#;

fn label(operation: OperationRef<'_, '_>) -> String {
    match operation.attribute("sym_name") {
        Ok(name) => name.to_string().replace('"', ""),
        Err(_) => operation
            .name()
            .as_string_ref()
            .as_str()
            .unwrap()
            .replace("t.", ""),
    }
}

fn walked(order: WalkOrder, result: impl Fn(&str) -> WalkResult) -> Outcome<(String, WalkResult)> {
    let context = iree_dialects::context();
    let module = parse(&context, NESTED)?;
    let mut visited = String::new();
    let end = module.as_operation().walk_in(order, |operation| {
        visited.push_str(&label(operation));
        result(&label(operation))
    });
    Ok((visited, end))
}

#[test]
fn walks_visit_everything_in_their_order() -> Outcome {
    let (visited, end) = walked(WalkOrder::PreOrder, |_| WalkResult::Advance)?;
    assert_eq!((visited.as_str(), end), ("abcdefg", WalkResult::Advance));
    let (visited, _) = walked(WalkOrder::PostOrder, |_| WalkResult::Advance)?;
    assert_eq!(visited, "cbefgda");

    let context = iree_dialects::context();
    let module = parse(&context, NESTED)?;
    let all = module.as_operation().descendants().map(label);
    assert_eq!(all.collect::<String>(), "bcdefg");
    let last = module.as_operation().descendants().last().ok_or("one")?;
    assert_eq!(last.ancestors().map(label).collect::<String>(), "da");
    assert_eq!(
        (
            last.dialect().as_str(),
            module.as_operation().dialect().as_str()
        ),
        ("t", "builtin")
    );
    Ok(())
}

#[test]
fn walks_skip_and_end() -> Outcome {
    let skip = |label: &str| match label {
        "d" => WalkResult::Skip,
        _ => WalkResult::Advance,
    };
    assert_eq!(walked(WalkOrder::PreOrder, skip)?.0, "abcd");
    assert_eq!(walked(WalkOrder::PostOrder, skip)?.0, "cbefgda");
    let end = |label: &str| match label {
        "e" => WalkResult::Interrupt,
        _ => WalkResult::Advance,
    };
    assert_eq!(
        walked(WalkOrder::PreOrder, end)?,
        ("abcde".to_owned(), WalkResult::Interrupt)
    );
    assert_eq!(
        walked(WalkOrder::PostOrder, end)?,
        ("cbe".to_owned(), WalkResult::Interrupt)
    );
    Ok(())
}

#[test]
fn a_walk_is_the_one_of_mlir() -> Outcome {
    use std::cell::RefCell;
    let context = iree_dialects::context();
    let module = parse(&context, NESTED)?;
    for order in [WalkOrder::PreOrder, WalkOrder::PostOrder] {
        let theirs = RefCell::new(String::new());
        module.as_operation().walk(order, |operation| {
            theirs.borrow_mut().push_str(&label(operation));
            WalkResult::Advance
        });
        assert_eq!(
            walked(order, |_| WalkResult::Advance)?.0,
            theirs.into_inner()
        );
    }
    Ok(())
}

#[test]
fn deep_modules_are_walked_without_recursion() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    let module = Module::new(location);
    let empty = Module::new(location);
    let empty: &Operation<'_> = &empty.as_operation();
    let mut block = module.body();
    for _ in 0..20_000 {
        let inner = InsertionPoint::at_end(block).insert(empty.clone())?;
        block = inner.region(0)?.blocks().next().ok_or("a block")?;
    }
    assert_eq!(module.as_operation().descendants().count(), 20_000);
    let mut count = 0;
    module.as_operation().walk_in(WalkOrder::PostOrder, |_| {
        count += 1;
        WalkResult::Advance
    });
    assert_eq!(count, 20_001);
    // MLIR itself recurses, also when it drops them: taken apart from the inside.
    std::mem::forget(module);
    Ok(())
}

#[test]
fn what_is_inserted_behind_is_not_visited() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(
        &context,
        "func.func @f(%a: i32) { %0 = arith.addi %a, %a : i32 return }",
    )?;
    let mut visited = 0;
    for sum in module.as_operation().descendants() {
        visited += 1;
        if let Some(sum) = sum.cast::<arith::AddiOperation>() {
            let behind = InsertionPoint::after(sum.as_operation())?;
            let builder = Builder::new(behind, sum.as_operation().location());
            let value = sum.result()?;
            builder.insert::<arith::AddiOperation>(|add| add.lhs(value).rhs(value))?;
        }
    }
    assert_eq!(visited, 3);
    assert_eq!(
        names(body(&module)?),
        ["arith.addi", "arith.addi", "func.return"]
    );
    verify(&module)?;
    Ok(())
}

#[test]
fn operations_move_inside_of_their_module() -> Outcome {
    let context = iree_dialects::context();
    let text = r#"
        func.func @f() { "t.a"() : () -> () "t.b"() : () -> () return }
        func.func @g() { return }"#;
    let (module, other) = (parse(&context, text)?, parse(&context, text)?);
    let block = body(&module)?;
    let all = block.operations().collect::<Vec<_>>();
    let [a, b, r#return] = all[..] else {
        return Err("three".into());
    };
    b.move_in_front_of(a)?;
    assert_eq!(names(block), ["t.b", "t.a", "func.return"]);
    b.move_behind(a)?;
    assert_eq!(names(block), ["t.a", "t.b", "func.return"]);
    let function = r#return.parent_operation().ok_or("a function")?;

    let reason = |result: Result<(), Error>| result.unwrap_err().to_string();
    let inside = reason(function.move_in_front_of(a));
    assert_eq!(
        inside,
        "`func.func` cannot be changed: it would be inside of itself"
    );
    assert_eq!(
        reason(a.move_behind(a)),
        "`t.a` cannot be changed: it would be inside of itself"
    );
    let foreign = body(&other)?.operations().next().ok_or("one")?;
    let foreign = reason(a.move_behind(foreign));
    assert_eq!(
        foreign,
        "`t.a` cannot be changed: it would be in another module"
    );
    let module_itself = reason(a.move_behind(module.as_operation()));
    assert_eq!(
        module_itself,
        "`builtin.module` cannot be changed: it is in no block"
    );
    Ok(())
}

#[test]
fn uses_and_users_of_results_and_arguments() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    let module = Module::new(location);
    let i32 = IntegerType::new(&context, 32).into();
    func::define(
        &Builder::at_end(module.body(), location),
        "f",
        [i32],
        |builder, [x]| {
            let sum = builder.insert::<arith::AddiOperation>(|add| add.lhs(x).rhs(x))?;
            let value = sum.result()?;
            let product = builder.insert::<arith::MuliOperation>(|mul| mul.lhs(x).rhs(value))?;
            let user = product.as_operation();
            assert_eq!(x.users().len(), 2);
            let mut uses = x
                .uses()
                .into_iter()
                .map(|one| (one.user == user, one.operand))
                .collect::<Vec<_>>();
            uses.sort_unstable();
            assert_eq!(uses, [(false, 0), (false, 1), (true, 0)]);
            assert_eq!(value.defining_operation(), Some(sum.as_operation()));
            assert_eq!(value.defining_block(), None);

            // Uses that were asked for stay what they were while they are replaced.
            for one in x.uses() {
                if one.user == user {
                    product.set_lhs(value)?;
                }
            }
            assert_eq!(x.users(), [sum.as_operation()]);
            assert_eq!(value.uses().len(), 2);
            value.replace_uses(value)?;
            assert_eq!(value.uses().len(), 2);
            Ok([product.result()?])
        },
    )?;
    verify(&module)?;
    Ok(())
}

#[test]
fn blocks_of_a_region_are_listed() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::unknown(&context);
    let module = Module::new(location);
    let builder = Builder::at_end(module.body(), location);
    let i32: Type<'_> = IntegerType::new(&context, 32).into();
    let function = builder.insert::<func::FuncOperation>(|function| {
        let r#type = types::function(&context, &[i32], &[]);
        function
            .sym_name("f")
            .function_type(r#type)
            .body(Region::new())
    })?;
    let (first, entry) = builder.append_block(function.body()?, &[i32]);
    let (second, exit) = builder.append_block(function.body()?, &[i32, i32]);
    let argument = entry.arguments()[0];
    let successor = cf::Successor {
        block: exit,
        arguments: &[argument, argument],
    };
    first.insert_operation(cf::branch(&context, successor, location)?)?;
    second.insert::<func::ReturnOperation>(|one| one.operands(&[]))?;
    assert_eq!(function.body()?.blocks().collect::<Vec<_>>(), [entry, exit]);
    assert_eq!(exit.arguments().len(), 2);
    verify(&module)?;
    Ok(())
}
