//! Loops of programs next to the same written by hand in MLIR and, for `while`, in JAX.
//!
//! ```sh
//! cargo bench -p iree-dsl --bench loops
//! ```
//!
//! JAX runs in the Python that `IREE_DSL_ORACLE_PYTHON` names; without it, its column is empty.

#[path = "../common/mod.rs"]
mod common;
mod decode;
mod jax;
mod measure;
mod rounds;

fn main() -> iree_dsl::Result<()> {
    rounds::run()?;
    decode::run()
}
