//! Whether IREE's runtime will load what its compiler made.
//!
//! The compiler counts neither the constants nor the buffers of a dispatch. The runtime for CPUs reads both from a table of
//! the machine code, `iree_hal_executable_dispatch_attrs_v0_t` in
//! <https://github.com/iree-org/iree/blob/main/runtime/src/iree/hal/local/executable_library.h>, which is found here as
//! there is no cheaper way to learn of them. In what is not understood nothing is found wrong.

use std::{collections::BTreeMap, io::BufRead};

/// The most constants of a dispatch that the runtime takes, of 32 bits each.
const MOST_CONSTANTS: u8 = 64;

/// The most buffers of a dispatch that the runtime takes.
const MOST_BUFFERS: u8 = 32;

/// The version of the tables that is known here.
const VERSION: u32 = 6;

/// Why a VMFB cannot be loaded.
pub(super) fn why_not(vmfb: &[u8]) -> Option<String> {
    libraries(vmfb)
        .flat_map(|library| library.dispatches())
        .find_map(Dispatch::why_not)
}

/// What a dispatch takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dispatch {
    constants: u8,
    buffers: u8,
}

impl Dispatch {
    fn why_not(self) -> Option<String> {
        let Self { constants, buffers } = self;
        if constants > MOST_CONSTANTS {
            return Some(format!(
                "a dispatch has {constants} constants, and {MOST_CONSTANTS} are allowed"
            ));
        }
        (buffers > MOST_BUFFERS)
            .then(|| format!("a dispatch has {buffers} buffers, and {MOST_BUFFERS} are allowed"))
    }
}

/// The shared libraries of 64 bits in a file.
fn libraries(bytes: &[u8]) -> impl Iterator<Item = Library<'_>> {
    const MAGIC: &[u8] = b"\x7fELF\x02\x01";
    let found = Found { rest: bytes };
    let found = found.filter(|file| file.starts_with(MAGIC));
    found.filter_map(Library::read)
}

/// The rests of a file that begin with a byte of 0x7f. Builds that are not optimized look through large files too, so the
/// search is that of the standard library.
struct Found<'b> {
    rest: &'b [u8],
}

impl<'b> Iterator for Found<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        const FIRST: u8 = 0x7f;
        let before = self.rest;
        // Reading from memory does not fail.
        let end = self.rest.skip_until(FIRST).ok()?.checked_sub(1)?;
        let found = before.get(end..)?;
        found.starts_with(&[FIRST]).then_some(found)
    }
}

/// A shared library of the format ELF, see <https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html>.
struct Library<'b> {
    bytes: &'b [u8],
    segments: Vec<Segment>,
    /// What stands at an address once it is loaded: another address.
    pointers: BTreeMap<u64, u64>,
}

/// A part of a library that is loaded.
struct Segment {
    address: u64,
    offset: u64,
    size: u64,
}

impl<'b> Library<'b> {
    fn read(bytes: &'b [u8]) -> Option<Self> {
        const LOADED: u32 = 1;
        const DYNAMIC: u32 = 2;
        let (headers, count) = (word(bytes, 32, 0)?, half(bytes, 56)?);
        let mut library = Self {
            bytes,
            segments: Vec::new(),
            pointers: BTreeMap::new(),
        };
        let mut dynamic = None;
        for index in 0..u64::from(count) {
            let header = headers.saturating_add(index * 56);
            let segment = Segment {
                offset: word(bytes, header, 8)?,
                address: word(bytes, header, 16)?,
                size: word(bytes, header, 32)?,
            };
            match long(bytes, header, 0)? {
                LOADED => library.segments.push(segment),
                DYNAMIC => dynamic = Some(segment),
                _ => {}
            }
        }
        library.read_pointers(&dynamic?)?;
        Some(library)
    }

    fn read_pointers(&mut self, dynamic: &Segment) -> Option<()> {
        const TABLE: u64 = 7;
        const TABLE_SIZE: u64 = 8;
        let bytes = self.bytes;
        let tags = |index| {
            let at = dynamic.offset.saturating_add(index * 16);
            Some((word(bytes, at, 0)?, word(bytes, at, 8)?))
        };
        let tag = |wanted| {
            let mut tags = (0..dynamic.size / 16).map_while(tags);
            tags.find_map(|(tag, value)| (tag == wanted).then_some(value))
        };
        let table = self.offset(tag(TABLE)?)?;
        for index in 0..tag(TABLE_SIZE)? / 24 {
            let entry = table.saturating_add(index * 24);
            let (at, to) = (word(bytes, entry, 0)?, word(bytes, entry, 16)?);
            self.pointers.insert(at, to);
        }
        Some(())
    }

    /// Where in the file an address is.
    fn offset(&self, address: u64) -> Option<u64> {
        self.segments.iter().find_map(|segment| {
            let inside = address.checked_sub(segment.address)?;
            let is_in = inside < segment.size;
            segment.offset.checked_add(inside).filter(|_| is_in)
        })
    }

    /// What all dispatches take.
    fn dispatches(&self) -> Vec<Dispatch> {
        let tables = self.pointers.iter();
        let dispatches = tables.filter_map(|(table, header)| self.table(*table, *header));
        dispatches.flatten().collect()
    }

    /// What the dispatches of a library take, if it is one, `iree_hal_executable_library_v0_t`: a header, two words of
    /// imports, then how many dispatches there are, their code and what they take.
    fn table(&self, table: u64, header: u64) -> Option<Vec<Dispatch>> {
        let version = long(self.bytes, self.offset(header)?, 0)?;
        let pointer = |base: u64, offset| self.pointers.get(&base.saturating_add(offset));
        if version != VERSION || pointer(header, 8).is_none() || pointer(table, 32).is_none() {
            return None;
        }
        let count = long(self.bytes, self.offset(table)?, 24)?;
        let taken = self.offset(*pointer(table, 40)?)?;
        let dispatch = |index: u32| {
            let at = taken.saturating_add(u64::from(index) * 64);
            let [constants, buffers] = read(self.bytes, at, 10)?;
            Some(Dispatch { constants, buffers })
        };
        (0..count).map(dispatch).collect()
    }
}

/// The bytes at an offset from a base.
fn read<const N: usize>(bytes: &[u8], base: u64, offset: u64) -> Option<[u8; N]> {
    let at = usize::try_from(base.saturating_add(offset)).ok()?;
    bytes.get(at..)?.first_chunk().copied()
}

fn half(bytes: &[u8], base: u64) -> Option<u16> {
    read(bytes, base, 0).map(u16::from_le_bytes)
}

fn long(bytes: &[u8], base: u64, offset: u64) -> Option<u32> {
    read(bytes, base, offset).map(u32::from_le_bytes)
}

fn word(bytes: &[u8], base: u64, offset: u64) -> Option<u64> {
    read(bytes, base, offset).map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dispatch_may_take_is_limited() {
        let why = |constants, buffers| Dispatch { constants, buffers }.why_not();
        assert_eq!(why(64, 32), None);
        let said = why(65, 1).unwrap();
        assert_eq!(said, "a dispatch has 65 constants, and 64 are allowed");
        let said = why(0, 33).unwrap();
        assert_eq!(said, "a dispatch has 33 buffers, and 32 are allowed");
    }

    #[test]
    fn damaged_libraries_are_not_understood() {
        let mut bytes = b"PK\x7fELF\x02\x01".to_vec();
        bytes.resize(500, 0xff);
        assert_eq!(libraries(&bytes).count(), 0);
        for length in 0..70 {
            assert_eq!(libraries(bytes.get(..length).unwrap()).count(), 0);
        }
    }
}
