use crate::{
    Error, Result, archive, bytecode,
    check::Plan,
    declaration,
    executor::{Code, Entry},
    ffi::{self, AlignedBytes, Archive},
    interpreter::Text,
};
use iree_abi::{Artifact, FunctionSignature, INTERPRETER, Signature};
use std::{
    fmt,
    fs::File,
    io::{self, Read, Seek},
    path::Path,
    sync::Arc,
};

/// A compiled program, loaded from a VMFB.
///
/// Clones are the same module. It has no state of its own: every [`Session`](crate::Session) has its
/// own values for the globals.
#[derive(Clone)]
pub struct Module(Arc<Inner>);

struct Inner {
    code: Code,
    signature: Signature,
    functions: Vec<Exported>,
}

/// An exported function.
pub(crate) struct Exported {
    pub(crate) name: String,
    /// What is needed to call it, or why it cannot be called.
    pub(crate) callable: Result<Callable, String>,
}

impl Exported {
    /// Whether it is one that the compiler adds, such as `__init`.
    pub(crate) fn is_hidden(&self) -> bool {
        self.name.starts_with("__")
    }
}

pub(crate) struct Callable {
    pub(crate) entry: Entry,
    pub(crate) signature: FunctionSignature,
    pub(crate) plan: Plan,
}

impl Module {
    /// Reads a module from a file.
    ///
    /// The file is read into memory and not mapped: a mapped file that another process cuts off or
    /// rewrites would change code and constants after they were checked, or end this process.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::Damaged`] or [`Error::Load`].
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let failed = |source| Error::Io {
            action: "read",
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        archive::verify_length(&file, length)?;
        let bytes = read(file, length).map_err(failed)?;
        Self::from_archive(Archive::Owned(bytes))
    }

    /// Loads a module from a copy of these bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] or [`Error::Load`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::from_archive(Archive::Owned(AlignedBytes::copy_of(bytes)))
    }

    /// Loads a module that is part of the binary: in place, if it starts at a multiple of 64 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] or [`Error::Load`].
    pub fn from_static(bytes: &'static [u8]) -> Result<Self> {
        Self::from_archive(Archive::from_static(bytes))
    }

    fn from_archive(archive: Archive) -> Result<Self> {
        archive::verify(archive.as_slice())?;
        bytecode::verify(archive.as_slice())?;
        let handle = ffi::Module::load(archive).map_err(|source| Error::Load { source })?;
        let exports = handle.exports().map_err(|source| Error::Load { source })?;
        let functions: Vec<_> = exports
            .into_iter()
            .map(|export| Exported {
                callable: callable(&handle, &export),
                name: export.name,
            })
            .collect();
        Ok(Self::new(handle.name(), Code::Compiled(handle), functions))
    }

    /// The module of a program that was compiled, or that is left as text for the interpreter.
    pub(crate) fn of_artifact(artifact: &Artifact) -> Result<Self> {
        match artifact.target {
            INTERPRETER => Text::read(artifact.bytes).map(Self::of_text),
            _ => Self::from_static(artifact.bytes),
        }
    }

    fn of_text(text: Text) -> Self {
        let functions = text
            .functions()
            .into_iter()
            .map(|(signature, entry)| Exported {
                name: signature.name.clone(),
                callable: Ok(Callable {
                    plan: Plan::new(&signature),
                    entry: Entry::Text(entry),
                    signature,
                }),
            });
        let functions = functions.collect();
        Self::new(text.name().to_owned(), Code::Text(text), functions)
    }

    fn new(name: String, code: Code, functions: Vec<Exported>) -> Self {
        let shown = functions.iter().filter(|function| !function.is_hidden());
        let shown = shown.filter_map(|function| {
            let callable = function.callable.as_ref().ok()?;
            Some(callable.signature.clone())
        });
        let signature = Signature {
            name,
            functions: shown.collect(),
            ..Signature::default()
        };
        Self(Arc::new(Inner {
            code,
            signature,
            functions,
        }))
    }

    /// The module's name.
    pub fn name(&self) -> &str {
        &self.0.signature.name
    }

    /// The functions that can be called, as far as the compiler wrote down their types. Names of
    /// parameters are not among what it writes.
    pub fn signature(&self) -> &Signature {
        &self.0.signature
    }

    pub(crate) fn code(&self) -> &Code {
        &self.0.code
    }

    pub(crate) fn functions(&self) -> &[Exported] {
        &self.0.functions
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.signature())
    }
}

fn callable(module: &ffi::Module, export: &ffi::Export) -> Result<Callable, String> {
    let signature = declaration::parse(&export.name, &export.declaration)?;
    let entry = module
        .entry(export)
        .filter(|entry| entry.argument_count() == signature.arguments().count())
        .filter(|entry| entry.result_count() == signature.results.len())
        .ok_or_else(|| {
            format!(
                "its calling convention `{}` does not go with its declaration `{}`",
                export.convention, export.declaration
            )
        })?;
    Ok(Callable {
        plan: Plan::new(&signature),
        entry: Entry::Compiled(entry),
        signature,
    })
}

fn read(mut file: File, length: u64) -> io::Result<AlignedBytes> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    let mut bytes = AlignedBytes::zeroed(length);
    file.rewind()?;
    file.read_exact(bytes.as_mut_slice())?;
    Ok(bytes)
}
