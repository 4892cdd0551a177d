//! Files that a program reads while it is built.

mod npy;
mod safetensors;

use super::tracer::Tracer;
use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};
use iree_dsl_ir::Constant;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf, absolute},
    rc::Rc,
};

/// The contents of the files that were read, by their absolute paths.
pub(crate) type Files = BTreeMap<PathBuf, Rc<[u8]>>;

/// Why a file has no such tensor.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What is wrong.
    message: String,
    /// What to write instead.
    help: Option<String>,
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        let help = None;
        Self { message, help }
    }
}

impl Tracer<'_> {
    /// The array of a file of NumPy. The path is relative to the source file.
    pub(crate) fn npy(&mut self, path: &str, span: SpanId) -> Option<Constant> {
        let bytes = self.file(path, span)?;
        let read = npy::read(&bytes);
        self.accept(read, path, span)
    }

    /// One tensor of a file of safetensors. The path is relative to the source file.
    pub(crate) fn safetensors(
        &mut self,
        (path, span): (&str, SpanId),
        (name, name_span): (&str, SpanId),
    ) -> Option<Constant> {
        let bytes = self.file(path, span)?;
        let tensors = self.accept(safetensors::open(&bytes), path, span)?;
        self.accept(safetensors::tensor(&tensors, name), path, name_span)
    }

    fn accept<T>(&mut self, read: Result<T, Refusal>, path: &str, span: SpanId) -> Option<T> {
        match read {
            Ok(read) => Some(read),
            Err(Refusal { message, help }) => {
                let message = format!("`{path}`: {message}");
                let mut diagnostic = Diagnostic::new(Code::File, span, message);
                diagnostic.help = help;
                self.report(diagnostic);
                None
            }
        }
    }

    /// The contents of a file.
    fn file(&mut self, path: &str, span: SpanId) -> Option<Rc<[u8]>> {
        let Some(source) = self.source_file(span) else {
            let message = format!("`{path}` is relative to a source file that is not known");
            self.error(Code::File, span, message);
            return None;
        };
        let place = source.parent().unwrap_or(Path::new("")).join(path);
        let read = absolute(&place).and_then(|place| self.contents(place));
        match read {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                self.unreadable(path, &place, &error, span);
                None
            }
        }
    }

    fn contents(&mut self, place: PathBuf) -> io::Result<Rc<[u8]>> {
        if let Some(known) = self.files.get(&place) {
            return Ok(known.clone());
        }
        let bytes: Rc<[u8]> = fs::read(&place)?.into();
        self.files.insert(place, bytes.clone());
        Ok(bytes)
    }

    fn unreadable(&mut self, path: &str, place: &Path, error: &io::Error, span: SpanId) {
        if error.kind() != io::ErrorKind::NotFound {
            let message = format!("`{path}` cannot be read: {error}");
            self.error(Code::File, span, message);
            return;
        }
        let message = format!("there is no file `{path}` beside the source file");
        let diagnostic = Diagnostic::new(Code::File, span, message);
        self.report(match similar_file(place) {
            Some(name) => diagnostic.help(format!("there is a file with a similar name: `{name}`")),
            None => diagnostic,
        });
    }
}

/// A file in the same folder whose name differs little.
fn similar_file(place: &Path) -> Option<String> {
    let wanted = place.file_name()?.to_str()?;
    let entries = fs::read_dir(place.parent()?).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<_> = names.collect();
    names.sort();
    nearest(wanted, names.iter().map(String::as_str)).map(str::to_owned)
}
