//! Files of [safetensors](https://huggingface.co/docs/safetensors).

use super::{Entries, Entry, Storage, write::Saved};
use iree_abi::{DType, TensorType};
use safetensors::{
    Dtype, SafeTensors,
    tensor::{TensorInfo, TensorView, serialize_to_file},
};
use std::{io, sync::Arc};
use tempfile::NamedTempFile;

/// The bytes before the header, which hold its length.
const PREFIX: usize = 8;

pub(super) fn read(storage: &Arc<Storage>) -> Entries {
    let header = SafeTensors::read_metadata(storage.bytes());
    let (length, metadata) = header.map_err(|error| {
        format!("it is not whole, or neither safetensors, `.irpa`, `.npz` nor `.npy`: {error}")
    })?;
    let tensors = metadata.tensors();
    let names = metadata.offset_keys();
    if names.len() != tensors.len() {
        return Err("two of its tensors have one name".to_owned());
    }
    let entries = tensors.into_iter().map(|(name, info)| {
        let entry = entry(storage, PREFIX + length, info);
        let entry = entry.ok_or_else(|| format!("the tensor `{name}` is not in the file"))?;
        Ok((name, entry))
    });
    entries.collect()
}

fn entry(storage: &Arc<Storage>, data: usize, info: &TensorInfo) -> Option<Entry> {
    let (start, end) = info.data_offsets;
    let ty = dtype(info.dtype).map(|dtype| TensorType::new(dtype, info.shape.as_slice()));
    let length = end.checked_sub(start)?;
    Entry::of_file(storage, data.checked_add(start)?, length, ty)
}

/// The element types that both have; tensors of others are bytes.
const TYPES: [(DType, Dtype); 14] = [
    (DType::Bool, Dtype::BOOL),
    (DType::I8, Dtype::I8),
    (DType::I16, Dtype::I16),
    (DType::I32, Dtype::I32),
    (DType::I64, Dtype::I64),
    (DType::U8, Dtype::U8),
    (DType::U16, Dtype::U16),
    (DType::U32, Dtype::U32),
    (DType::U64, Dtype::U64),
    (DType::F16, Dtype::F16),
    (DType::BF16, Dtype::BF16),
    (DType::F32, Dtype::F32),
    (DType::F64, Dtype::F64),
    (DType::C64, Dtype::C64),
];

fn dtype(found: Dtype) -> Option<DType> {
    let mut types = TYPES.iter();
    types
        .find(|(_, other)| *other == found)
        .map(|(dtype, _)| *dtype)
}

fn name(dtype: DType) -> Option<Dtype> {
    let mut types = TYPES.iter();
    types
        .find(|(other, _)| *other == dtype)
        .map(|(_, name)| *name)
}

/// Whether the format has every element type, or which tensor it cannot hold.
pub(super) fn check(tensors: &[Saved<'_>]) -> Result<(), String> {
    match tensors
        .iter()
        .find(|tensor| name(tensor.ty.dtype).is_none())
    {
        None => Ok(()),
        Some(Saved { name, ty, .. }) => Err(format!(
            "safetensors has no element type for `{name}`, a `{ty}`; save it as `.irpa`"
        )),
    }
}

/// Writes tensors that were checked.
pub(super) fn write(file: &NamedTempFile, tensors: &[Saved<'_>]) -> io::Result<()> {
    let views = tensors.iter().filter_map(|tensor| {
        let (dtype, sizes) = (name(tensor.ty.dtype)?, tensor.ty.shape.known()?);
        Some((&tensor.name, dtype, sizes, &*tensor.bytes))
    });
    let views = views.map(|(name, dtype, sizes, bytes)| {
        let view = TensorView::new(dtype, sizes, bytes).map_err(io::Error::other)?;
        Ok((name, view))
    });
    let views = views.collect::<io::Result<Vec<_>>>()?;
    serialize_to_file(views, None, file.path()).map_err(io::Error::other)
}
