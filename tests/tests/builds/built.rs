//! What the build of this test made, for builds outside of cargo.

use cargo_metadata::MetadataCommand;
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// `target/debug`.
pub(crate) fn directory() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let directory = test.ancestors().nth(2);
    directory.expect("a build directory").to_owned()
}

/// Where IREE's runtime was built.
pub(crate) fn runtime() -> PathBuf {
    let build = newest(&directory().join("build"), |name| {
        let library = format!("{name}/out/runtime_build/hosted/build/libeerie_runtime.a");
        name.starts_with("eerie-sys-") && directory().join("build").join(library).is_file()
    });
    build.join("out/runtime_build/hosted/build")
}

/// The headers of IREE's runtime.
pub(crate) fn runtime_sources() -> PathBuf {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        // Crates for other platforms are on no machine that only built this.
        .other_options(["--offline".into(), "--filter-platform".into(), platform])
        .exec()
        .expect("cargo describes the workspace");
    let mut packages = metadata.packages.iter();
    let runtime = packages.find(|package| package.name == "eerie-sys");
    let manifest = &runtime.expect("the crate with the runtime").manifest_path;
    manifest.with_file_name("iree/runtime/src").into()
}

/// What another set of features left is older.
fn newest(directory: &Path, is_wanted: impl Fn(&str) -> bool) -> PathBuf {
    let entries = fs::read_dir(directory).expect("a directory of a build");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let wanted = paths.filter(|path| {
        let name = path.file_name().unwrap_or_default();
        is_wanted(&name.to_string_lossy())
    });
    let modified = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    wanted.max_by_key(modified).expect("it is built")
}
