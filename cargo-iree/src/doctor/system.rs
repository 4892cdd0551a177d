//! Packages of the system.

use super::Finding;
use std::{
    env,
    path::{Path, PathBuf},
};

/// Each line is a Debian package and the file, or the command, that shows it is there. `./x` reads it too.
const PARTS: &str = include_str!("parts.txt");

/// Where Debian has LLVM.
const LLVM: &str = "/usr/lib/llvm-22";

/// What of the system a build needs. LLVM may be elsewhere.
pub(crate) fn parts(llvm: Option<&Path>) -> Vec<Finding> {
    let llvm = llvm.unwrap_or(Path::new(LLVM));
    let lines = PARTS.lines().filter_map(|line| line.split_once(' '));
    lines
        .map(|(package, probe)| {
            let found = find(probe, llvm).map(|path| path.display().to_string());
            let cure = || format!("`apt-get install {package}`");
            Finding::new(package, found.ok_or_else(cure))
        })
        .collect()
}

fn find(probe: &str, llvm: &Path) -> Option<PathBuf> {
    match probe.strip_prefix(LLVM) {
        Some(inside) => existing(llvm.join(inside.trim_start_matches('/'))),
        None if probe.starts_with('/') => existing(PathBuf::from(probe)),
        None => command(probe),
    }
}

fn existing(path: PathBuf) -> Option<PathBuf> {
    path.exists().then_some(path)
}

/// Where a command is on `PATH`.
pub(crate) fn command(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut candidates = env::split_paths(&path).map(|directory| directory.join(name));
    candidates.find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_probe() {
        for line in PARTS.lines() {
            assert_eq!(line.split(' ').count(), 2, "{line}");
        }
    }

    #[test]
    fn parts_of_llvm_are_looked_for_where_it_is() {
        let elsewhere = tempfile::tempdir().unwrap();
        let missing = parts(Some(elsewhere.path()));
        let tool = |findings: &[Finding]| {
            let found = findings
                .iter()
                .find(|finding| finding.part == "mlir-22-tools");
            found.unwrap().state.clone()
        };
        assert_eq!(
            tool(&missing),
            Err("`apt-get install mlir-22-tools`".to_owned())
        );
        let bin = elsewhere.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(bin.join("mlir-tblgen"), "").unwrap();
        assert!(tool(&parts(Some(elsewhere.path()))).is_ok());
    }
}
