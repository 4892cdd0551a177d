//! Writes archives.

use super::safetensors;
use crate::{Error, Result};
use iree_abi::TensorType;
use std::{
    borrow::Cow,
    ffi::OsStr,
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};
use tempfile::NamedTempFile;

/// A tensor to be written.
pub(crate) struct Saved<'a> {
    pub(crate) name: String,
    pub(crate) ty: TensorType,
    pub(crate) bytes: Cow<'a, [u8]>,
}

/// Writes tensors to a file whose extension tells its format. What was there before stays until all is
/// written.
///
/// # Errors
///
/// [`Error::Archive`] if the format cannot hold them, or [`Error::Io`].
pub(crate) fn write(path: &Path, tensors: &[Saved<'_>]) -> Result<()> {
    let format = match path.extension().and_then(OsStr::to_str) {
        Some("irpa") => irpa,
        Some("safetensors") => {
            safetensors::check(tensors).map_err(|reason| Error::Archive {
                path: path.to_owned(),
                reason,
            })?;
            safetensors::write
        }
        _ => {
            return Err(Error::Archive {
                path: path.to_owned(),
                reason: "the name should end in `.irpa` or `.safetensors`".to_owned(),
            });
        }
    };
    replace(path, |file| format(file, tensors)).map_err(|source| Error::Io {
        action: "write",
        path: path.to_owned(),
        source,
    })
}

/// Writes a file beside the path, and gives it that name once it is whole.
fn replace(path: &Path, fill: impl FnOnce(&NamedTempFile) -> io::Result<()>) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let file = NamedTempFile::new_in(folder)?;
    fill(&file)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// What tensors start at a multiple of, so that programs can use them in place.
const ALIGNMENT: u64 = 64;
/// The length of a header.
const HEADER: u64 = 88;
/// The length of an entry in the table, and what entries start at a multiple of.
const ENTRY: u64 = 76;
const ENTRY_ALIGNMENT: u64 = 16;
/// Entries whose bytes are in the archive.
const DATA: u32 = 2;

/// Writes [`super::irpa`].
fn irpa(file: &NamedTempFile, tensors: &[Saved<'_>]) -> io::Result<()> {
    let stride = ENTRY.next_multiple_of(ENTRY_ALIGNMENT);
    let table = HEADER.next_multiple_of(ENTRY_ALIGNMENT);
    let names = table + stride * tensors.len() as u64;
    let names_length: u64 = tensors.iter().map(|tensor| tensor.name.len() as u64).sum();
    let data = (names + names_length).next_multiple_of(ALIGNMENT);
    let (mut offset, mut offsets) = (0, Vec::with_capacity(tensors.len()));
    for tensor in tensors {
        offsets.push(offset);
        offset = (offset + tensor.bytes.len() as u64).next_multiple_of(ALIGNMENT);
    }
    let mut file = Output::new(file.as_file());
    file.bytes(b"IRPA")?;
    // Version 0.0.
    file.bytes(&[0; 4])?;
    // The length of the header, where the next one is, and flags.
    file.numbers(&[HEADER, 0, 0])?;
    let count = tensors.len() as u64;
    file.numbers(&[
        count,
        table,
        stride * count,
        names,
        names_length,
        data,
        offset,
    ])?;
    let mut name = 0;
    for (tensor, offset) in tensors.iter().zip(&offsets) {
        file.pad(ENTRY_ALIGNMENT)?;
        let length = tensor.name.len() as u64;
        file.numbers(&[ENTRY])?;
        file.bytes(&DATA.to_le_bytes())?;
        // Flags, the name, no metadata, the alignment, the place.
        file.numbers(&[0, name, length, 0, 0, ALIGNMENT])?;
        file.numbers(&[*offset, tensor.bytes.len() as u64])?;
        name += length;
    }
    file.pad(ENTRY_ALIGNMENT)?;
    for tensor in tensors {
        file.bytes(tensor.name.as_bytes())?;
    }
    for tensor in tensors {
        file.pad(ALIGNMENT)?;
        file.bytes(&tensor.bytes)?;
    }
    file.pad(ALIGNMENT)?;
    file.file.flush()
}

/// A file that knows how much was written.
struct Output<'f> {
    file: BufWriter<&'f File>,
    position: u64,
}

impl<'f> Output<'f> {
    fn new(file: &'f File) -> Self {
        Self {
            file: BufWriter::new(file),
            position: 0,
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.position += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    fn numbers(&mut self, numbers: &[u64]) -> io::Result<()> {
        let mut numbers = numbers.iter();
        numbers.try_for_each(|number| self.bytes(&number.to_le_bytes()))
    }

    /// Writes zeros up to a multiple.
    fn pad(&mut self, alignment: u64) -> io::Result<()> {
        let zeros = self.position.next_multiple_of(alignment) - self.position;
        let zeros = vec![0; usize::try_from(zeros).map_err(io::Error::other)?];
        self.bytes(&zeros)
    }
}
