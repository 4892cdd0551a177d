//! Bytes that stay where they are, and that IREE may read for as long as it likes.

use super::{ALIGNMENT, AlignedBytes};
use memmap2::Mmap;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    sync::{Mutex, PoisonError},
};

/// A mapped file, or bytes in memory.
pub(crate) struct Storage(Kind);

enum Kind {
    Mapped { map: Mmap, file: Mutex<File> },
    Owned(AlignedBytes),
}

impl Storage {
    /// Maps a whole file.
    pub(crate) fn map(file: File) -> io::Result<Self> {
        // SAFETY: the bytes are read as numbers, any of which is valid. What happens if another process
        // cuts the file off is told where users name the file.
        let map = unsafe { Mmap::map(&file)? };
        let file = Mutex::new(file);
        Ok(Self(Kind::Mapped { map, file }))
    }

    pub(crate) const fn owned(bytes: AlignedBytes) -> Self {
        Self(Kind::Owned(bytes))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Kind::Mapped { map, .. } => map,
            Kind::Owned(bytes) => bytes.as_slice(),
        }
    }

    /// Some of the bytes, if IREE can use them in place.
    pub(crate) fn in_place(&self, range: Range<usize>) -> Option<&[u8]> {
        let bytes = self.bytes().get(range)?;
        bytes
            .as_ptr()
            .addr()
            .is_multiple_of(ALIGNMENT)
            .then_some(bytes)
    }

    /// Copies bytes from a position on. Those of a file are read, since pages of the map that are
    /// touched would count as memory of this process beside the copy.
    pub(crate) fn read(&self, position: usize, target: &mut [u8]) -> io::Result<()> {
        match &self.0 {
            Kind::Mapped { file, .. } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(position as u64))?;
                file.read_exact(target)
            }
            Kind::Owned(bytes) => {
                let found = position.checked_add(target.len());
                let found = found.and_then(|end| bytes.as_slice().get(position..end));
                target.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }
}
