use std::error::Error;

use filecheck::{CheckerBuilder, NO_VARIABLES};
use melior::Context;

use crate::{Form, Locations, Pipeline, parse, print};

/// Runs passes on a module and compares what they leave with what comments of its text expect: `mlir-opt` and `FileCheck` in one.
///
/// The directives are those of the crate [`filecheck`](https://docs.rs/filecheck), one in a comment: `check` finds a text behind the one before,
/// `nextln` in the next line, `sameln` in the same, `unordered` anywhere, and `not` says what is nowhere between. `$(sum=%\w+)` gives a name to
/// what a regular expression finds, and `$sum` is the same text again. Of a text that MLIR refuses, or that a pass fails on, it is the
/// diagnostics that are compared.
///
/// # Errors
///
/// If something differs, with what was found for each directive; or if there is no directive.
///
/// # Examples
///
/// ```
/// use iree_dialects::{Pipeline, melior::pass::transform, testing};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = iree_dialects::context();
/// let pipeline = Pipeline::new("builtin.module").mlir(transform::create_cse);
/// testing::check(
///     &context,
///     r"
///     func.func @f(%a: i32) -> i32 {
///         // check: $(sum=%\w+) = arith.addi
///         // not: arith.addi
///         // nextln: arith.muli $sum, $sum
///         %0 = arith.addi %a, %a : i32
///         %1 = arith.addi %a, %a : i32
///         %2 = arith.muli %0, %1 : i32
///         return %2 : i32
///     }",
///     &pipeline,
/// )?;
/// testing::check(
///     &context,
///     "// check: error: use of undeclared SSA value name
///     func.func @f() -> i32 { return %0 : i32 }",
///     &pipeline,
/// )?;
/// # Ok(())
/// # }
/// ```
pub fn check(context: &Context, case: &str, pipeline: &Pipeline<'_>) -> Result<(), Box<dyn Error>> {
    let mut builder = CheckerBuilder::new();
    let comments = case.lines().filter_map(|line| line.split_once("//"));
    for (_, comment) in comments {
        builder.directive(comment)?;
    }
    let checker = builder.finish();
    if checker.is_empty() {
        return Err("no comment says what to check".into());
    }
    let output = output(context, case, pipeline);
    let (is_right, explanation) = checker.explain(&output, NO_VARIABLES)?;
    if is_right {
        Ok(())
    } else {
        Err(explanation.into())
    }
}

/// What passes leave of a module, or why they do not.
fn output(context: &Context, case: &str, pipeline: &Pipeline<'_>) -> String {
    let mut module = match parse(context, case) {
        Ok(module) => module,
        Err(diagnostics) => return diagnostics.to_string(),
    };
    match pipeline.run(&mut module) {
        Ok(()) => print(&module, Form::Pretty, Locations::Omit),
        Err(error) => error.to_string(),
    }
}
