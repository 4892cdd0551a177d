//! Operations that have names.

use iree_dialects::{parse, prelude::*, print, symbols, verify};

use crate::scene::Outcome;

const MODULE: &str = "
    module @outer {
        func.func private @helper()
        func.func private @helper_0()
        func.func @main() {
            func.call @helper() : () -> ()
            return
        }
        module @inner { func.func private @helper() }
    }";

#[test]
fn symbols_are_looked_up_by_name() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(&context, MODULE)?;
    // MLIR takes the outermost module for the one that is read.
    let table = module.as_operation();
    let names: Vec<_> = symbols::all(table).filter_map(symbols::name).collect();
    assert_eq!(names, ["helper", "helper_0", "main", "inner"]);
    assert!(symbols::lookup(table, "main").is_some());
    assert!(symbols::lookup(table, "outer").is_none());
    assert_eq!(symbols::free_name(table, "other"), "other");
    assert_eq!(symbols::free_name(table, "helper"), "helper_1");
    Ok(())
}

#[test]
fn renaming_takes_references_along() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(&context, MODULE)?;
    let table = module.as_operation();
    let helper = symbols::lookup(table, "helper").ok_or("a function")?;
    symbols::rename(table, helper, "renamed")?;
    verify(&module)?;
    let text = print(&module, Form::Pretty, Locations::Omit);
    assert!(
        text.contains("func.func private @renamed()") || text.contains("func private @renamed()"),
        "{text}"
    );
    assert!(text.contains("call @renamed()"), "{text}");
    // That of another table is another one.
    assert_eq!(text.matches("@helper()").count(), 1, "{text}");
    Ok(())
}

#[test]
fn names_that_cannot_be_given_are_refused_and_change_nothing() -> Outcome {
    let context = iree_dialects::context();
    let module = parse(&context, MODULE)?;
    let table = module.as_operation();
    let before = table.to_string();
    let helper = symbols::lookup(table, "helper").ok_or("a function")?;
    let inner = symbols::lookup(table, "inner").ok_or("a module")?;
    let hidden = symbols::lookup(inner, "helper").ok_or("a function")?;
    let call = table
        .descendants()
        .find(|one| symbols::name(*one).is_none());
    let call = call.ok_or("an operation without a name")?;
    for (symbol, to, reason) in [
        (helper, "main", "another one has the name"),
        (helper, "", "that is no name"),
        (hidden, "x", "it is not right inside of the operation"),
        (call, "x", "it has no name"),
    ] {
        let error = symbols::rename(table, symbol, to).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
    symbols::rename(table, helper, "helper")?;
    assert_eq!(table.to_string(), before);
    Ok(())
}
