use crate::{
    Device, DynamicArray, Element, Error, Result,
    element::{dtype_of, is_stored_as},
    ffi::{AlignedBytes, BufferView, IreeError, from_bytes},
    npy,
};
use half::{bf16, f16};
use iree_abi::{DType, Dim, Shape, TensorType};
use ndarray::{ArrayView, Dimension, IxDyn};
use num_complex::Complex;
use std::{fmt, path::Path};

/// An array on the host whose type is known only at run time.
///
/// # Examples
///
/// ```
/// use iree_runtime::HostArray;
///
/// let bytes: Vec<u8> = [1.5f32, 2.0].iter().flat_map(|value| value.to_ne_bytes()).collect();
/// let array = HostArray::new("Tensor<f32, 2>".parse().unwrap(), &bytes).unwrap();
/// assert_eq!(array.to_string(), "[1.5, 2]");
/// assert!(HostArray::new("Tensor<f32, 3>".parse().unwrap(), &bytes).is_none());
/// ```
pub struct HostArray {
    ty: TensorType,
    bytes: AlignedBytes,
}

impl HostArray {
    /// An array of these elements, in standard layout and in the byte order of this machine; `None` if there
    /// is another number of bytes than the type has, or if a size is not known.
    pub fn new(ty: TensorType, bytes: &[u8]) -> Option<Self> {
        let sizes = ty.shape.known()?;
        let count = sizes
            .iter()
            .try_fold(ty.dtype.size(), |count, size| count.checked_mul(*size))?;
        let bytes = (count == bytes.len()).then(|| AlignedBytes::copy_of(bytes))?;
        Some(Self { ty, bytes })
    }

    /// The type, whose sizes are known.
    pub const fn ty(&self) -> &TensorType {
        &self.ty
    }

    /// The sizes along the axes.
    pub fn shape(&self) -> Vec<usize> {
        self.ty.shape.known().unwrap_or_default()
    }

    /// The elements in standard layout, in the byte order of this machine.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The elements in place.
    ///
    /// # Errors
    ///
    /// [`Error::ArrayType`] if element type or number of axes are others.
    pub fn view<T: Element, D: Dimension>(&self) -> Result<ArrayView<'_, T, D>> {
        let sizes = self.shape();
        let view = (self.ty.dtype == T::DTYPE)
            .then(|| from_bytes::<T>(self.bytes()))
            .flatten()
            .and_then(|elements| ArrayView::from_shape(IxDyn(&sizes), elements).ok())
            .and_then(|view| view.into_dimensionality::<D>().ok());
        view.ok_or_else(|| {
            let rank = D::NDIM.unwrap_or(sizes.len());
            Error::ArrayType {
                expected: Box::new(TensorType::new(T::DTYPE, Shape::new(vec![Dim::Any; rank]))),
                given: Box::new(self.ty.clone()),
            }
        })
    }

    /// Copies it to a device.
    ///
    /// # Errors
    ///
    /// If memory runs out.
    pub fn upload(&self, device: &Device) -> Result<DynamicArray> {
        DynamicArray::of_bytes(device, self.ty.dtype, &self.shape(), self.bytes())
    }

    /// Writes it to a file in NumPy's format, as [`DeviceArray::save_npy`](crate::DeviceArray::save_npy) does.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let saved = npy::save(path, self.ty.dtype, &self.shape(), self.bytes());
        saved.map_err(|source| Error::Io {
            action: "write",
            path: path.to_owned(),
            source,
        })
    }

    /// `declared` is the element type in the source, where that is known: IREE shows integers without a
    /// sign.
    pub(crate) fn of(view: &BufferView, declared: Option<DType>) -> Result<Self, IreeError> {
        let code = view.element_type();
        let declared = declared.filter(|dtype| is_stored_as(*dtype, code));
        let dtype = declared.or_else(|| dtype_of(code));
        let mapping = view.map()?;
        Ok(Self {
            // What the language has no type for is shown as bytes.
            ty: match dtype {
                Some(dtype) => TensorType::new(dtype, view.shape()),
                None => TensorType::new(DType::U8, [mapping.bytes().len()]),
            },
            bytes: AlignedBytes::copy_of(mapping.bytes()),
        })
    }

    fn show<T: Element>(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view::<T, IxDyn>() {
            Ok(view) => fmt::Display::fmt(&view, formatter),
            Err(error) => write!(formatter, "{error}"),
        }
    }
}

impl fmt::Display for HostArray {
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
            _ => return write!(formatter, "{} bytes", self.bytes().len()),
        };
        show(self, formatter)
    }
}

impl fmt::Debug for HostArray {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {self}", self.ty)
    }
}
