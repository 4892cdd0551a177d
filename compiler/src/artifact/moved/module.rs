//! Where the code of functions is in a VMFB: an archive in the form of ZIP files, of which the first file is a module in that of
//! FlatBuffers, as <https://github.com/iree-org/iree/blob/main/runtime/src/iree/schemas/bytecode_module_def.fbs> has it.

use std::ops::Range;

/// What the module of an archive begins with, behind its own length and the place of its table.
const IDENTIFIER: &[u8] = b"IREE";

/// Fields of the table of a module.
const DESCRIPTORS: usize = 12;
const VERSION: usize = 13;
const CODE: usize = 14;

/// The major version of the code that is known here.
const KNOWN: u32 = 17;

/// The size of what describes a function: where its code begins and how long it is, and what it needs.
const DESCRIPTOR: usize = 20;

/// Where the code of each function is.
pub(super) fn functions(bytes: &[u8]) -> Option<Vec<Range<usize>>> {
    let module = Module::of(bytes)?;
    let version = module.field(VERSION)?;
    if word(bytes, version)? >> 16 != KNOWN {
        return None;
    }
    let (code, length) = module.vector(CODE)?;
    let (first, count) = module.vector(DESCRIPTORS)?;
    let function = |index: usize| {
        let descriptor = first + index * DESCRIPTOR;
        let start = place(bytes, descriptor)?;
        let end = start.checked_add(place(bytes, descriptor + 4)?)?;
        (end <= length).then_some(code + start..code + end)
    };
    (0..count).map(function).collect()
}

struct Module<'a> {
    bytes: &'a [u8],
    table: usize,
    /// Where it says where the fields of the table are, and how long that is.
    fields: Range<usize>,
}

impl<'a> Module<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let start = Archive::of(bytes)?.module.start + 4;
        if !bytes.get(start + 4..)?.starts_with(IDENTIFIER) {
            return None;
        }
        let table = start + place(bytes, start)?;
        let back = i32::from_le_bytes(*bytes.get(table..)?.first_chunk()?);
        let fields = table.checked_add_signed(isize::try_from(back).ok()?.checked_neg()?)?;
        let length = u16::from_le_bytes(*bytes.get(fields..)?.first_chunk()?);
        Some(Self {
            bytes,
            table,
            fields: fields..fields + usize::from(length),
        })
    }

    /// Where a field is.
    fn field(&self, number: usize) -> Option<usize> {
        let entry = self.fields.start + 4 + 2 * number;
        if !self.fields.contains(&entry) {
            return None;
        }
        let offset = u16::from_le_bytes(*self.bytes.get(entry..)?.first_chunk()?);
        (offset != 0).then_some(self.table + usize::from(offset))
    }

    /// Where the first element of a field is, and how many there are.
    fn vector(&self, number: usize) -> Option<(usize, usize)> {
        let field = self.field(number)?;
        let vector = field + place(self.bytes, field)?;
        Some((vector + 4, place(self.bytes, vector)?))
    }
}

/// Where the module is in an archive, and its check sum.
struct Archive {
    module: Range<usize>,
    sum: usize,
}

impl Archive {
    fn of(bytes: &[u8]) -> Option<Self> {
        const HEADER: usize = 30;
        if !bytes.starts_with(b"PK\x03\x04") {
            return None;
        }
        let short = |place: usize| {
            let bytes = bytes.get(place..)?.first_chunk()?;
            Some(usize::from(u16::from_le_bytes(*bytes)))
        };
        let start = HEADER + short(26)? + short(28)?;
        let end = start.checked_add(place(bytes, start)?)?;
        let module = start..end;
        (end <= bytes.len()).then_some(Self { module, sum: 14 })
    }
}

/// Writes the check sum of a module that was changed, where the archive has it: before the module and in its list of files.
pub(super) fn sum_up(bytes: &mut [u8]) -> Option<()> {
    const LISTED: &[u8] = b"PK\x01\x02";
    let Archive { module, sum } = Archive::of(bytes)?;
    let before: [u8; 4] = *bytes.get(sum..)?.first_chunk()?;
    let after = crc32fast::hash(bytes.get(module)?).to_le_bytes();
    let listed = bytes
        .windows(LISTED.len() + 16)
        .rposition(|bytes| bytes.starts_with(LISTED) && bytes.ends_with(&before));
    for sum in [Some(sum), listed.map(|entry| entry + 16)] {
        *bytes.get_mut(sum?..)?.first_chunk_mut()? = after;
    }
    Some(())
}

fn word(bytes: &[u8], place: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(place..)?.first_chunk()?))
}

fn place(bytes: &[u8], place: usize) -> Option<usize> {
    usize::try_from(word(bytes, place)?).ok()
}
