//! Tensors that programs are supplied with when they are loaded.

mod irpa;
mod npz;
mod safetensors;
mod supplies;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use supplies::Supplies;
pub(crate) use write::{Saved, write};

use crate::{
    Device, DynamicArray, Element, Error, HostArray, Result,
    ffi::{AlignedBytes, Contents, Storage, as_bytes},
};
use iree_abi::{Leaf, TensorType};
use ndarray::{ArrayView, Dimension};
use std::{collections::BTreeMap, fmt, fs::File, path::Path, sync::Arc};

/// Tensors with names: those of an archive, or arrays of the host.
///
/// # Examples
///
/// ```
/// use iree_runtime::Parameters;
/// use ndarray::{arr0, arr1};
///
/// let mut parameters = Parameters::default();
/// parameters.insert("w", &arr1(&[1.0f32, 2.0]));
/// parameters.insert("b", &arr0(3.0f32));
/// assert_eq!(parameters.keys().collect::<Vec<_>>(), ["b", "w"]);
/// ```
#[derive(Clone, Default)]
pub struct Parameters {
    entries: BTreeMap<String, Entry>,
}

/// A tensor of an archive.
#[derive(Clone)]
pub(crate) struct Entry {
    /// Its type, if the archive says it.
    ty: Option<TensorType>,
    contents: Contents,
}

/// What a format makes of a file, or why it is none of that format.
type Entries = Result<BTreeMap<String, Entry>, String>;

impl Parameters {
    /// The tensors of a file: safetensors, IREE's `.irpa`, or NumPy's `.npz` and `.npy`. The single array
    /// of an `.npy` has the name of the file without the extension.
    ///
    /// Large files need no time here: the file is mapped, and programs use tensors in place that start at
    /// a multiple of 64 bytes and that they do not change; others are copied once. So the file must stay
    /// as it is while it is in use, or the process may be ended by the system. To replace it, write
    /// another and rename it, as [`Program::save_parameters`](crate::program::Program::save_parameters)
    /// does.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], or [`Error::Archive`] if it is damaged or of another format.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let storage = File::open(path).and_then(Storage::map);
        let storage = storage.map_err(|source| Error::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        match read(&Arc::new(storage), &name) {
            Ok(entries) => Ok(Self { entries }),
            Err(reason) => Err(Error::Archive {
                path: path.to_owned(),
                reason,
            }),
        }
    }

    /// Adds a copy of an array of the host, in the place of another of that name.
    pub fn insert<'a, T: Element, D: Dimension>(
        &mut self,
        key: impl Into<String>,
        array: impl Into<ArrayView<'a, T, D>>,
    ) {
        let array = array.into();
        let standard = array.as_standard_layout();
        let values = standard
            .as_slice()
            .expect("the standard layout has no gaps");
        let entry = Entry {
            ty: Some(TensorType::new(T::DTYPE, array.shape())),
            contents: Contents::owned(AlignedBytes::copy_of(as_bytes(values))),
        };
        self.entries.insert(key.into(), entry);
    }

    /// Checks that the tensors of a program are there.
    ///
    /// # Errors
    ///
    /// [`Error::Parameters`] with everything that is wrong.
    pub(crate) fn check(&self, program: &str, leaves: &[Leaf]) -> Result<()> {
        let problems = leaves.iter().filter_map(|Leaf { path, ty }| {
            let reason = match self.entries.get(path) {
                Some(entry) => supplies::mismatch(ty, entry)?,
                None => "the archive does not have it".to_owned(),
            };
            Some(format!("{path}: {ty}: {reason}"))
        });
        supplies::all(program, problems.collect())
    }

    /// Copies a tensor to a device.
    pub(crate) fn upload(
        &self,
        key: &str,
        ty: &TensorType,
        device: &Device,
    ) -> Result<DynamicArray> {
        let bytes = self.entries.get(key).map(|entry| entry.contents.bytes());
        let sizes = ty.shape.known().unwrap_or_default();
        DynamicArray::of_bytes(device, ty.dtype, &sizes, &bytes.unwrap_or_default())
    }

    /// The names, in alphabetical order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// A copy of a tensor; `None` if there is no such tensor, or if the archive does not say its type.
    pub fn get(&self, key: &str) -> Option<HostArray> {
        let entry = self.entries.get(key)?;
        HostArray::new(entry.ty.clone()?, &entry.contents.bytes())
    }

    /// The type of a tensor; `None` if there is no such tensor, or if the archive does not say it.
    pub fn ty(&self, key: &str) -> Option<&TensorType> {
        self.entries.get(key)?.ty.as_ref()
    }
}

impl From<&Self> for Parameters {
    fn from(parameters: &Self) -> Self {
        parameters.clone()
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let describe = |entry: &Entry| match &entry.ty {
            Some(ty) => ty.to_string(),
            None => format!("{} bytes", entry.contents.len()),
        };
        let entries = self.entries.iter();
        let entries = entries.map(|(key, entry)| (key, describe(entry)));
        formatter.debug_map().entries(entries).finish()
    }
}

/// The tensors of a file, whose first bytes tell its format. `name` is that of a single array.
fn read(storage: &Arc<Storage>, name: &str) -> Entries {
    match storage.bytes() {
        [b'I', b'R', b'P', b'A', ..] => irpa::read(storage),
        [b'P', b'K', ..] => npz::read(storage),
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => {
            let whole = 0..storage.bytes().len();
            let entry = npz::array(storage, whole)?;
            Ok(BTreeMap::from([(name.to_owned(), entry)]))
        }
        _ => safetensors::read(storage),
    }
}

impl Entry {
    /// A tensor of a known type, whose bytes are a part of a file.
    fn of_file(
        storage: &Arc<Storage>,
        start: usize,
        length: usize,
        ty: Option<TensorType>,
    ) -> Option<Self> {
        let range = start..start.checked_add(length)?;
        storage.bytes().get(range.clone())?;
        Some(Self {
            ty,
            contents: Contents::Stored(storage.clone(), range),
        })
    }
}

/// How many bytes a tensor takes, if its sizes are known.
fn byte_count(ty: &TensorType) -> Option<usize> {
    let mut sizes = ty.shape.known()?.into_iter();
    sizes.try_fold(ty.dtype.size(), usize::checked_mul)
}
