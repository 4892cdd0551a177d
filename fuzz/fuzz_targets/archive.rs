//! What is done with an archive of any format: all of its tensors are read.

use iree_runtime::Parameters;
use std::{fs, sync::LazyLock};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = std::path::Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => TempDir::new_in(memory),
        false => TempDir::new(),
    };
    folder.expect("a folder")
});

pub(crate) fn read(bytes: &[u8], extension: &str) {
    let path = FOLDER.path().join("archive").with_extension(extension);
    fs::write(&path, bytes).expect("the archive is written");
    if let Ok(parameters) = Parameters::open(&path) {
        let _ = format!("{parameters:?}");
        // Every byte that an entry says it has.
        parameters.keys().for_each(|key| drop(parameters.get(key)));
    }
}
