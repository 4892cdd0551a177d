//! What a program is before it is lowered, for the interpreter.

use super::{Environment, Failure, cache::Cache, files, key::Key};
use iree_dsl_ir::Verified;
use std::path::PathBuf;

/// Stores the text of a program, at a path that its content decides.
///
/// # Errors
///
/// If no file can be written.
pub fn store_text(program: &Verified, environment: &Environment) -> Result<PathBuf, Failure> {
    let text = program.module().to_string();
    let cache = Cache::new(environment.cache_directory());
    let description = [("content", "program".to_owned())];
    cache.obtain(
        &Key::of_text(&text),
        "program.ir",
        &description,
        |_, path| files::write(path, text.as_bytes()),
    )
}
