//! Modules as text, and what MLIR says about them.

use iree_dialects::{Severity, func, parse, prelude::*, print, stablehlo, verify};

use crate::scene::{Outcome, Scene};

#[test]
fn a_malformed_text_gives_the_reason_and_the_place() {
    let context = iree_dialects::context();
    let diagnostics = parse(&context, "module {\n  func.func @f( {\n}").unwrap_err();
    let diagnostic = diagnostics.iter().next().expect("a diagnostic");

    assert_eq!(diagnostic.severity, Severity::Error);
    assert_eq!(diagnostic.message, "expected non-function type");
    let location = diagnostic.location.as_ref().expect("a place");
    assert_eq!((location.line, location.column), (2, 16));
}

#[test]
fn a_text_with_a_null_character_is_an_error() {
    let context = iree_dialects::context();
    let diagnostics = parse(&context, "module {\0}").unwrap_err();

    assert_eq!(
        diagnostics.to_string(),
        "error: the text contains a null character"
    );
}

#[test]
fn a_wrong_module_gives_all_reasons_with_their_places() -> Outcome {
    let context = iree_dialects::context();
    let module = {
        let location = Location::new(&context, "src/main.rs", 7, 9);
        let scene = Scene::new(&context, "test");
        func::CallOperation::builder(&context, location)
            .callee(scene.symbol("nobody"))
            .append_to(&scene.block)?;
        scene.finish()?
    };

    let diagnostics = verify(&module).unwrap_err();
    let text = diagnostics.to_string();
    assert!(
        text.starts_with(
            "src/main.rs:7:9: error: 'func.call' op 'nobody' does not reference a valid function\n"
        ),
        "{text}"
    );
    let [diagnostic] = <[_; 1]>::try_from(Vec::from(diagnostics)).expect("one diagnostic");
    assert_eq!(diagnostic.notes[0].severity, Severity::Note);

    Ok(())
}

#[test]
fn places_are_found_inside_of_other_locations() -> Outcome {
    let context = iree_dialects::context();
    let inner = Location::new(&context, "inner.rs", 1, 2);
    let outer = Location::new(&context, "outer.rs", 3, 4);

    for location in [
        Location::name(&context, "name", inner),
        Location::call_site(inner, outer),
        Location::fused(
            &context,
            &[Location::unknown(&context), inner],
            Attribute::unit(&context),
        ),
    ] {
        let scene = Scene::new(&context, "test");
        func::CallOperation::builder(&context, location)
            .callee(scene.symbol("nobody"))
            .append_to(&scene.block)?;
        let diagnostics = verify(&scene.finish()?).unwrap_err();
        let found = diagnostics
            .iter()
            .find_map(|diagnostic| diagnostic.location.clone());

        assert_eq!(
            found.map(|place| place.to_string()).as_deref(),
            Some("inner.rs:1:2")
        );
    }

    Ok(())
}

#[test]
fn diagnostics_are_captured_once_and_for_one_call() {
    let context = iree_dialects::context();

    for _ in 0..2 {
        assert_eq!(parse(&context, "nonsense").unwrap_err().iter().count(), 1);
    }
    assert!(parse(&context, "module {}").is_ok());
}

#[test]
fn a_printed_module_reads_back() -> Outcome {
    let context = iree_dialects::context();
    let scene = Scene::new(&context, "test.rs");
    stablehlo::TanhOperation::builder(&context, scene.location)
        .operand(scene.value("4xf32"))
        .append_to(&scene.block)?;
    let module = scene.finish()?;

    for form in [Form::Generic, Form::Pretty] {
        for locations in [Locations::Include, Locations::Omit] {
            let text = print(&module, form, locations);
            let again = parse(&context, &text)?;

            assert_eq!(print(&again, form, locations), text);
            assert_eq!(text.contains("test.rs"), locations == Locations::Include);
        }
    }

    Ok(())
}

#[test]
fn text_that_is_not_ascii_survives() -> Outcome {
    let context = iree_dialects::context();
    let location = Location::new(&context, "größe.rs", 1, 1);
    let module = Module::new(location);
    func::FuncOperation::builder(&context, location)
        .sym_name(StringAttribute::new(&context, "größe"))
        .sym_visibility(StringAttribute::new(&context, "private"))
        .function_type(TypeAttribute::new(types::function(&context, &[], &[])))
        .body(Region::new())
        .append_to(&module.body())?;

    let text = print(&module, Form::Generic, Locations::Include);
    let again = parse(&context, &text)?;
    let function = again.body().first_operation().ok_or("a function")?;
    let name = func::FuncOperation::try_from(function)?.sym_name()?;
    assert_eq!(attributes::string(name), "größe");

    Ok(())
}
