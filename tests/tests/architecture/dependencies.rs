//! A user's binary links no LLVM: what depends on it is reached through the macro crate only.

use crate::workspace;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, NodeDep, PackageId, TargetKind};
use std::{collections::BTreeSet, process::Command};

/// Crates that link LLVM or MLIR, or generate code from them.
const COMPILERS: [&str; 5] = [
    "iree-dialects",
    "iree-dsl-compiler",
    "melior",
    "mlir-sys",
    "tblgen",
];

/// Crates that need LLVM to be built.
const LLVM: [&str; 4] = ["iree-dialects", "melior", "mlir-sys", "tblgen"];

/// What the crates of the representation, of composites, of its interpreter and of its transformations do without: syntax, compilers and cargo.
const BEYOND_THE_REPRESENTATION: [&str; 9] = [
    "cargo_metadata",
    "iree-dialects",
    "iree-dsl-compiler",
    "iree-runtime",
    "melior",
    "mlir-sys",
    "proc-macro2",
    "quote",
    "syn",
];

#[test]
fn the_representation_knows_neither_syntax_nor_compilers() {
    let metadata = metadata();
    for crate_name in [
        "iree-dsl-ir",
        "iree-dsl-library",
        "iree-dsl-interpreter",
        "iree-dsl-transform",
    ] {
        let linked = linked_crates(&metadata, crate_name);
        let beyond: Vec<_> = BEYOND_THE_REPRESENTATION
            .iter()
            .filter(|name| linked.contains(**name))
            .collect();
        assert!(beyond.is_empty(), "`{crate_name}` links {beyond:?}");
    }
}

#[test]
fn no_crate_of_a_users_binary_links_llvm() {
    let metadata = metadata();
    for name in ["iree-abi", "iree-runtime", "iree-dsl"] {
        let linked = linked_crates(&metadata, name);
        let compilers: Vec<_> = COMPILERS
            .iter()
            .filter(|name| linked.contains(**name))
            .collect();
        assert!(compilers.is_empty(), "`{name}` links {compilers:?}");
    }
}

#[test]
fn builds_without_a_compiler_need_no_llvm() {
    let vendored = built_crates(
        "iree-dsl",
        &["--no-default-features", "--features=vendored"],
    );
    let interpreted = built_crates(
        "iree-dsl",
        &["--no-default-features", "--features=interpreter"],
    );
    let tool = built_crates("cargo-iree", &[]);
    let kernels = built_crates("nn", &[]);
    let compiled = built_crates("iree-dsl", &[]);
    assert!(vendored.contains("iree-dsl-compiler"));
    for name in LLVM {
        assert!(!vendored.contains(name), "`{name}` is in a vendored build");
        assert!(
            !interpreted.contains(name),
            "`{name}` is in a build for the interpreter"
        );
        assert!(!tool.contains(name), "`{name}` is in the tool");
        assert!(
            !kernels.contains(name),
            "`{name}` comes with kernel modules"
        );
        assert!(compiled.contains(name), "`{name}` is in no build");
    }
}

#[test]
fn the_interpreter_is_in_no_build_that_does_not_ask_for_it() {
    let interpreter = "iree-dsl-interpreter";
    assert!(!built_crates("iree-dsl", &[]).contains(interpreter));
    for feature in ["--features=interpreter", "--features=check"] {
        assert!(built_crates("iree-dsl", &[feature]).contains(interpreter));
    }
}

/// The names of everything that cargo builds for a crate by itself.
fn built_crates(name: &str, features: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(workspace::root())
        .args([
            "tree",
            "--offline",
            "--package",
            name,
            "--edges=normal,build",
        ])
        .args(["--prefix=none", "--format={p}"])
        .args(features)
        .output()
        .expect("cargo lists dependencies");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines = String::from_utf8(output.stdout).expect("names");
    let names = lines.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn the_macro_crate_does() {
    let linked = linked_crates(&metadata(), "iree-dsl-macros");
    for name in COMPILERS.iter().take(4) {
        assert!(
            linked.contains(*name),
            "`iree-dsl-macros` does not link `{name}`"
        );
    }
}

fn metadata() -> Metadata {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    MetadataCommand::new()
        .manifest_path(workspace::root().join("Cargo.toml"))
        .other_options(["--offline".into(), "--filter-platform".into(), platform])
        .exec()
        .expect("cargo describes the workspace")
}

/// The names of a crate and of everything that is linked into what uses it.
fn linked_crates(metadata: &Metadata, name: &str) -> BTreeSet<String> {
    let root = metadata
        .packages
        .iter()
        .find(|package| package.name == name);
    let mut pending = vec![&root.expect("a crate of the workspace").id];
    let mut seen = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if seen.insert(id) {
            pending.extend(normal_dependencies(metadata, id));
        }
    }
    seen.into_iter()
        .map(|id| metadata[id].name.to_string())
        .collect()
}

fn normal_dependencies<'a>(
    metadata: &'a Metadata,
    id: &PackageId,
) -> impl Iterator<Item = &'a PackageId> {
    let graph = metadata.resolve.as_ref().expect("the graph was asked for");
    let node = graph.nodes.iter().find(|node| node.id == *id);
    let is_normal = |dependency: &&NodeDep| {
        dependency
            .dep_kinds
            .iter()
            .any(|kind| kind.kind == DependencyKind::Normal)
    };
    node.into_iter()
        .flat_map(|node| &node.deps)
        .filter(is_normal)
        .map(|dependency| &dependency.pkg)
        .filter(|id| !is_proc_macro(metadata, id))
}

/// Proc-macro crates are linked into rustc, not into the user's binary.
fn is_proc_macro(metadata: &Metadata, id: &PackageId) -> bool {
    let mut targets = metadata[id].targets.iter();
    targets.any(|target| target.kind.contains(&TargetKind::ProcMacro))
}
