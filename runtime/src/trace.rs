use crate::{
    Element, Error, Result,
    element::{dtype_of, is_stored_as},
    ffi::{AlignedBytes, BufferView, IreeError, Sink, from_bytes},
    npy,
};
use half::{bf16, f16};
use iree_abi::{DType, Shape, Site, TensorType};
use ndarray::{ArrayView, Dimension, IxDyn};
use num_complex::Complex;
use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What a program shows where it has `trace!("key", x, y)`.
pub struct Trace {
    key: String,
    place: Option<String>,
    arrays: Vec<TracedArray>,
}

/// A tensor that a program shows, copied to the host.
pub struct TracedArray {
    ty: TensorType,
    bytes: AlignedBytes,
}

impl Trace {
    /// What the program calls it.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where it is in the source, `src/main.rs:12:9`; `None` for modules that were compiled elsewhere.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// The tensors, those of trees one after the other.
    pub fn arrays(&self) -> &[TracedArray] {
        &self.arrays
    }
}

impl fmt::Display for Trace {
    /// Writes the key, the place, and the elements as [`ndarray`] does.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[trace] {}", self.key)?;
        if let Some(place) = &self.place {
            write!(formatter, " ({place})")?;
        }
        self.arrays
            .iter()
            .try_for_each(|array| write!(formatter, "\n{}: {array}", array.ty))
    }
}

impl TracedArray {
    /// The type of the tensor.
    pub const fn ty(&self) -> &TensorType {
        &self.ty
    }

    /// The elements in place.
    ///
    /// # Errors
    ///
    /// [`Error::ArrayType`] if element type or number of axes are others.
    pub fn view<T: Element, D: Dimension>(&self) -> Result<ArrayView<'_, T, D>> {
        let sizes = self.ty.shape.known().unwrap_or_default();
        let view = (self.ty.dtype == T::DTYPE)
            .then(|| from_bytes::<T>(self.bytes.as_slice()))
            .flatten()
            .and_then(|elements| ArrayView::from_shape(IxDyn(&sizes), elements).ok())
            .and_then(|view| view.into_dimensionality::<D>().ok());
        view.ok_or_else(|| {
            let rank = D::NDIM.unwrap_or(sizes.len());
            Error::ArrayType {
                expected: Box::new(TensorType::new(
                    T::DTYPE,
                    Shape::new(vec![iree_abi::Dim::Any; rank]),
                )),
                given: Box::new(self.ty.clone()),
            }
        })
    }

    /// `declared` is the element type in the source, where that is known: IREE shows integers without a
    /// sign.
    fn of(view: &BufferView, declared: Option<DType>) -> Result<Self, IreeError> {
        let code = view.element_type();
        let declared = declared.filter(|dtype| is_stored_as(*dtype, code));
        let dtype = declared.or_else(|| dtype_of(code));
        Ok(Self {
            // What the language has no type for is shown as bytes.
            ty: match dtype {
                Some(dtype) => TensorType::new(dtype, view.shape()),
                None => TensorType::new(DType::U8, [view.map()?.bytes().len()]),
            },
            bytes: AlignedBytes::copy_of(view.map()?.bytes()),
        })
    }

    fn show<T: Element>(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view::<T, IxDyn>() {
            Ok(view) => fmt::Display::fmt(&view, formatter),
            Err(error) => write!(formatter, "{error}"),
        }
    }
}

impl fmt::Display for TracedArray {
    /// Writes the elements as [`ndarray`] does.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = match self.ty.dtype {
            DType::Bool => Self::show::<bool>,
            DType::I8 => Self::show::<i8>,
            DType::I16 => Self::show::<i16>,
            DType::I32 => Self::show::<i32>,
            DType::I64 => Self::show::<i64>,
            DType::U8 => Self::show::<u8>,
            DType::U16 => Self::show::<u16>,
            DType::U32 => Self::show::<u32>,
            DType::U64 => Self::show::<u64>,
            DType::F16 => Self::show::<f16>,
            DType::BF16 => Self::show::<bf16>,
            DType::F32 => Self::show::<f32>,
            DType::F64 => Self::show::<f64>,
            DType::C64 => Self::show::<Complex<f32>>,
            DType::C128 => Self::show::<Complex<f64>>,
            _ => return write!(formatter, "{} bytes", self.bytes.as_slice().len()),
        };
        show(self, formatter)
    }
}

/// Where traces go.
pub(crate) type Observer = dyn Fn(&Trace) + Send + Sync;

/// Writes each trace to standard error.
pub(crate) fn to_standard_error(trace: &Trace) {
    eprintln!("{trace}");
}

/// Writes each traced tensor to a file in NumPy's format, `key.0.npy` for the first, in a folder that must
/// exist. What cannot be written is told on standard error.
pub fn trace_to_files(folder: impl Into<PathBuf>) -> impl Fn(&Trace) + Send + Sync + 'static {
    let (folder, count) = (folder.into(), AtomicUsize::new(0));
    move |trace| {
        let name = |character: char| match character.is_alphanumeric() {
            true => character,
            false => '_',
        };
        let key: String = trace.key.chars().map(name).collect();
        for array in &trace.arrays {
            let number = count.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{key}.{number}.npy"));
            let sizes = array.ty.shape.known().unwrap_or_default();
            let saved = npy::save(&path, array.ty.dtype, &sizes, array.bytes.as_slice());
            if let Err(error) = saved {
                eprintln!("cannot write {}: {error}", path.display());
            }
        }
    }
}

/// The sink of a session, which knows what the source says of its sites.
pub(crate) fn sink(observer: Arc<Observer>, sites: &'static [Site]) -> Arc<Sink> {
    Arc::new(move |marked: &str, views: &[BufferView]| {
        let site = Site::number(marked).and_then(|number| sites.get(number));
        let dtype = |index: usize| site.and_then(|site| site.dtypes.get(index)).copied();
        let arrays = views.iter().enumerate();
        let arrays = arrays.map(|(index, view)| TracedArray::of(view, dtype(index)));
        observer(&Trace {
            key: site.map_or(marked, |site| site.text.as_str()).to_owned(),
            place: site.map(|site| site.place.clone()),
            arrays: arrays.collect::<Result<_, _>>()?,
        });
        Ok(())
    })
}
