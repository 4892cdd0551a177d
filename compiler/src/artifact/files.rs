//! Files that people read, and the small things that all files have in common.

use super::{Versions, failure::Failure, job::Job, target::Target};
use iree_abi::build::{Files, safe_name};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Writes a new file.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    fs::write(path, content)
        .map_err(|error| Failure::files(format!("write `{}`", path.display()), error))
}

/// The name of a program's MLIR file, in a form that no file system and no command line minds.
pub(super) fn mlir_name(program: &str) -> String {
    format!("{}.mlir", safe_name(program))
}

/// The name of a program's VMFB for a target.
pub(super) fn vmfb_name(program: &str, target: &str) -> String {
    format!("{}.{target}.vmfb", safe_name(program))
}

/// A word of a command line.
pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Whether a file is a VMFB from its first to its last byte, as far as its container tells.
///
/// The compiler packs a VMFB as an archive, so that both ends are marked.
pub(super) fn is_whole_vmfb(path: &Path) -> bool {
    const END_LENGTH: usize = 22;
    fs::read(path).is_ok_and(|bytes| {
        let end = bytes
            .len()
            .checked_sub(END_LENGTH)
            .and_then(|start| bytes.get(start..));
        bytes.starts_with(b"PK\x03\x04") && end.is_some_and(|end| end.starts_with(b"PK\x05\x06"))
    })
}

/// The files of one program in `target/iree/<package>`.
///
/// They are for people: nothing depends on them, so failing to write one is no failure.
pub(super) struct Published(Option<Files>);

impl Published {
    pub(super) const fn new(files: Option<Files>) -> Self {
        Self(files)
    }

    pub(super) fn update_mlir(&self, mlir: &Path) {
        self.update(Files::mlir, mlir);
    }

    /// A file that flags name.
    pub(super) fn update_beside(&self, name: &str, text: &str) {
        self.write(|files| files.directory().join(name), text.as_bytes());
    }

    pub(super) fn update_located(&self, texts: &Versions) {
        self.write(Files::located, texts.usual.as_bytes());
        for (machine, text) in &texts.others {
            let place = |files: &Files| files.located_for(&machine.to_string());
            self.write(place, text.as_bytes());
        }
    }

    pub(super) fn update_legalized(&self, text: &str) {
        self.write(Files::legalized, text.as_bytes());
    }

    pub(super) fn update_vmfb(&self, target: &Target, vmfb: &Path) {
        self.update(|files| files.vmfb(&target.name), vmfb);
        if let Some(files) = &self.0 {
            // Most often there are none.
            let _ = fs::remove_file(files.reproducer(&target.name));
            let _ = fs::remove_file(files.script(&target.name));
        }
    }

    /// Writes a header, and a file that makes an object of it.
    pub(super) fn update_c(&self, target: &Target, header: &Path) {
        self.update(|files| files.header(&target.name), header);
        let Some(files) = &self.0 else { return };
        let path = files.header(&target.name);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = format!("#define EMITC_IMPLEMENTATION\n#include \"{name}\"\n");
        self.write(|files| files.implementation(&target.name), text.as_bytes());
    }

    /// Keeps what the compiler failed on, and a script with the command that shows the failure again.
    pub(super) fn keep_reproducer(&self, job: &Job<'_>) -> Option<PathBuf> {
        let (files, target) = (self.0.as_ref()?, &job.target.name);
        let (module, script) = (files.reproducer(target), files.script(target));
        replace(&module, job.module().as_bytes()).ok()?;
        let command = job.command_line();
        let file = shell_word(&module.to_string_lossy());
        // Flags may name files that are beside it.
        let text = format!(
            "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit\nexec {command} {file} -o /dev/null\n"
        );
        replace(&script, text.as_bytes()).ok()?;
        Some(script)
    }

    pub(super) fn update_description(&self, text: &str) {
        self.write(Files::description, text.as_bytes());
    }

    fn update(&self, path: impl Fn(&Files) -> PathBuf, source: &Path) {
        if let Ok(content) = fs::read(source) {
            self.write(path, &content);
        }
    }

    fn write(&self, path: impl Fn(&Files) -> PathBuf, content: &[u8]) {
        let Some(path) = self.0.as_ref().map(path) else {
            return;
        };
        if !fs::read(&path).is_ok_and(|old| old == content) {
            // Nothing depends on it.
            let _: io::Result<()> = replace(&path, content);
        }
    }
}

/// Writes a file that is whole at every moment.
pub(super) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // As any file that a build leaves; the default is private.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".new.").tempfile_in(directory)?;
    io::Write::write_all(&mut file, content)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(shell_word("--a=+b,+c"), "--a=+b,+c");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
    }

    #[test]
    fn a_file_is_written_only_when_it_changes() {
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().join("source");
        let files = Files::new(directory.path(), "package", "p");
        let path = files.mlir();
        let published = Published::new(Some(files));
        fs::write(&source, "one").unwrap();
        published.update_mlir(&source);
        let first = fs::metadata(&path).unwrap().modified().unwrap();
        published.update_mlir(&source);
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), first);
        fs::write(&source, "two").unwrap();
        published.update_mlir(&source);
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
