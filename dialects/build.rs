//! Generates the operations of each dialect from its TableGen source.

use std::{env, error::Error, fs, path::PathBuf, process::ExitCode};

use iree_dialects_generator::{Source, emit, llvm_include_directory};

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
    println!("cargo::rerun-if-changed=td");
    println!("cargo::rerun-if-env-changed=TABLEGEN_220_PREFIX");

    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<(), Box<dyn Error>> {
    let output = PathBuf::from(env::var("OUT_DIR")?);
    let include = llvm_include_directory()?;

    for (name, source) in DIALECTS {
        let dialect = Source::file(source).include(&include).read(name)?;
        fs::write(output.join(name).with_extension("rs"), emit(&dialect)?)?;
    }

    Ok(())
}
