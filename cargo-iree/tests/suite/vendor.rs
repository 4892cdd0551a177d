//! Artifacts in a repository: written with a compiler, used without one.

#[cfg(unix)]
mod interrupted;
#[cfg(target_os = "linux")]
mod package;
#[cfg(target_os = "linux")]
mod sealed;

use crate::tool::{anywhere, failure};
use std::fs;

#[test]
fn a_package_without_the_library_has_nothing_to_vendor() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"plain\"\nedition = \"2024\"\n[workspace]";
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    let said = failure(anywhere().arg("vendor").current_dir(folder.path()));
    insta::assert_snapshot!(said);
}
