//! What is shown of a build, with a cargo that only says what it would do.
#![cfg(unix)]

use crate::tool::{anywhere, output};
use iree_abi::build::{DESCRIPTION, Description};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Asks the true cargo about packages, and tells of a compilation instead of building.
const CARGO: &str = r#"#!/bin/sh
test "$1" = metadata && exec "$TRUE_CARGO" "$@"
echo "asked for: $*; targets: $IREE_DSL_TARGETS; without: $IREE_DSL_WITHOUT_PASSES" >&2
printf 'begun\tcpu-x86-64\tmodel\nbegun\tvmvx\tmodel\n' >> "$IREE_DSL_PROGRESS"
sleep 0.5
printf 'ended\tvmvx\tmodel\nended\tcpu-x86-64\tmod' >> "$IREE_DSL_PROGRESS"
sleep 0.5
printf 'el\n' >> "$IREE_DSL_PROGRESS"
echo 'the end' >&2
printf 'begun\thip-x\tmodel\nfailed\thip-x\tmodel\n' >> "$IREE_DSL_PROGRESS"
sleep 0.3
test -z "$PRINTED" || cat "$PRINTED"
exit "${CODE-0}"
"#;

/// The tool with this cargo, in a folder of its own.
fn tool() -> (TempDir, assert_cmd::Command) {
    let folder = tempfile::tempdir().unwrap();
    let cargo = folder.path().join("cargo");
    fs::write(&cargo, CARGO).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = anywhere();
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
        .env("CARGO", &cargo)
        .env("TRUE_CARGO", env!("CARGO"));
    (folder, command)
}

fn build(arguments: &[&str], code: &str) -> (bool, String) {
    let (_folder, mut command) = tool();
    command.arg("build").args(arguments);
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
        place("asked for: build --message-format json-render-diagnostics --manifest-path"),
        place("    Compiled model for vmvx in "),
        place("    Compiled model for cpu-x86-64 in "),
        place("      Failed model for hip-x after "),
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
        "--without-passes",
        "gaps,inputs",
    ];
    let (_, said) = build(&options, "0");
    let expected = "asked for: build --release --examples --all-targets --example a --features f \
                    --message-format json-render-diagnostics --manifest-path";
    assert!(said.contains(expected), "{said}");
    assert!(
        said.contains("targets: cpu,vmvx; without: gaps,inputs"),
        "{said}"
    );
}

#[test]
fn a_build_that_fails_is_an_error() {
    let (success, said) = build(&[], "3");
    assert!(
        !success && said.contains("error: the package does not build"),
        "{said}"
    );
}

/// What cargo says of something that it has built for a package.
fn built(package: &str, files: &[PathBuf]) -> String {
    let artifact = serde_json::json!({
        "reason": "compiler-artifact",
        "package_id": package,
        "manifest_path": "/Cargo.toml",
        "target": {
            "kind": ["lib"], "crate_types": ["lib"], "name": "a", "src_path": "/a.rs", "edition": "2024",
            "doc": true, "doctest": true, "test": true
        },
        "profile": {
            "opt_level": "0", "debuginfo": 0, "debug_assertions": true, "overflow_checks": true, "test": false
        },
        "features": [],
        "filenames": files,
        "executable": null,
        "fresh": true
    });
    format!("{artifact}\n")
}

/// A build of the package of this test that embeds these programs, as the tool lists it.
fn listed(programs: &[&str]) -> String {
    let (folder, mut command) = tool();
    let mut list = format!("{}/app:", escaped(folder.path()));
    for (index, name) in programs.iter().enumerate() {
        let path = folder.path().join(format!("a b/{index}")).join(DESCRIPTION);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = fs::read_to_string(description()).unwrap();
        let described = Description {
            program: (*name).to_owned(),
            source: format!("src/{index}.rs:3"),
            ..serde_json::from_str(&text).unwrap()
        };
        fs::write(&path, serde_json::to_string(&described).unwrap()).unwrap();
        list += &format!(" {} /src/main.rs", escaped(&path));
    }
    fs::write(folder.path().join("app-1.d"), format!("{list}\n")).unwrap();
    let files = ["libapp-1.rmeta", "libapp-1.rlib"].map(|name| folder.path().join(name));
    let printed = folder.path().join("printed");
    let metadata = cargo_metadata::MetadataCommand::new()
        .no_deps()
        .exec()
        .unwrap();
    let mut packages = metadata.packages.iter();
    let own = packages.find(|package| package.name == env!("CARGO_PKG_NAME"));
    let text = built("path+file:///other#1.0.0", &[folder.path().join("missing")])
        + &built(&own.unwrap().id.repr, &files);
    fs::write(&printed, text).unwrap();
    output(command.arg("list").env("PRINTED", printed))
}

fn escaped(path: &Path) -> String {
    path.display().to_string().replace(' ', "\\ ")
}

/// That of a program of this test.
fn description() -> PathBuf {
    let tool = assert_cmd::cargo::cargo_bin!("cargo-iree");
    let target = tool.ancestors().nth(2).unwrap();
    target.join("iree/cargo-iree/scaling.json")
}

#[test]
fn programs_are_those_that_the_build_embeds() {
    let text = listed(&["second", "first"]);
    let names: Vec<_> = text
        .lines()
        .filter_map(|line| line.split_once(" in cargo-iree, "))
        .collect();
    assert_eq!(names, [("first", "src/1.rs:3"), ("second", "src/0.rs:3")]);
}

#[test]
fn programs_of_one_name_are_told_apart_by_place() {
    let text = listed(&["twin", "twin"]);
    assert!(
        text.contains("twin in cargo-iree, src/0.rs:3")
            && text.contains("twin in cargo-iree, src/1.rs:3"),
        "{text}"
    );
}
