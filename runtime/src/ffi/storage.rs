//! Bytes that stay where they are, and that IREE may read for as long as it likes.

use super::{ALIGNMENT, AlignedBytes};
use memmap2::Mmap;
use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
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
    pub(super) fn in_place(&self, range: Range<usize>) -> Option<&[u8]> {
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

/// The bytes of a tensor in an archive.
#[derive(Clone)]
pub(crate) enum Contents {
    /// A part of a file or of memory.
    Stored(Arc<Storage>, Range<usize>),
    /// A pattern, again and again.
    Repeated {
        /// The pattern.
        pattern: Box<[u8]>,
        /// How many bytes it fills.
        length: usize,
    },
}

impl Contents {
    pub(crate) fn owned(bytes: AlignedBytes) -> Self {
        let range = 0..bytes.as_slice().len();
        Self::Stored(Arc::new(Storage::owned(bytes)), range)
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Stored(_, range) => range.len(),
            Self::Repeated { length, .. } => *length,
        }
    }

    /// Copies bytes from a position on.
    pub(crate) fn read(&self, position: usize, target: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Stored(storage, range) => storage.read(range.start + position, target),
            Self::Repeated { pattern, .. } => {
                for (index, byte) in target.iter_mut().enumerate() {
                    *byte = pattern[(position + index) % pattern.len()];
                }
                Ok(())
            }
        }
    }

    /// All bytes.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Stored(storage, range) => {
                Cow::Borrowed(storage.bytes().get(range.clone()).unwrap_or_default())
            }
            Self::Repeated { pattern, length } => {
                Cow::Owned(pattern.repeat(length / pattern.len()))
            }
        }
    }

    /// Whether every byte is that of a truth value.
    pub(crate) fn are_truth_values(&self) -> bool {
        let bytes = match self {
            Self::Stored(storage, range) => storage.bytes().get(range.clone()).unwrap_or_default(),
            Self::Repeated { pattern, .. } => pattern,
        };
        bytes.iter().all(|byte| *byte <= 1)
    }
}
