//! IREE's parameter archives, `.irpa`: a header, a table of entries, and segments with names and data.
//! The layout is that of `iree/schemas/parameter_archive.h`.

use super::{Contents, Entries, Entry, Storage};
use std::{collections::BTreeMap, sync::Arc};

/// Entries that were erased.
const SKIP: u32 = 0;
/// Entries that repeat a pattern.
const SPLAT: u32 = 1;
/// Entries whose bytes are in the archive.
const DATA: u32 = 2;

/// What each entry of the table starts at a multiple of.
const ENTRY_ALIGNMENT: usize = 16;

/// The longest pattern of a splat: one element of 128 bits.
const PATTERN: usize = 16;

pub(super) fn read(storage: &Arc<Storage>) -> Entries {
    let mut entries = BTreeMap::new();
    let mut start = 0;
    loop {
        let header = Header::read(storage.bytes(), start).ok_or_else(|| damaged("header"))??;
        header.entries(storage, &mut entries)?;
        // Each header lies behind the one before, so that there is an end.
        match header.next {
            0 => return Ok(entries),
            next => start = start.checked_add(next).ok_or_else(|| damaged("header"))?,
        }
    }
}

fn damaged(what: &str) -> String {
    format!("the {what} of the archive is cut off or damaged")
}

/// A part of a file, read from front to back.
struct Fields<'f>(&'f [u8]);

impl<'f> Fields<'f> {
    fn at(bytes: &'f [u8], start: usize) -> Option<Self> {
        bytes.get(start..).map(Self)
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn u16(&mut self) -> Option<u16> {
        self.bytes().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(self.bytes()?)).ok()
    }

    fn range(&mut self) -> Option<Range> {
        Some(Range {
            start: self.size()?,
            length: self.size()?,
        })
    }
}

/// A part of something.
#[derive(Clone, Copy)]
struct Range {
    start: usize,
    length: usize,
}

impl Range {
    /// Where this part of the whole is, counted as the whole is.
    fn within(self, whole: Self) -> Option<Self> {
        let end = self.start.checked_add(self.length)?;
        (end <= whole.length).then_some(())?;
        let start = whole.start.checked_add(self.start)?;
        Some(Self { start, ..self })
    }

    fn of(self, bytes: &[u8]) -> Option<&[u8]> {
        bytes.get(self.start..self.start.checked_add(self.length)?)
    }
}

struct Header {
    next: usize,
    entry_count: usize,
    table: Range,
    names: Range,
    data: Range,
}

impl Header {
    /// The header at a position; `None` if it is not whole.
    fn read(file: &[u8], start: usize) -> Option<Result<Self, String>> {
        let mut fields = Fields::at(file, start)?;
        if &fields.bytes::<4>()? != b"IRPA" {
            return Some(Err(damaged("header")));
        }
        let (major, minor) = (fields.u16()?, fields.u16()?);
        if (major, minor) != (0, 0) {
            let reason = format!("archives of version {major}.{minor} are not known");
            return Some(Err(reason));
        }
        let _header_size = fields.size()?;
        let next = fields.size()?;
        let _flags = fields.size()?;
        let entry_count = fields.size()?;
        let whole = Range {
            start,
            length: file.len().checked_sub(start)?,
        };
        Some(Ok(Self {
            next,
            entry_count,
            table: fields.range()?.within(whole)?,
            names: fields.range()?.within(whole)?,
            data: fields.range()?.within(whole)?,
        }))
    }

    /// Adds the entries of the table.
    fn entries(
        &self,
        storage: &Arc<Storage>,
        entries: &mut BTreeMap<String, Entry>,
    ) -> Result<(), String> {
        let file = storage.bytes();
        let table = self.table.of(file).ok_or_else(|| damaged("table"))?;
        let mut position = 0;
        for _ in 0..self.entry_count {
            let fields = Fields::at(table, position).ok_or_else(|| damaged("table"))?;
            let row = Row::read(fields).ok_or_else(|| damaged("table"))?;
            position = row.end(position).ok_or_else(|| damaged("table"))?;
            if row.kind == SKIP {
                continue;
            }
            let name = row.name.within(self.names).and_then(|name| name.of(file));
            let name = String::from_utf8(name.ok_or_else(|| damaged("table"))?.to_vec())
                .map_err(|_| damaged("names"))?;
            let entry = row.entry(self, storage, &name)?;
            if entries.insert(name.clone(), entry).is_some() {
                return Err(format!("two of its tensors are called `{name}`"));
            }
        }
        Ok(())
    }
}

/// An entry of the table.
struct Row<'f> {
    size: usize,
    kind: u32,
    name: Range,
    /// What depends on the kind.
    rest: Fields<'f>,
}

impl<'f> Row<'f> {
    fn read(mut fields: Fields<'f>) -> Option<Self> {
        let size = fields.size()?;
        let kind = fields.u32()?;
        let _flags = fields.size()?;
        let name = fields.range()?;
        let _metadata = fields.range()?;
        let _alignment = fields.size()?;
        Some(Self {
            size,
            kind,
            name,
            rest: fields,
        })
    }

    /// Where the next entry starts, if this one starts here.
    fn end(&self, start: usize) -> Option<usize> {
        let end = start.checked_add(self.size)?;
        let end = end.checked_next_multiple_of(ENTRY_ALIGNMENT)?;
        (end > start).then_some(end)
    }

    fn entry(
        mut self,
        header: &Header,
        storage: &Arc<Storage>,
        name: &str,
    ) -> Result<Entry, String> {
        let missing = || format!("the tensor `{name}` is not in the file");
        match self.kind {
            DATA => {
                let place = self
                    .rest
                    .range()
                    .and_then(|range| range.within(header.data));
                let place = place.ok_or_else(missing)?;
                Entry::of_file(storage, place.start, place.length, None).ok_or_else(missing)
            }
            SPLAT => self.splat().ok_or_else(missing),
            _ => Err(format!(
                "the tensor `{name}` is in another file, which is not supported"
            )),
        }
    }

    fn splat(&mut self) -> Option<Entry> {
        let length = self.rest.size()?;
        let pattern = self.rest.bytes::<PATTERN>()?;
        let [used] = self.rest.bytes::<1>()?;
        let pattern = pattern.get(..usize::from(used))?;
        let fits = used.is_power_of_two() && length.is_multiple_of(pattern.len());
        fits.then(|| {
            let pattern = pattern.into();
            Entry::new(None, Contents::Repeated { pattern, length })
        })
    }
}
