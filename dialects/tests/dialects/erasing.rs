//! What an edit erases, and what it refuses to erase.

use iree_dialects::{arith, cf, edit, func, parse, prelude::*, verify};

use crate::{
    insertion::{body, names},
    scene::Outcome,
};

const CHAIN: &str = "func.func @f(%a: i32) {
    %0 = arith.addi %a, %a : i32
    %1 = arith.muli %0, %0 : i32
    return
}";

/// Erases the operations of these names, and says why not.
fn erase(module: &mut Module<'_>, erased: &[&str]) -> Result<(), Error> {
    edit(module, |editor| {
        for operation in editor.root().descendants() {
            let name = operation.name();
            if erased.contains(&name.as_string_ref().as_str().unwrap()) {
                editor.erase(operation)?;
            }
        }
        Ok(())
    })
}

#[test]
fn operations_that_use_each_other_are_erased_in_any_order() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    erase(&mut module, &["arith.addi", "arith.muli"])?;
    assert_eq!(names(body(&module)?), ["func.return"]);
    verify(&module)?;

    // In a region whose operations have no order, also in a circle.
    let mut module = parse(
        &context,
        r#""t.graph"() ({
            %0 = "t.a"(%1) : (i32) -> i32
            %1 = "t.b"(%0) : (i32) -> i32
        }) : () -> ()"#,
    )?;
    erase(&mut module, &["t.a", "t.b"])?;
    assert_eq!(module.as_operation().descendants().count(), 1);
    Ok(())
}

#[test]
fn what_is_used_stays_and_all_else_with_it() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    let error = erase(&mut module, &["arith.addi"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`arith.addi` cannot be changed: what it computes is still used"
    );
    assert_eq!(
        names(body(&module)?),
        ["arith.addi", "arith.muli", "func.return"]
    );
    verify(&module)?;
    Ok(())
}

#[test]
fn an_operation_and_what_is_inside_of_it_are_erased_once() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    erase(
        &mut module,
        &["func.func", "arith.addi", "arith.muli", "func.return"],
    )?;
    assert_eq!(module.as_operation().descendants().count(), 0);
    Ok(())
}

#[test]
fn values_inside_that_are_used_outside_keep_an_operation() -> Outcome {
    let context = iree_dialects::context();
    // Wrong, and possible until it is verified.
    let text = r#""t.a"() ({ ^bb0(%x: i32): %0 = "t.b"() : () -> i32 "t.c"(%0) : (i32) -> () }) : () -> ()
        %1 = "t.d"() : () -> i32
        "t.e"(%1) : (i32) -> ()"#;
    for inner in ["argument", "result"] {
        let mut module = parse(&context, text)?;
        let all = module.as_operation().descendants().collect::<Vec<_>>();
        let block = all[0].region(0)?.blocks().next().ok_or("a block")?;
        let value = match inner {
            "argument" => block.arguments()[0],
            _ => all[1].result(0)?.into(),
        };
        let outer: Value<'_, '_> = all[3].result(0)?.into();
        outer.replace_uses(value)?;
        let error = erase(&mut module, &["t.a"]).unwrap_err();
        assert!(error.to_string().contains("is still used"), "{error}");
        erase(&mut module, &["t.a", "t.e"])?;
        assert_eq!(module.as_operation().descendants().count(), 1);
    }
    Ok(())
}

#[test]
fn blocks_inside_that_something_branches_to_keep_an_operation() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(
        &context,
        "func.func @f() { return } func.func @g() { return }",
    )?;
    let functions = module.as_operation().descendants();
    let functions = functions.filter_map(|one| one.cast::<func::FuncOperation>());
    let [f, g] = functions.collect::<Vec<_>>()[..] else {
        return Err("two".into());
    };
    let f_block = f.body()?.blocks().next().ok_or("a block")?;
    let g_block = g.body()?.blocks().next().ok_or("a block")?;
    let location = Location::unknown(&context);
    let successor = cf::Successor {
        block: f_block,
        arguments: &[],
    };
    InsertionPoint::at_end(g_block).insert(cf::branch(&context, successor, location)?)?;
    let error = edit(&mut module, |editor| {
        let f = editor.root().descendants().next();
        f.map_or(Ok(()), |f| editor.erase(f))
    });
    assert_eq!(
        error.unwrap_err().to_string(),
        "`func.func` cannot be changed: what is inside of it is still used"
    );
    Ok(())
}

#[test]
fn only_what_is_inside_is_erased() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    let block = Block::new(&[]);
    let other = func::ReturnOperation::builder(&context, Location::unknown(&context))
        .operands(&[])
        .append_to(&block)?
        .as_operation();
    let error = edit(&mut module, |editor| editor.erase(other)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`func.return` cannot be changed: it is not inside of what is changed"
    );
    let error = edit(&mut module, |editor| editor.erase(editor.root())).unwrap_err();
    assert!(error.to_string().starts_with("`builtin.module`"), "{error}");
    Ok(())
}

#[test]
fn replacing_takes_as_many_values_as_results() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    let error = edit(&mut module, |editor| {
        let sum = editor
            .root()
            .descendants()
            .find(|one| one.cast::<arith::AddiOperation>().is_some());
        sum.map_or(Ok(()), |sum| editor.replace(sum, &[]))
    });
    assert_eq!(
        error.unwrap_err().to_string(),
        "`arith.addi` cannot be changed: it has another number of results"
    );
    Ok(())
}

#[test]
fn an_edit_that_fails_erases_nothing() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    let outcome = edit(&mut module, |editor| {
        editor.erase(editor.root().descendants().next().ok_or("one")?)?;
        Err::<(), Box<dyn std::error::Error>>("no".into())
    });
    assert_eq!(outcome.unwrap_err().to_string(), "no");
    verify(&module)?;
    assert_eq!(module.as_operation().descendants().count(), 4);
    Ok(())
}

#[test]
fn operations_are_replaced_while_they_are_iterated_over() -> Outcome {
    let context = iree_dialects::context();
    let sums = "%0 = arith.addi %a, %a : i32 ".to_owned()
        + &(1..200)
            .map(|i| format!("%{i} = arith.addi %{}, %a : i32 ", i - 1))
            .collect::<String>();
    let text = format!("func.func @f(%a: i32) -> i32 {{ {sums} return %199 : i32 }}");
    let mut module = parse(&context, &text)?;
    let replaced = edit(&mut module, |editor| {
        let mut replaced = 0;
        for operation in editor.root().descendants() {
            if let Some(add) = operation.cast::<arith::AddiOperation>() {
                let builder = Builder::before(operation);
                let (lhs, rhs) = (add.lhs()?, add.rhs()?);
                let other = builder.insert::<arith::SubiOperation>(|sub| sub.lhs(lhs).rhs(rhs))?;
                editor.replace(operation, &[other.result()?])?;
                assert!(editor.is_erased(operation) && !editor.is_erased(other.as_operation()));
                replaced += 1;
            }
        }
        Ok::<_, Error>(replaced)
    })?;
    verify(&module)?;
    let text = module.as_operation().to_string();
    assert_eq!((replaced, text.matches("arith.subi").count()), (200, 200));
    assert!(!text.contains("arith.addi"));
    Ok(())
}
