//! What is generated for each operation, checked by what is generated for that.

use iree_dialects::{
    DialectInfo,
    melior::{Context, dialect::DialectRegistry, utility::register_all_dialects},
    testing,
};

use crate::scene::Outcome;

/// A module with the checks of each dialect, and the list of all.
macro_rules! dialects {
    ($($name:ident = $text:literal),* $(,)?) => {
        $(mod $name {
            iree_dialects::include_checks!($text, iree_dialects::$name);
        })*

        const ALL: &[(&DialectInfo, &[testing::Check])] =
            &[$((iree_dialects::$name::DIALECT, $name::CHECKS)),*];
    };
}

dialects! {
    arith = "arith",
    complex = "complex",
    flow = "flow",
    func = "func",
    iree_linalg_ext = "iree_linalg_ext",
    linalg = "linalg",
    math = "math",
    stablehlo = "stablehlo",
    tensor = "tensor",
    util = "util",
}

/// Prints a figure for each dialect: `cargo test -p iree-dialects --test dialects generated -- --nocapture`.
#[test]
fn every_operation_of_every_dialect_is_built_read_back_and_changed() -> Outcome {
    let mut total = 0;
    for (dialect, checks) in ALL {
        let names = checks.iter().map(|check| check.operation);
        assert!(
            names.eq(dialect.operations.iter().map(|one| one.name)),
            "{}",
            dialect.name
        );
        let report = testing::run(&Context::new(), checks);
        println!("{}: {report}", dialect.name);
        total += report.into_result()?.operations;
    }
    println!("{total} operations");
    Ok(())
}

/// The same in a context that knows some dialects, with the number of operations that are right although types are made up.
#[test]
fn operations_that_mlir_knows_are_built_and_changed() -> Outcome {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.load_all_available_dialects();
    for (dialect, checks) in ALL {
        let report = testing::run(&context, checks);
        println!("{}: {report}", dialect.name);
        let report = report.into_result()?;
        let verified = match dialect.name {
            "arith" => 41,
            "math" => 46,
            "tensor" => 6,
            _ => 0,
        };
        assert!(report.verified >= verified, "{}: {report}", dialect.name);
    }
    Ok(())
}

#[test]
fn a_check_fails_where_something_is_wrong() {
    use iree_dialects::testing::{Check, Outcome, Scene};

    // The check of another operation, and one that finds another value than it put in.
    let swapped = |scene: &Scene<'_>| -> Outcome {
        let expected = vec![("lhs", "argument 0".to_owned())];
        scene.expect(&expected, vec![("lhs", "argument 1".to_owned())])
    };
    let checks = [
        Check {
            operation: "arith.addf",
            run: swapped,
        },
        Check {
            operation: "arith.addi",
            run: |scene| scene.read_back(iree_dialects::arith::AddiOperation::INFO, |_| Ok(())),
        },
    ];
    let report = testing::run(&Context::new(), &checks)
        .into_result()
        .unwrap_err();
    assert_eq!(
        report.to_string(),
        "0 of 2 operations, 0 known to MLIR, 0 verified by it\n\
         `arith.addf`: `lhs` should be argument 0 and is argument 1\n\
         `arith.addi`: the operation is lost"
    );
}
