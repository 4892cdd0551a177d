//! The target directory of a build, as a macro sees it.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Finds it around the output of `rustc`, or else where a variable says, or else above the user's package.
pub(super) fn find(
    output: Option<&Path>,
    variable: Option<OsString>,
    package: Option<OsString>,
    target: Option<&str>,
) -> Option<PathBuf> {
    let tagged = |directory: &Path| directory.join("CACHEDIR.TAG").is_file();
    let output = output.and_then(|output| std::path::absolute(output).ok());
    // With `--target`, cargo tags the folder of that target too.
    let around = |path: PathBuf| {
        let nearest = path.ancestors().find(|path| tagged(path))?;
        let above = nearest.parent().filter(|above| tagged(above));
        Some(above.unwrap_or(nearest).to_owned())
    };
    // Cargo does not tag a folder that was there before, such as a mounted one. That of the profile has its lock.
    let above_profile = |path: &PathBuf| {
        let mut folders = path.ancestors();
        let profile = folders.find(|path| path.join(".cargo-lock").is_file())?;
        let root = profile.parent()?;
        let target = target.map(|target| Path::new(target).file_name());
        let is_of_target = target.is_some_and(|name| {
            let name = name.unwrap_or_default().to_string_lossy();
            let folder = root.file_name().unwrap_or_default().to_string_lossy();
            folder == name.trim_end_matches(".json")
        });
        let above = root.parent().filter(|_| is_of_target);
        Some(above.unwrap_or(root).to_owned())
    };
    let named = variable
        .filter(|value| !value.is_empty())
        .map(PathBuf::from);
    let above = |package: OsString| {
        let package = PathBuf::from(package);
        let targets = package.ancestors().map(|path| path.join("target"));
        targets.into_iter().find(|target| tagged(target))
    };
    let locked = output.as_ref().and_then(above_profile);
    output
        .and_then(around)
        .or(locked)
        .or_else(|| std::path::absolute(named?).ok())
        .or_else(|| package.and_then(above))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn it_is_found_in_order() {
        let root = tempfile::tempdir().unwrap();
        let package = root.path().join("workspace/package");
        let target = root.path().join("workspace/target");
        let output = target.join("debug/deps");
        let elsewhere = root.path().join("elsewhere");
        fs::create_dir_all(&package).unwrap();
        fs::create_dir_all(&output).unwrap();
        fs::write(target.join("CACHEDIR.TAG"), "").unwrap();
        let package = || Some(package.clone().into_os_string());
        let variable = || Some(elsewhere.clone().into_os_string());
        let outside = Some(Path::new("/nonexistent/rust_out"));
        assert_eq!(
            find(Some(&output), variable(), package(), None),
            Some(target.clone())
        );
        let triple = target.join("riscv64gc-unknown-linux-gnu");
        let for_triple = triple.join("debug/deps");
        fs::create_dir_all(&for_triple).unwrap();
        fs::write(triple.join("CACHEDIR.TAG"), "").unwrap();
        assert_eq!(
            find(Some(&for_triple), None, None, None),
            Some(target.clone())
        );
        assert_eq!(
            find(outside, variable(), package(), None),
            Some(elsewhere.clone())
        );
        assert_eq!(find(outside, None, package(), None), Some(target));
        assert_eq!(find(outside, None, None, None), None);
    }

    #[test]
    fn it_may_have_been_there_before() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("target");
        let triple = "thumbv8m.main-none-eabi";
        for (profile, named) in [
            (target.join("debug"), None),
            (target.join(triple).join("debug"), Some(triple)),
            (
                target.join(triple).join("debug"),
                Some("/here/thumbv8m.main-none-eabi.json"),
            ),
        ] {
            let output = profile.join("deps");
            fs::create_dir_all(&output).unwrap();
            assert_eq!(find(Some(&output), None, None, named), None);
            fs::write(profile.join(".cargo-lock"), "").unwrap();
            let found = find(Some(&output), None, None, named);
            assert_eq!(found.as_ref(), Some(&target));
            fs::remove_file(profile.join(".cargo-lock")).unwrap();
        }
    }
}
