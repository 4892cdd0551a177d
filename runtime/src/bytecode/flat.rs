//! As much of FlatBuffers as is needed to find functions, in bytes that may be anything.

/// A reference that leads outside of the bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outside;

impl From<Outside> for String {
    fn from(_: Outside) -> Self {
        "a reference in it leads outside of it".to_owned()
    }
}

type Read<T> = Result<T, Outside>;

/// A table: fields that may be absent.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    start: usize,
}

/// A vector or a string. Its elements need not be within the bytes.
#[derive(Clone, Copy)]
pub(super) struct Vector<'a> {
    bytes: &'a [u8],
    start: usize,
    pub(super) length: usize,
}

impl<'a> Table<'a> {
    /// The table that all others are found from.
    pub(super) fn root(bytes: &'a [u8]) -> Read<Self> {
        let start = follow(bytes, 0)?;
        Ok(Self { bytes, start })
    }

    /// A field that is a table.
    pub(super) fn table(&self, field: usize) -> Read<Option<Self>> {
        let bytes = self.bytes;
        let at = |position| {
            Ok(Self {
                bytes,
                start: follow(bytes, position)?,
            })
        };
        self.field(field)?.map(at).transpose()
    }

    /// A field that is a vector or a string: an empty one, if it is absent.
    pub(super) fn vector(&self, field: usize) -> Read<Vector<'a>> {
        let bytes = self.bytes;
        let (start, length) = match self.field(field)? {
            Some(position) => {
                let length = follow(bytes, position)?;
                let elements = length.checked_add(4).ok_or(Outside)?;
                (elements, unsigned(bytes, length)?)
            }
            None => (0, 0),
        };
        Ok(Vector {
            bytes,
            start,
            length,
        })
    }

    /// The position of a field.
    fn field(&self, field: usize) -> Read<Option<usize>> {
        let back = i32::from_le_bytes(read(self.bytes, self.start)?);
        let fields = match usize::try_from(back.unsigned_abs()) {
            Ok(distance) if back < 0 => self.start.checked_add(distance),
            Ok(distance) => self.start.checked_sub(distance),
            Err(_) => None,
        };
        let fields = fields.ok_or(Outside)?;
        let size = u16::from_le_bytes(read(self.bytes, fields)?);
        // The sizes of this list and of the table come before the fields.
        let at = 4 + 2 * field;
        if at + 2 > usize::from(size) {
            return Ok(None);
        }
        let offset = u16::from_le_bytes(read(self.bytes, fields + at)?);
        Ok((offset != 0).then_some(self.start + usize::from(offset)))
    }
}

impl<'a> Vector<'a> {
    /// An element of a vector of tables.
    pub(super) fn table(&self, index: usize) -> Read<Table<'a>> {
        let start = follow(self.bytes, self.start + 4 * index)?;
        Ok(Table {
            bytes: self.bytes,
            start,
        })
    }

    /// An element of a vector of structs.
    pub(super) fn element<const SIZE: usize>(&self, index: usize) -> Read<[u8; SIZE]> {
        read(self.bytes, self.start + SIZE * index)
    }

    /// All of a vector of bytes.
    pub(super) fn bytes(&self) -> Read<&'a [u8]> {
        let behind = self.bytes.get(self.start..).ok_or(Outside)?;
        behind.get(..self.length).ok_or(Outside)
    }
}

/// The position that a reference leads to.
fn follow(bytes: &[u8], position: usize) -> Read<usize> {
    position
        .checked_add(unsigned(bytes, position)?)
        .ok_or(Outside)
}

fn unsigned(bytes: &[u8], position: usize) -> Read<usize> {
    usize::try_from(u32::from_le_bytes(read(bytes, position)?)).map_err(|_| Outside)
}

fn read<const SIZE: usize>(bytes: &[u8], position: usize) -> Read<[u8; SIZE]> {
    let behind = bytes.get(position..).ok_or(Outside)?;
    behind.first_chunk().copied().ok_or(Outside)
}
