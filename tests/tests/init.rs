//! `x init`, which tells cargo where a crate finds what a build needs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

fn checkout() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().expect("the root of the checkout")
}

/// An empty crate below a folder.
fn crate_below(folder: &Path) -> TempDir {
    fs::create_dir_all(folder).expect("a folder");
    let root = tempfile::tempdir_in(folder).expect("a folder for a crate");
    let manifest = "[package]\nname = \"made\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(root.path().join("Cargo.toml"), manifest).expect("a manifest");
    fs::create_dir(root.path().join("src")).expect("a folder for sources");
    fs::write(root.path().join("src/lib.rs"), "").expect("a source");
    root
}

fn init(root: &TempDir) -> Output {
    let mut command = Command::new(checkout().join("x"));
    command.arg("init").arg(root.path());
    command.output().expect("`x` runs")
}

fn config(root: &TempDir) -> PathBuf {
    root.path().join(".cargo/config.toml")
}

fn assert_cargo_reads(root: &TempDir) {
    let mut command = Command::new(env!("CARGO"));
    command.args([
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ]);
    let output = command
        .current_dir(root.path())
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn a_crate_elsewhere_gets_the_variables() {
    let root = crate_below(&std::env::temp_dir());
    for _ in 0..2 {
        assert!(init(&root).status.success());
        let written = fs::read_to_string(config(&root)).expect("a configuration");
        assert_eq!(written.matches("CMAKE = ").count(), 1, "{written}");
        assert_cargo_reads(&root);
    }
}

#[test]
fn a_crate_below_the_checkout_has_the_variables_already() {
    let root = crate_below(&checkout().join("target"));
    let output = init(&root);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("there is nothing to write"), "{said}");
    assert!(!config(&root).exists());
    assert_cargo_reads(&root);
}

#[test]
fn what_cargo_cannot_merge_is_named() {
    let root = crate_below(&checkout().join("target"));
    fs::create_dir(root.path().join(".cargo")).expect("a folder");
    fs::write(config(&root), "[env]\nCMAKE = \"/opt/cmake\"\n").expect("a configuration");
    let output = init(&root);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(
        said.contains("cannot be merged") && said.contains("CMAKE"),
        "{said}"
    );
}
