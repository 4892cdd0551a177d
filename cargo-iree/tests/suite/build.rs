//! What is shown of a build, with a cargo that only says what it would do.
#![cfg(unix)]

use crate::tool::anywhere;
use std::{fs, os::unix::fs::PermissionsExt};

/// Asks the true cargo about packages, and tells of a compilation instead of building.
const CARGO: &str = r#"#!/bin/sh
test "$1" = metadata && exec "$TRUE_CARGO" "$@"
echo "asked for: $*; targets: $IREE_DSL_TARGETS" >&2
printf 'begun\tcpu-x86-64\tmodel\nbegun\tvmvx\tmodel\n' >> "$IREE_DSL_PROGRESS"
sleep 0.5
printf 'ended\tvmvx\tmodel\nended\tcpu-x86-64\tmod' >> "$IREE_DSL_PROGRESS"
sleep 0.5
printf 'el\n' >> "$IREE_DSL_PROGRESS"
echo 'the end' >&2
exit "${CODE-0}"
"#;

fn build(arguments: &[&str], code: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let cargo = folder.path().join("cargo");
    fs::write(&cargo, CARGO).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = anywhere();
    command.arg("build").args(arguments);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
        .env("CARGO", &cargo)
        .env("TRUE_CARGO", env!("CARGO"));
    let output = command.env("CODE", code).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.success(), said)
}

#[test]
fn compilations_are_told_as_they_end() {
    let (success, said) = build(&[], "0");
    assert!(success, "{said}");
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    let order = [
        place("asked for: build --manifest-path"),
        place("    Compiled model for vmvx in "),
        place("    Compiled model for cpu-x86-64 in "),
    ];
    assert!(order.is_sorted(), "{said}");
    assert!(said.contains("the end") && !said.contains('\x1b'), "{said}");
}

#[test]
fn options_go_on_to_cargo() {
    let options = [
        "--release",
        "--examples",
        "--example",
        "a",
        "--all-targets",
        "-F",
        "f",
        "--targets",
        "cpu,vmvx",
    ];
    let (_, said) = build(&options, "0");
    let expected = "asked for: build --release --examples --all-targets --example a --features f --manifest-path";
    assert!(said.contains(expected), "{said}");
    assert!(said.contains("targets: cpu,vmvx"), "{said}");
}

#[test]
fn a_build_that_fails_is_an_error() {
    let (success, said) = build(&[], "3");
    assert!(
        !success && said.contains("error: the package does not build"),
        "{said}"
    );
}
