//! NumPy's [files](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html): single arrays,
//! and archives of them.

use super::{Contents, Entries, Entry, Storage};
use crate::ffi::AlignedBytes;
use iree_abi::NpyFile;
use std::{
    io::{Cursor, Read},
    ops::Range,
    sync::Arc,
};
use zip::{CompressionMethod, ZipArchive, read::ZipFile, result::ZipError};

const TORCH: &str =
    "it was written by `torch.save`: write it with `safetensors.torch.save_file` instead";

/// The arrays of an archive, by their names without `.npy`.
pub(super) fn read(storage: &Arc<Storage>) -> Entries {
    let mut archive = ZipArchive::new(Cursor::new(storage.bytes())).map_err(explain)?;
    let is_torch = {
        let mut names = archive.file_names().filter_map(Result::ok);
        names.any(|name| name.ends_with("/data.pkl"))
    };
    if is_torch {
        return Err(TORCH.to_owned());
    }
    let arrays = (0..archive.len()).map(|index| {
        let file = archive.by_index(index).map_err(explain)?;
        let name = file.name().map_err(explain)?.into_owned();
        let entry = member(storage, file).map_err(|reason| format!("`{name}`: {reason}"))?;
        Ok((name.strip_suffix(".npy").unwrap_or(&name).to_owned(), entry))
    });
    arrays.collect()
}

/// A file of the archive: in its place, or unpacked.
fn member(storage: &Arc<Storage>, file: ZipFile<'_, Cursor<&[u8]>>) -> Result<Entry, String> {
    if file.encrypted() {
        return Err("it is encrypted".to_owned());
    }
    if file.compression() != CompressionMethod::Stored {
        let unpacked = unpack(file)?;
        return array(&unpacked, 0..unpacked.bytes().len());
    }
    let place = file.data_start().and_then(|start| {
        let start = usize::try_from(start).ok()?;
        Some(start..start.checked_add(usize::try_from(file.size()).ok()?)?)
    });
    array(storage, place.ok_or("it is not in the file")?)
}

/// The contents of a compressed file. What it says about its size is not trusted.
fn unpack(file: ZipFile<'_, Cursor<&[u8]>>) -> Result<Arc<Storage>, String> {
    let (size, mut bytes) = (file.size(), Vec::new());
    let read = file.take(size).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    Ok(Arc::new(Storage::owned(AlignedBytes::copy_of(&bytes))))
}

fn explain(error: ZipError) -> String {
    format!("it is no whole `.npz` archive: {error}")
}

/// The array in a part of a file.
pub(super) fn array(storage: &Arc<Storage>, place: Range<usize>) -> Result<Entry, String> {
    let bytes = storage.bytes().get(place.clone());
    let array = NpyFile::parse(bytes.ok_or("it is cut off")?).map_err(|error| error.to_string())?;
    if array.is_as_in_memory() {
        let (start, length) = (place.start + array.start, array.elements.len());
        let entry = Entry::of_file(storage, start, length, Some(array.ty));
        return entry.ok_or_else(|| "it is cut off".to_owned());
    }
    let mut elements = AlignedBytes::zeroed(array.elements.len());
    array.write_to(elements.as_mut_slice());
    Ok(Entry::new(Some(array.ty), Contents::owned(elements)))
}
