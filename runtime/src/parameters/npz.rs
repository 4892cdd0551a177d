//! NumPy's [files](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html): single arrays,
//! and archives of them.

use super::{Entries, Entry, Storage, byte_count};
use crate::ffi::{AlignedBytes, Contents};
use iree_abi::{DType, DTypeClass, TensorType};
use ndarray::Dimension;
use npyz::{Endianness, NpyHeader, Order, TypeChar, TypeStr};
use std::{
    io::{Cursor, Read},
    ops::Range,
    panic::catch_unwind,
    sync::Arc,
};
use zip::{CompressionMethod, ZipArchive, read::ZipFile, result::ZipError};

/// The arrays of an archive, by their names without `.npy`.
pub(super) fn read(storage: &Arc<Storage>) -> Entries {
    let mut archive = ZipArchive::new(Cursor::new(storage.bytes())).map_err(explain)?;
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
    let bytes = bytes.ok_or("it is cut off")?;
    let (header, length) = header(bytes)?;
    let ty = tensor_type(&header)?;
    let size = byte_count(&ty).ok_or("the array is too large to address")?;
    if bytes.len() - length < size {
        let found = bytes.len() - length;
        return Err(format!(
            "it ends early: there are {found} bytes of elements for `{ty}`"
        ));
    }
    let entry = Entry::of_file(storage, place.start + length, size, Some(ty.clone()));
    let entry = entry.ok_or("it is cut off")?;
    match conversion(&header, &ty) {
        Some(convert) => converted(entry, &ty, convert),
        None => Ok(entry),
    }
}

/// The header, and how many bytes it takes.
fn header(bytes: &[u8]) -> Result<(NpyHeader, usize), String> {
    // The library multiplies sizes without a check.
    let read = catch_unwind(|| {
        let mut rest = bytes;
        let header = NpyHeader::from_reader(&mut rest)?;
        std::io::Result::Ok((header, bytes.len() - rest.len()))
    });
    let read = read.map_err(|_| "its sizes are too large".to_owned())?;
    read.map_err(|error| error.to_string())
}

fn tensor_type(header: &NpyHeader) -> Result<TensorType, String> {
    let description = header.dtype();
    let dtype = match &description {
        npyz::DType::Plain(ty) => element(ty),
        _ => None,
    };
    let dtype = dtype.ok_or_else(|| {
        let description = description.descr();
        format!("there is no element type for NumPy's {description}")
    })?;
    let sizes = header.shape().iter().map(|size| usize::try_from(*size));
    let sizes: Result<Vec<_>, _> = sizes.collect();
    let sizes = sizes.map_err(|_| "the array is too large to address".to_owned())?;
    Ok(TensorType::new(dtype, sizes.as_slice()))
}

fn element(ty: &TypeStr) -> Option<DType> {
    let class = match ty.type_char() {
        TypeChar::Bool => DTypeClass::Bool,
        TypeChar::Int => DTypeClass::Signed,
        TypeChar::Uint => DTypeClass::Unsigned,
        TypeChar::Float => DTypeClass::Float,
        TypeChar::Complex => DTypeClass::Complex,
        // NumPy has no name for it, and writes it as two bytes of anything.
        TypeChar::RawData if ty.size_field() == 2 => return Some(DType::BF16),
        _ => return None,
    };
    let size = usize::try_from(ty.size_field()).ok()?;
    DType::ALL
        .into_iter()
        .find(|dtype| *dtype != DType::BF16 && dtype.class() == class && dtype.size() == size)
}

/// How elements differ from those on the device.
struct Conversion {
    /// The order of their bytes.
    swapped: bool,
    /// The first axis is the fastest.
    transposed: bool,
    /// Any byte but zero is true.
    truth: bool,
}

fn conversion(header: &NpyHeader, ty: &TensorType) -> Option<Conversion> {
    let big = match header.dtype() {
        npyz::DType::Plain(ty) => ty.endianness() == Endianness::Big,
        _ => false,
    };
    let conversion = Conversion {
        swapped: big && ty.dtype.real().size() > 1,
        transposed: header.order() == Order::Fortran && ty.shape.rank() > 1,
        truth: ty.dtype == DType::Bool,
    };
    let needed = conversion.swapped || conversion.transposed || conversion.truth;
    needed.then_some(conversion)
}

fn converted(entry: Entry, ty: &TensorType, conversion: Conversion) -> Result<Entry, String> {
    let mut bytes = AlignedBytes::zeroed(entry.contents.len());
    let read = entry.contents.read(0, bytes.as_mut_slice());
    read.map_err(|error| error.to_string())?;
    if conversion.transposed {
        bytes = last_axis_fastest(bytes.as_slice(), ty);
    }
    let elements = bytes.as_mut_slice();
    if conversion.swapped {
        let part = ty.dtype.real().size();
        elements.chunks_exact_mut(part).for_each(<[u8]>::reverse);
    }
    if conversion.truth {
        elements
            .iter_mut()
            .for_each(|byte| *byte = u8::from(*byte != 0));
    }
    let contents = Contents::owned(bytes);
    Ok(Entry { contents, ..entry })
}

/// The elements in the order in which the last axis is fastest, from that in which the first is.
fn last_axis_fastest(elements: &[u8], ty: &TensorType) -> AlignedBytes {
    let (size, sizes) = (ty.dtype.size(), ty.shape.known().unwrap_or_default());
    let indices = ndarray::indices(sizes.as_slice());
    let mut ordered = AlignedBytes::zeroed(elements.len());
    let places = ordered.as_mut_slice().chunks_exact_mut(size);
    for (place, index) in places.zip(indices) {
        let axes = index.slice().iter().zip(&sizes).rev();
        let number = axes.fold(0, |number, (at, size)| number * size + at);
        place.copy_from_slice(&elements[number * size..][..size]);
    }
    ordered
}
