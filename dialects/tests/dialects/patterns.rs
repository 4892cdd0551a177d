//! What patterns make of modules, and what they are refused.

use iree_dialects::{Patterns, Pipeline, arith, parse, prelude::*, verify};

use crate::scene::Outcome;

const CHAIN: &str = "func.func @f(%a: i32, %b: i32) -> i32 {
    %0 = arith.addi %a, %b : i32
    %1 = arith.addi %0, %b : i32
    %2 = arith.addi %1, %b : i32
    return %2 : i32
}";

/// Writes sums as differences from the negated number.
fn negate() -> Patterns {
    Patterns::new().on(arith::AddiOperation::NAME, |operation, builder| {
        let add = arith::AddiOperation::try_from(operation)?;
        let (lhs, rhs) = (add.lhs()?, add.rhs()?);
        let zero = IntegerAttribute::new(rhs.r#type(), 0);
        let zero = builder
            .insert::<arith::ConstantOperation>(|one| one.value(zero).result(rhs.r#type()))?;
        let zero = zero.result()?;
        let negative = builder
            .insert::<arith::SubiOperation>(|one| one.lhs(zero).rhs(rhs))?
            .result()?;
        let difference =
            builder.insert::<arith::SubiOperation>(|one| one.lhs(lhs).rhs(negative))?;
        Ok(Some(vec![difference.result()?]))
    })
}

#[test]
fn patterns_apply_until_none_does() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    negate().apply(&mut module)?;
    verify(&module)?;
    let text = module.as_operation().to_string();
    assert_eq!(
        (text.matches("addi").count(), text.matches("subi").count()),
        (0, 6)
    );

    // In a pipeline, on what is inside of each function.
    let mut module = parse(&context, CHAIN)?;
    let nested = Pipeline::new("func.func").patterns("negate", negate());
    let (trace, result) = Pipeline::new("builtin.module")
        .nested(nested)
        .trace(&mut module, |_| true);
    result?;
    assert_eq!(
        trace.changed().map(|step| step.pass()).collect::<Vec<_>>(),
        ["negate"]
    );
    assert_eq!(module.as_operation().to_string(), text);
    Ok(())
}

#[test]
fn those_that_were_added_first_are_tried_first() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    Patterns::new()
        .on(arith::AddiOperation::NAME, |operation, _| {
            Ok(Some(vec![
                arith::AddiOperation::try_from(operation)?.lhs()?,
            ]))
        })
        .on(arith::AddiOperation::NAME, |_, _| Err("never tried".into()))
        .apply(&mut module)?;
    assert!(module.as_operation().to_string().contains("return %arg0"));
    Ok(())
}

#[test]
fn errors_of_patterns_are_diagnostics_at_their_operation() -> Outcome {
    let context = iree_dialects::context();
    let text = format!("{CHAIN} loc(\"a.calc\":1:1)")
        .replace("%a, %b : i32", "%a, %b : i32 loc(\"a.calc\":2:3)");
    let one = |patterns: Patterns| -> Outcome<String> {
        let mut module = parse(&context, &text)?;
        let error = patterns.apply(&mut module).unwrap_err().to_string();
        verify(&module)?;
        assert_eq!(module.as_operation().to_string().matches("addi").count(), 3);
        Ok(error)
    };
    let on_first = |reason: &'static str| {
        Patterns::new().on(arith::AddiOperation::NAME, move |operation, _| {
            let line = operation.location().to_string().contains("a.calc\":2:3");
            if line { Err(reason.into()) } else { Ok(None) }
        })
    };
    let said = one(on_first("no sums"))?;
    assert_eq!(said, "a pass failed: a.calc:2:3: error: no sums");
    let said = one(Patterns::new().on("arith.addi", |_, _| panic!("oh")))?;
    assert!(said.contains("the pattern panicked"), "{said}");
    let said = one(Patterns::new().on("arith.addi", |_, _| Ok(Some(vec![]))))?;
    assert!(
        said.contains("`arith.addi` cannot be changed: it has another number of results"),
        "{said}"
    );
    let said = one(Patterns::new().on("arith.addi", |operation, _| {
        Ok(Some(vec![operation.result(0)?.into()]))
    }))?;
    assert!(
        said.contains("`arith.addi` cannot be changed: it would be replaced by itself"),
        "{said}"
    );
    Ok(())
}

#[test]
fn patterns_that_go_on_for_ever_are_an_error() -> Outcome {
    let context = iree_dialects::context();
    let mut module = parse(&context, CHAIN)?;
    let swap = Patterns::new().on("arith.addi", |operation, builder| {
        let add = arith::AddiOperation::try_from(operation)?;
        let (lhs, rhs) = (add.lhs()?, add.rhs()?);
        let other = builder.insert::<arith::AddiOperation>(|one| one.lhs(rhs).rhs(lhs))?;
        Ok(Some(vec![other.result()?]))
    });
    let error = swap.apply(&mut module).unwrap_err().to_string();
    assert!(error.contains("the patterns go on for ever"), "{error}");
    verify(&module)?;
    Ok(())
}
