//! A user's binary links no LLVM: what depends on it is reached through the macro crate only.

use crate::workspace;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, NodeDep, PackageId, TargetKind};
use std::collections::BTreeSet;

/// Crates that link LLVM or MLIR, or generate code from them.
const COMPILERS: [&str; 5] = [
    "iree-dialects",
    "iree-dsl-compiler",
    "melior",
    "mlir-sys",
    "tblgen",
];

#[test]
fn no_crate_of_a_users_binary_links_llvm() {
    let metadata = metadata();
    for name in ["iree-abi", "iree-runtime", "iree-dsl", "cargo-iree"] {
        let linked = linked_crates(&metadata, name);
        let compilers: Vec<_> = COMPILERS
            .iter()
            .filter(|name| linked.contains(**name))
            .collect();
        assert!(compilers.is_empty(), "`{name}` links {compilers:?}");
    }
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
