//! Names the way from the representation to MLIR, so that an artifact in a repository can be told from one
//! that another version of this crate would make.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// What decides which MLIR a program becomes, and what is changed of what is made of that. The other crates lie beside this one in a checkout; where they
/// do not, this is a release, and the version says the same.
const SOURCES: [&str; 13] = [
    "src/legalize",
    "src/lower",
    "src/artifact/moved",
    "src/artifact/products.rs",
    "src/artifact/target.rs",
    "src/machine.rs",
    "../dialects/build.rs",
    "../dialects/generator/src",
    "../dialects/src",
    "../dialects/td",
    "../ir/src",
    "../library/src",
    "../transform/src",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    for root in SOURCES.map(Path::new) {
        if !root.exists() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", root.display());
        for file in files(root)? {
            let content = fs::read(&file)?;
            hasher.update(&(content.len() as u64).to_le_bytes());
            hasher.update(&content);
        }
    }
    let hash = hasher.finalize().to_hex();
    println!("cargo::rustc-env=IREE_DSL_LOWERING={}", &hash[..16]);
    Ok(())
}

/// The files below a path, in an order that is the same everywhere.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries: io::Result<Vec<_>> = fs::read_dir(path)?.collect();
    let mut paths: Vec<_> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    let files: io::Result<Vec<_>> = paths.iter().map(|path| files(path)).collect();
    Ok(files?.concat())
}
