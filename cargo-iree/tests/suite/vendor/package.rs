//! A crate outside of the workspace, with the first program.

use crate::tool::anywhere;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};
use tempfile::TempDir;

pub(super) struct Package {
    folder: TempDir,
}

impl Package {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let package = Self { folder };
        let library = checkout().join("dsl").display().to_string();
        // The profile of the workspace, so that what was built there serves here.
        let manifest = format!(
            "[package]\nname = \"app\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
             [dependencies]\nndarray = \"0.17\"\n\
             iree-dsl = {{ path = \"{library}\", default-features = false, features = [\"vendored\"] }}\n\
             [profile.dev]\ndebug = \"line-tables-only\"\n"
        );
        fs::create_dir(package.path("src")).unwrap();
        fs::write(package.path("Cargo.toml"), manifest).unwrap();
        // The versions that are there.
        fs::copy(checkout().join("Cargo.lock"), package.path("Cargo.lock")).unwrap();
        let example = fs::read_to_string(checkout().join("examples/first/main.rs")).unwrap();
        fs::write(package.path("src/main.rs"), example).unwrap();
        package
    }

    pub(super) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(super) fn replace(&self, from: &str, to: &str) {
        let path = self.path("src/main.rs");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from));
        fs::write(path, text.replace(from, to)).unwrap();
    }

    /// The tool, with LLVM and the IREE compiler.
    pub(super) fn vendor(&self, arguments: &[&str]) -> Output {
        let mut command = anywhere();
        command.arg("vendor").args(arguments);
        command.current_dir(self.root());
        command.env("CARGO_TARGET_DIR", target());
        command.output().unwrap()
    }
}

pub(super) fn checkout() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    folder.canonicalize().unwrap()
}

/// The target directory of this test.
pub(super) fn target() -> PathBuf {
    let tool = assert_cmd::cargo::cargo_bin!("cargo-iree");
    tool.ancestors().nth(2).unwrap().to_owned()
}

pub(super) fn succeeded(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(super) fn failed(output: &Output) -> String {
    assert!(!output.status.success());
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&said).into_owned()
}
