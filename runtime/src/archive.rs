//! Finds damage in module files.
//!
//! IREE's compiler writes a VMFB as a ZIP archive of uncompressed entries: the module's FlatBuffer
//! first, then executables and constants. Every entry has a CRC-32, and together with the headers the
//! entries fill the file. IREE itself skips the ZIP structure, verifies the FlatBuffer, and trusts
//! the rest, so a bit that flips in native code would be run. Checking the archive first makes that an
//! error.

use crate::{Error, Result, ffi::ALIGNMENT};
use std::{
    fs::File,
    io::{self, Cursor},
    ops::Range,
};
use zip::{CompressionMethod, ZipArchive, result::ZipError};

/// Checks that the bytes are a whole and undamaged module.
///
/// # Errors
///
/// [`Error::Damaged`].
pub(crate) fn verify(bytes: &[u8]) -> Result<()> {
    check(bytes).map_err(|reason| Error::Damaged { reason })
}

/// Checks that a file of this length can be a module, without reading all of it: nobody has memory for a
/// file that is mostly holes.
///
/// # Errors
///
/// [`Error::Damaged`].
pub(crate) fn verify_length(file: &File, length: u64) -> Result<()> {
    let check = || {
        let mut archive = ZipArchive::new(file).map_err(explain)?;
        let mut contents = 0u64;
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index).map_err(explain)?;
            // Headers before and behind, which name it, and padding.
            let around = 1 << 18;
            contents = contents
                .saturating_add(entry.compressed_size())
                .saturating_add(around);
        }
        match contents < length {
            true => Err(format!(
                "it has {length} bytes, and its entries have {contents}"
            )),
            false => Ok(()),
        }
    };
    check().map_err(|reason| Error::Damaged { reason })
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(explain)?;
    if archive.is_empty() {
        return Err("it has no entries".to_owned());
    }
    // Entries may be listed in any order; what counts is that they leave nothing out.
    let mut ranges = (0..archive.len())
        .map(|index| check_entry(&mut archive, index))
        .collect::<Result<Vec<_>, _>>()?;
    ranges.sort_unstable_by_key(|range| range.start);
    let mut covered = 0;
    for range in ranges {
        check_padding(bytes, covered, range.start)?;
        covered = range.end;
    }
    let directory = usize::try_from(archive.central_directory_start());
    check_padding(bytes, covered, directory.unwrap_or(usize::MAX))
}

/// Checks that there is nothing between two positions but padding.
fn check_padding(bytes: &[u8], start: usize, end: usize) -> Result<(), String> {
    match bytes.get(start..end) {
        Some(padding) if padding.len() < ALIGNMENT && padding.iter().all(|byte| *byte == 0) => {
            Ok(())
        }
        _ => Err(format!("there are unknown bytes after position {start}")),
    }
}

/// Checks the contents of an entry, and returns where its header starts and its contents end.
fn check_entry(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    index: usize,
) -> Result<Range<usize>, String> {
    let mut entry = archive.by_index(index).map_err(explain)?;
    let name = entry.name().map_err(explain)?.into_owned();
    if entry.compression() != CompressionMethod::Stored || entry.encrypted() {
        return Err(format!("its entry `{name}` is compressed"));
    }
    // Reading to the end compares the checksum.
    let length = io::copy(&mut entry, &mut io::sink())
        .map_err(|error| format!("its entry `{name}`: {error}"))?;
    if length != entry.size() {
        return Err(format!("its entry `{name}` is cut off"));
    }
    let position = |position: u64| {
        usize::try_from(position).map_err(|_| "it is larger than memory".to_owned())
    };
    let contents = entry.data_start().ok_or("an entry has no contents")?;
    Ok(position(entry.header_start())?..position(contents + length)?)
}

fn explain(error: ZipError) -> String {
    match error {
        ZipError::InvalidArchive(_) => {
            "it is not a whole ZIP archive, as IREE's compiler writes them".to_owned()
        }
        other => other.to_string(),
    }
}
