//! A front end in some two hundred lines: functions of numbers, compiled with MLIR.
//!
//! 1. [`syntax`] reads expressions: arithmetic, calls, `if .. then .. else`, and `repeat name = start, count: next`.
//! 2. [`compile`] builds functions of the dialects `func`, `arith` and `scf` for them, at the places of the source.
//! 3. [`simplify`] is a pipeline with a pass of its own, and [`to_llvm`] goes on to the dialect `llvm`.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = calc::context();
//! let source = "def power(x, n) = repeat p = 1, n: p * x\n\
//!               def larger(a, b) = if a > b then a * 1 else b";
//! let mut module = calc::compile(&context, "numbers.calc", source)?;
//! calc::simplify().run(&mut module)?;
//! assert!(module.as_operation().to_string().contains("scf.while"));
//! calc::to_llvm().run(&mut module)?;
//! assert!(module.as_operation().to_string().contains("llvm.func @power(%arg0: f32, %arg1: f32) -> f32"));
//! # Ok(())
//! # }
//! ```

mod emit;
mod passes;
pub mod syntax;

use std::error::Error;

use iree_dialects::{
    melior::dialect::{DialectHandle, DialectRegistry},
    prelude::*,
    verify,
};

pub use passes::{simplify, to_llvm};

/// A context that knows the dialects that functions are compiled to.
pub fn context() -> Context {
    let context = iree_dialects::context();
    let registry = DialectRegistry::new();
    DialectHandle::scf().insert_dialect(&registry);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// Compiles the functions of a source.
///
/// # Errors
///
/// [`syntax::Mistake`] where the source is wrong.
pub fn compile<'c>(
    context: &'c Context,
    file: &str,
    source: &str,
) -> Result<Module<'c>, Box<dyn Error>> {
    let functions = syntax::parse(source)?;
    let location = Location::new(context, file, 1, 1);
    let module = iree_dialects::module(location);
    let builder = Builder::at_end(module.body(), location);
    emit::functions(&builder, file, &functions)?;
    verify(&module)?;
    Ok(module)
}
