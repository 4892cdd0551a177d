//! A build without the variables that `x init` writes says what to do.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// What the build script of `iree-dsl` prints, with a folder as `PATH` and maybe a place for LLVM.
fn printed(folder: &Path, llvm: Option<&Path>, features: bool) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dsl");
    let script = folder.join("script");
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "-o"]).arg(&script);
    let status = rustc
        .arg(source.join("build.rs"))
        .status()
        .expect("rustc runs");
    assert!(status.success());
    let mut run = Command::new(script);
    run.env_clear()
        .env("PATH", folder)
        .env("CARGO_MANIFEST_DIR", &source);
    if let Some(llvm) = llvm {
        run.env("MLIR_SYS_220_PREFIX", llvm);
    }
    if features {
        run.env("CARGO_FEATURE_COMPILE", "1");
    }
    let output = run.output().expect("it runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("a text")
}

#[test]
fn a_build_before_init_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let unknown = printed(folder.path(), None, true);
    assert!(
        unknown.contains("cargo::error=the build does not know where LLVM 22 is: run `")
            && unknown.contains("/x init DIR`"),
        "{unknown}"
    );
    let wrong = printed(folder.path(), Some(Path::new("/nowhere")), true);
    assert!(
        wrong.contains("there is no LLVM 22 in /nowhere, which MLIR_SYS_220_PREFIX names"),
        "{wrong}"
    );
    let llvm = env::var_os("MLIR_SYS_220_PREFIX").map(PathBuf::from);
    let right = printed(folder.path(), llvm.as_deref(), true);
    assert!(llvm.is_none() || !right.contains("error"), "{right}");
    assert!(
        !printed(folder.path(), None, false).contains("error"),
        "vendored artifacts need no LLVM"
    );
}
