//! The bytes of tensors in archives.

use crate::{
    convert::Conversion,
    ffi::{AlignedBytes, Storage},
};
use std::{borrow::Cow, io, ops::Range, sync::Arc};

/// How many bytes are converted at a time.
const PIECE: usize = 1 << 20;

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
    /// Numbers that the archive has in another type.
    Converted(Box<Contents>, Conversion),
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
            Self::Converted(stored, conversion) => conversion.length_of(stored.len()),
        }
    }

    /// What becomes of its numbers.
    pub(crate) const fn conversion(&self) -> Option<Conversion> {
        match self {
            Self::Converted(_, conversion) => Some(*conversion),
            Self::Stored(..) | Self::Repeated { .. } => None,
        }
    }

    /// Copies bytes from a position on: of converted numbers, whole ones.
    pub(crate) fn read(&self, position: usize, target: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Stored(storage, range) => storage.read(range.start + position, target),
            Self::Repeated { pattern, .. } => {
                for (index, byte) in target.iter_mut().enumerate() {
                    *byte = pattern[(position + index) % pattern.len()];
                }
                Ok(())
            }
            Self::Converted(stored, conversion) => {
                let start = conversion.stored_length_of(position);
                let mut position = start.ok_or(io::ErrorKind::InvalidInput)?;
                let (mut buffer, piece) = (Vec::new(), conversion.length_of(PIECE));
                for target in target.chunks_mut(piece) {
                    let length = conversion.stored_length_of(target.len());
                    buffer.resize(length.ok_or(io::ErrorKind::InvalidInput)?, 0);
                    stored.read(position, &mut buffer)?;
                    conversion.write(&buffer, target);
                    position += buffer.len();
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
            Self::Converted(stored, conversion) => {
                let stored = stored.bytes();
                let mut converted = vec![0; conversion.length_of(stored.len())];
                conversion.write(&stored, &mut converted);
                Cow::Owned(converted)
            }
        }
    }

    /// Whether every byte is that of a truth value.
    pub(crate) fn are_truth_values(&self) -> bool {
        let are = |bytes: &[u8]| bytes.iter().all(|byte| *byte <= 1);
        match self {
            Self::Repeated { pattern, .. } => are(pattern),
            _ => are(&self.bytes()),
        }
    }

    /// A number that is too large for the type that numbers are converted to.
    pub(crate) fn overflow(&self) -> io::Result<Option<f64>> {
        let Self::Converted(stored, conversion) = self else {
            return Ok(None);
        };
        if !conversion.may_overflow() {
            return Ok(None);
        }
        let (mut buffer, length) = (Vec::new(), stored.len());
        for position in (0..length).step_by(PIECE) {
            buffer.resize(PIECE.min(length - position), 0);
            stored.read(position, &mut buffer)?;
            if let Some(number) = conversion.overflow(&buffer) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}
