//! The lock files of the workspaces of their own are those of the crates as they are: `cargo --locked` takes no others.

use crate::workspace;
use cargo_metadata::{DependencyKind, MetadataCommand};
use std::fs;

#[test]
fn lock_files_know_what_crates_depend_on() {
    let metadata = MetadataCommand::new()
        .manifest_path(workspace::root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("the workspace has a manifest");
    let mut missing = Vec::new();
    for folder in ["benches", "fuzz"] {
        let path = workspace::root().join(folder).join("Cargo.lock");
        let lock = fs::read_to_string(&path).expect("the workspace has a lock file");
        for package in &metadata.packages {
            let Some(entry) = entry(&lock, &package.name) else {
                continue;
            };
            let own = package.dependencies.iter();
            // What is optional is there only if somebody asks for it.
            let own = own.filter(|it| !it.optional && it.kind != DependencyKind::Development);
            let unknown = own.filter(|it| !lists(entry, &it.name));
            missing.extend(unknown.map(|it| format!("{folder}: {} of {}", it.name, package.name)));
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "run cargo in the folder");
}

/// What a lock file says of a package.
fn entry<'l>(lock: &'l str, package: &str) -> Option<&'l str> {
    let name = format!("name = \"{package}\"\n");
    lock.split("[[package]]")
        .find(|entry| entry.contains(&name))
}

/// Whether the entry of a package lists another; with its version, if there are several.
fn lists(entry: &str, dependency: &str) -> bool {
    let quoted = [format!(" \"{dependency}\""), format!(" \"{dependency} ")];
    quoted.iter().any(|name| entry.contains(name))
}
