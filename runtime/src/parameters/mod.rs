//! Tensors that programs are supplied with when they are loaded.

mod contents;
mod irpa;
mod mismatch;
mod names;
mod npz;
mod safetensors;
mod supplies;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use contents::Contents;
pub(crate) use supplies::Supplies;
pub(crate) use write::{Saved, write};

use crate::{
    Device, DynamicArray, Element, Error, HostArray, Result,
    convert::Conversion,
    ffi::{AlignedBytes, Residents, Storage, as_bytes},
};
use iree_abi::{Leaf, TensorType, foreign_file};
use mismatch::{Mismatch, Problem, Wanted};
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
    /// The copies of it that programs share.
    residents: Residents,
}

/// What a format makes of a file, or why it is none of that format.
type Entries = Result<BTreeMap<String, Entry>, String>;

impl Parameters {
    /// The tensors of a file: safetensors, IREE's `.irpa`, or NumPy's `.npz` and `.npy`. The single array
    /// of an `.npy` has the name of the file without the extension.
    ///
    /// Large files need no time here: the file is mapped, and programs use tensors in place that start at
    /// a multiple of 64 bytes and that they do not change. So the file must stay as it is while it is in use, or the
    /// process may be ended by the system. To replace it, write another and rename it, as
    /// [`Program::save_parameters`](crate::program::Program::save_parameters) does.
    ///
    /// Tensors that start elsewhere, or that are converted, are copied once to a CPU device, for all programs that are loaded
    /// with this value or a clone of it and do not change them. Each has a copy of its own of what it changes.
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
        let ty = TensorType::new(T::DTYPE, array.shape());
        let contents = Contents::owned(AlignedBytes::copy_of(as_bytes(values)));
        self.entries
            .insert(key.into(), Entry::new(Some(ty), contents));
    }

    /// The tensors whose names begin with a text, by the rest of their names. The others are left out.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_runtime::Parameters;
    /// use ndarray::arr0;
    ///
    /// let mut archive = Parameters::default();
    /// archive.insert("bert.scale", &arr0(1.0f32));
    /// archive.insert("step", &arr0(7u32));
    /// let bert = archive.without_prefix("bert.");
    /// assert_eq!(bert.keys().collect::<Vec<_>>(), ["scale"]);
    /// assert_eq!(bert.with_prefix("model.").keys().collect::<Vec<_>>(), ["model.scale"]);
    /// ```
    #[must_use]
    pub fn without_prefix(&self, prefix: &str) -> Self {
        let entries = self.entries.iter();
        let entries = entries.filter_map(|(key, entry)| {
            let rest = key.strip_prefix(prefix)?;
            Some((rest.to_owned(), entry.clone()))
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// The tensors with a text in front of each name.
    #[must_use]
    pub fn with_prefix(&self, prefix: &str) -> Self {
        let entries = self.entries.iter();
        let entries = entries.map(|(key, entry)| (format!("{prefix}{key}"), entry.clone()));
        Self {
            entries: entries.collect(),
        }
    }

    /// Checks that the tensors of a program are there.
    ///
    /// # Errors
    ///
    /// [`Error::Parameters`] with everything that is wrong.
    pub(crate) fn check(&self, program: &str, leaves: &[Leaf]) -> Result<()> {
        let problems = leaves.iter().filter_map(|Leaf { path, ty }| {
            let reason = match self.entries.get(path) {
                Some(entry) => Problem::Differs(Mismatch::of(ty, entry)?),
                None => Problem::Missing,
            };
            let wanted = Wanted {
                scope: None,
                key: path,
                ty,
            };
            Some((wanted, reason))
        });
        let problems: Vec<_> = problems.collect();
        let is_wanted = |_: Option<&str>, key: &str| leaves.iter().any(|leaf| leaf.path == key);
        mismatch::error(program, Vec::new(), &problems, |_| vec![self], is_wanted)
    }

    /// Has numbers become those of the types of a program, where these differ in that alone.
    pub(crate) fn convert<'t>(
        &mut self,
        wanted: impl IntoIterator<Item = (&'t str, &'t TensorType)>,
    ) {
        for (key, ty) in wanted {
            if let Some(entry) = self.entries.get_mut(key) {
                entry.convert(ty);
            }
        }
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
        bytes => match foreign_file(bytes) {
            Some(reason) => Err(reason),
            None => safetensors::read(storage),
        },
    }
}

impl Entry {
    fn new(ty: Option<TensorType>, contents: Contents) -> Self {
        Self {
            ty,
            contents,
            residents: Residents::default(),
        }
    }

    /// Has its numbers become those of another type, if the types differ in that alone.
    fn convert(&mut self, wanted: &TensorType) {
        let Some(found) = &self.ty else { return };
        let conversion = Conversion::new(found.dtype, wanted.dtype);
        if let Some(conversion) = conversion.filter(|_| found.shape == wanted.shape) {
            let stored = Box::new(self.contents.clone());
            self.contents = Contents::Converted(stored, conversion);
            self.ty = Some(wanted.clone());
        }
    }

    /// A tensor of a known type, whose bytes are a part of a file.
    fn of_file(
        storage: &Arc<Storage>,
        start: usize,
        length: usize,
        ty: Option<TensorType>,
    ) -> Option<Self> {
        let range = start..start.checked_add(length)?;
        storage.bytes().get(range.clone())?;
        Some(Self::new(ty, Contents::Stored(storage.clone(), range)))
    }
}

/// How many bytes a tensor takes, if its sizes are known.
fn byte_count(ty: &TensorType) -> Option<usize> {
    let mut sizes = ty.shape.known()?.into_iter();
    sizes.try_fold(ty.dtype.size(), usize::checked_mul)
}
