//! Compilers made of a few lines of shell, and a place to run them in.

use super::super::{Changes, Compiled, Environment, Failure, NoWays, Request, Target};
use crate::ast::Preset;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use tempfile::TempDir;

/// Leaves something in the form of a VMFB, which holds the flags and the module.
pub(super) const GOOD: &str = r#"
for last; do :; done
{ printf 'PK\003\004'; echo "$@" | sed 's| -o .*||'; cat *.mlir; printf 'PK\005\006'; printf '%018d' 0; } > "$last""#;

/// A target directory with a compiler beside it.
pub(super) struct Workshop {
    directory: TempDir,
}

impl Workshop {
    /// A workshop whose compiler has the right version and does what the script says.
    pub(super) fn new(script: &str) -> Self {
        Self::with_version("3.13.0rc20261016 @ fake", script)
    }

    pub(super) fn with_version(version: &str, script: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log").display().to_string();
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo version >> {log}; \
             echo 'IREE compiler version {version}'; exit 0; fi\necho compile >> {log}\n{script}\n"
        );
        let workshop = Self { directory };
        let path = workshop.compiler();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        // Until it runs once, a process that another test is starting may hold the file open for
        // writing, which keeps it from being run.
        while Command::new(&path).arg("--version").output().is_err() {}
        let _ = fs::remove_file(workshop.path("log"));
        workshop
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(super) fn compiler(&self) -> PathBuf {
        self.path("iree-compile")
    }

    pub(super) fn environment(&self) -> Environment {
        environment(self.compiler(), self.path("target"))
    }

    pub(super) fn compile(&self, request: &Request) -> Result<Vec<Compiled>, Failure> {
        compile(request, &self.environment())
    }

    /// How often the compiler was asked to do something: `version` or `compile`.
    pub(super) fn count(&self, what: &str) -> usize {
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        log.lines().filter(|line| *line == what).count()
    }
}

/// Compiles what nothing is known of but its module.
pub(super) fn compile(
    request: &Request,
    environment: &Environment,
) -> Result<Vec<Compiled>, Failure> {
    super::super::compile(request, &NoWays, environment)
}

pub(super) fn environment(compiler: PathBuf, target: PathBuf) -> Environment {
    Environment {
        compiler: Some(compiler),
        target_directory: Some(target),
        package: "package".to_owned(),
        time_limit: Duration::from_secs(120),
        ..Environment::detect()
    }
}

pub(super) fn request(mlir: &str) -> Request {
    Request {
        tile_bytes: None,
        changes: Changes::default(),
        has_f64: true,
        name: "program".to_owned(),
        mlir: mlir.to_owned().into(),
        targets: vec![target("cpu-x86-64")],
        preset: Preset::Speed,
        is_queued: false,
        emit: Vec::new(),
        flags: Vec::new(),
        without: Default::default(),
    }
}

pub(super) fn target(name: &str) -> Target {
    Target {
        name: name.to_owned(),
        flags: vec![format!("--iree-fake-target={name}")],
    }
}

pub(super) fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
