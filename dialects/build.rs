//! Generates the operations of each dialect from its TableGen source.

use std::process::ExitCode;

/// Each dialect with its source: ours by path, upstream's by its name in the include directory.
const DIALECTS: [(&str, &str); 10] = [
    ("arith", "mlir/Dialect/Arith/IR/ArithOps.td"),
    ("complex", "td/complex.td"),
    ("flow", "td/flow.td"),
    ("func", "mlir/Dialect/Func/IR/FuncOps.td"),
    ("iree_linalg_ext", "td/iree_linalg_ext.td"),
    ("linalg", "td/linalg.td"),
    ("math", "mlir/Dialect/Math/IR/MathOps.td"),
    ("stablehlo", "td/stablehlo.td"),
    ("tensor", "mlir/Dialect/Tensor/IR/TensorOps.td"),
    ("util", "td/util.td"),
];

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");

    let build = iree_dialects_generator::build()
        .include("td")
        .module("arith", "::iree_dialects::arith");
    let build = DIALECTS
        .iter()
        .fold(build, |build, (name, source)| build.dialect(*name, source));
    match build.compile() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}
