use std::{
    env,
    path::{Path, PathBuf},
};

/// The version of IREE whose compiler and runtime work together here.
pub const IREE_VERSION: &str = "3.13.0";

/// The variable that names the compiler to use.
pub const COMPILER_VARIABLE: &str = "IREE_COMPILE";

/// The compiler to use.
pub fn find_compiler() -> Option<PathBuf> {
    find_tool(COMPILER_VARIABLE, "iree-compile")
}

/// A tool of IREE: the one that a variable names, or the one that `./x setup` installed in the checkout that
/// this crate was built from, or the first on `PATH`.
pub fn find_tool(variable: &str, name: &str) -> Option<PathBuf> {
    if let Some(named) = env::var_os(variable).filter(|value| !value.is_empty()) {
        return Some(named.into());
    }
    let executable = format!("{name}{}", env::consts::EXE_SUFFIX);
    let installed = checkout().join(".tools/bin").join(&executable);
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|directory| directory.join(&executable));
    std::iter::once(installed)
        .chain(on_path)
        .find(|candidate| candidate.is_file())
}

/// The checkout that this crate was built from.
pub fn checkout() -> &'static Path {
    let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_directory.parent().unwrap_or(crate_directory)
}

/// The version in what `iree-compile --version` prints.
pub fn version_in(output: &str) -> Option<&str> {
    let mut lines = output.lines();
    lines.find_map(|line| line.trim().strip_prefix("IREE compiler version "))
}

/// Whether a version is ours; the release carries its candidate's date: `3.13.0rc20261016 @ 89ece87`.
pub fn is_right_version(version: &str) -> bool {
    let rest = version.strip_prefix(IREE_VERSION);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_and_its_candidates_are_right() {
        for version in ["3.13.0", "3.13.0rc20261016 @ 89ece87", "3.13.0+local"] {
            assert!(is_right_version(version), "{version}");
        }
        for version in ["3.13.01", "3.13.0.1", "3.12.0", "13.13.0", ""] {
            assert!(!is_right_version(version), "{version}");
        }
    }

    #[test]
    fn the_version_is_one_line_of_many() {
        let output = "IREE (https://iree.dev):\n  IREE compiler version 3.13.0 @ 1\n  LLVM";
        assert_eq!(version_in(output), Some("3.13.0 @ 1"));
        assert_eq!(version_in("LLVM version 22"), None);
    }
}
