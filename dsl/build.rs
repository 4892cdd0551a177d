//! Says what to do where a build would not find LLVM, before the build scripts that look for it fail.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The version of LLVM that the compiler is linked with.
const LLVM: &str = "22";

/// Where it is, unless `PATH` has its `llvm-config`.
const VARIABLE: &str = "MLIR_SYS_220_PREFIX";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    // With vendored artifacts nothing is compiled.
    if env::var_os("CARGO_FEATURE_COMPILE").is_some()
        && let Err(reason) = find_llvm()
    {
        let setup = setup();
        println!(
            "cargo::error={reason}: run `{setup} init DIR`, where DIR is the folder of your crate. It installs what is \
             missing, and writes the variables that a build reads to DIR/.cargo/config.toml; then build again in DIR"
        );
    }
}

fn find_llvm() -> Result<(), String> {
    let prefix = env::var_os(VARIABLE).filter(|prefix| !prefix.is_empty());
    let Some(prefix) = prefix.map(PathBuf::from) else {
        return match is_version(Path::new("llvm-config")) {
            true => Ok(()),
            false => Err(format!("the build does not know where LLVM {LLVM} is")),
        };
    };
    match is_version(&prefix.join("bin/llvm-config")) {
        true => Ok(()),
        false => Err(format!(
            "there is no LLVM {LLVM} in {}, which {VARIABLE} names",
            prefix.display()
        )),
    }
}

/// Whether an `llvm-config` is that of the version.
fn is_version(program: &Path) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| {
        let version = String::from_utf8_lossy(&output.stdout);
        version.split('.').next() == Some(LLVM)
    })
}

/// The script that sets a crate up.
fn setup() -> String {
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let checkout = folder.as_deref().and_then(Path::parent);
    let script = checkout.map(|checkout| checkout.join("x"));
    let script = script.filter(|script| script.is_file());
    script.map_or_else(|| "./x".to_owned(), |script| script.display().to_string())
}
