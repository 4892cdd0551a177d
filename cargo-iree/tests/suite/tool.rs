//! Runs the tool.

use assert_cmd::Command;
use std::{fs, path::Path};

/// The tool on what the build of this test left.
pub(crate) fn tool(arguments: &[&str]) -> Command {
    let mut command = anywhere();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    command.args(arguments);
    command
        .arg("--manifest-path")
        .arg(manifest)
        .arg("--no-build");
    command
}

/// The tool with no arguments.
pub(crate) fn anywhere() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cargo-iree"));
    command.arg("iree").env_remove("CARGO_TERM_COLOR");
    command
}

/// What a command prints that succeeds.
pub(crate) fn output(command: &mut Command) -> String {
    let output = command.assert().success().get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

/// What a command says that fails.
pub(crate) fn failure(command: &mut Command) -> String {
    let output = command.assert().failure().get_output().clone();
    String::from_utf8(output.stderr).unwrap()
}

/// A package that needs no other.
pub(crate) fn package(source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"plain\"\nedition = \"2024\"\n[workspace]";
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), source).unwrap();
    folder
}
