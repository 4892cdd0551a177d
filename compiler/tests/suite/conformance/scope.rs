//! Which cases say nothing about the language, and why.

use super::{case::Case, literal::UnknownType};

/// Why a case is out of scope, if it is.
pub(super) fn reason(case: &Case) -> Option<&'static str> {
    let operation = case.operation();
    let text = &operation.text;
    match operation.op.as_str() {
        "interpreter.run_parallel" => {
            return Some(
                "distributed: a program of the language runs on one device, and the functions that are run are not part of the case",
            );
        }
        "stablehlo.optimization_barrier" => {
            return Some("computes nothing: it orders the work of a compiler");
        }
        _ if text.contains("interpreter.probe") => {
            return Some("tests a probe of the interpreter itself");
        }
        _ => {}
    }
    let unknown = case.inputs().err().or_else(|| case.expected().err());
    unknown.map(|UnknownType(name)| match name.as_str() {
        "i2" | "ui2" | "i4" | "ui4" => "elements of 2 or 4 bits, which the language does not have",
        _ => "real numbers of 8 bits, which the language does not have",
    })
}
