use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::Error;

const VERSION: u32 = 22;
const VARIABLE: &str = "TABLEGEN_220_PREFIX";

/// The folder with the TableGen files that LLVM installs, such as `mlir/IR/OpBase.td`.
///
/// It is looked for under `TABLEGEN_220_PREFIX`, else under what `llvm-config-22` names.
///
/// # Errors
///
/// [`Error::NoInstallation`] if neither has the file `mlir/IR/OpBase.td`.
pub fn llvm_include_directory() -> Result<PathBuf, Error> {
    env::var_os(VARIABLE)
        .map(|prefix| Path::new(&prefix).join("include"))
        .into_iter()
        .chain(configured_directory())
        .find(|directory| directory.join("mlir/IR/OpBase.td").is_file())
        .ok_or(Error::NoInstallation {
            variable: VARIABLE,
            version: VERSION,
        })
}

fn configured_directory() -> Option<PathBuf> {
    let output = Command::new(format!("llvm-config-{VERSION}"))
        .arg("--includedir")
        .output()
        .ok()?;
    let directory = String::from_utf8(output.stdout).ok()?;

    Some(PathBuf::from(directory.trim()))
}
