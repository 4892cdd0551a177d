//! Vendoring that comes to no end.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::PathBuf,
    process::{Child, Command},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// Asks the true cargo about packages, and begins a build that takes longer than anybody waits.
const CARGO: &str = r#"#!/bin/sh
test "$1" = metadata && exec "$TRUE_CARGO" "$@"
mkdir "${IREE_DSL_VENDOR#*:}/half"
exec sleep 60
"#;

struct Vendoring {
    folder: TempDir,
}

impl Vendoring {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cargo = folder.path().join("cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder }
    }

    /// Begins, and goes on until there is something to leave behind that was not there before.
    fn begin(&self) -> Child {
        let before = self.halves();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cargo-iree"));
        command
            .arg("vendor")
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        command
            .env("CARGO", self.folder.path().join("cargo"))
            .env("TRUE_CARGO", env!("CARGO"))
            .env("CARGO_TARGET_DIR", self.folder.path().join("target"))
            .process_group(0);
        let child = command.spawn().unwrap();
        while self.halves().iter().all(|half| before.contains(half)) {
            thread::sleep(Duration::from_millis(10));
        }
        child
    }

    /// What a build left unfinished.
    fn halves(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path().join("target/iree"));
        let paths = entries
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path());
        paths.filter(|path| path.join("half").is_dir()).collect()
    }
}

fn send(signal: &str, mut child: Child) {
    let group = format!("-{}", child.id());
    let sent = Command::new("kill")
        .args(["-s", signal, "--", &group])
        .status();
    assert!(sent.unwrap().success());
    child.wait().unwrap();
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let vendoring = Vendoring::new();
    let child = vendoring.begin();
    send("INT", child);
    assert_eq!(vendoring.halves().len(), 0);
}

#[test]
fn what_a_killed_process_left_goes_with_the_next() {
    let vendoring = Vendoring::new();
    let child = vendoring.begin();
    send("KILL", child);
    let left = vendoring.halves();
    assert_eq!(left.len(), 1);
    let child = vendoring.begin();
    let now = vendoring.halves();
    assert!(now.len() == 1 && now != left, "{now:?}");
    send("INT", child);
    assert_eq!(vendoring.halves().len(), 0);
}
