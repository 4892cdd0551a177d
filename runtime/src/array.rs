use crate::{Device, DynamicArray, Element, Error, Result, ffi::Mapped, npy};
use iree_abi::TensorType;
use ndarray::{Array, ArrayRef, ArrayViewMut, Dimension, Ix0};
use std::{fmt, marker::PhantomData, ops::Deref, path::Path};

/// An array that lives on a device.
///
/// Arrays never change: a program that stores to a global keeps a copy of its own, and memory that it is
/// given to write to is nobody else's. So a clone is the same memory, and an array stays what it is after the
/// program that returned it goes on or is dropped.
///
/// The elements may not be computed yet when a call returns; what reads them waits for them. See
/// [`Wait`](crate::Wait).
///
/// # Examples
///
/// ```
/// use iree_runtime::Device;
/// use ndarray::arr1;
///
/// let device = Device::open("local-sync")?;
/// let array = device.upload(&arr1(&[1, 2, 3]))?;
/// assert_eq!(array.view()?.sum(), 6);
/// assert_eq!(array.to_array()?, arr1(&[1, 2, 3]));
/// assert_eq!(array.to_string(), "[1, 2, 3]");
/// # Ok::<(), iree_runtime::Error>(())
/// ```
pub struct DeviceArray<T, D> {
    raw: DynamicArray,
    ty: PhantomData<fn() -> (T, D)>,
}

impl<T: Element, D: Dimension> DeviceArray<T, D> {
    /// Wraps an array whose element type and rank were checked.
    pub(crate) const fn from_dynamic(raw: DynamicArray) -> Self {
        Self {
            raw,
            ty: PhantomData,
        }
    }

    /// The sizes along the axes.
    pub fn shape(&self) -> &[usize] {
        self.raw.shape()
    }

    /// The device that the array is on.
    pub const fn device(&self) -> &Device {
        self.raw.device()
    }

    /// The array without its type in Rust's type system.
    pub const fn as_dynamic(&self) -> &DynamicArray {
        &self.raw
    }

    /// The array without its type in Rust's type system.
    pub fn into_dynamic(self) -> DynamicArray {
        self.raw
    }

    /// Copies the array to the host.
    ///
    /// # Errors
    ///
    /// If the memory cannot be read.
    pub fn to_array(&self) -> Result<Array<T, D>> {
        Ok(self.view()?.to_owned())
    }

    /// Copies the array to storage of the caller, in any memory order, and allocates nothing on the host.
    ///
    /// # Errors
    ///
    /// [`Error::ArrayType`] if the storage has another shape, or if the memory cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_runtime::Device;
    /// use ndarray::{Array2, array};
    ///
    /// let device = Device::open("local-sync")?;
    /// let array = device.upload([[1, 2], [3, 4]])?;
    /// let mut storage = Array2::zeros((2, 2));
    /// array.read_into(storage.view_mut().reversed_axes())?;
    /// assert_eq!(storage, array![[1, 3], [2, 4]]);
    /// # Ok::<(), iree_runtime::Error>(())
    /// ```
    pub fn read_into<'s>(&self, storage: impl Into<ArrayViewMut<'s, T, D>>) -> Result<()>
    where
        T: 's,
    {
        let mut storage = storage.into();
        if storage.shape() != self.shape() {
            return Err(Error::ArrayType {
                expected: Box::new(TensorType::new(T::DTYPE, storage.shape())),
                given: Box::new(self.ty()),
            });
        }
        storage.assign(&*self.view()?);
        Ok(())
    }

    /// The array in place, without a copy where the host reaches the memory; that of most GPUs is copied.
    ///
    /// # Errors
    ///
    /// If the memory cannot be read.
    pub fn view(&self) -> Result<View<'_, T, D>> {
        let mapping = self.raw.map()?;
        let dimension = dimension_of::<D>(self.shape());
        Mapped::new(mapping, dimension)
            .map(View)
            .ok_or(Error::Contents { dtype: T::DTYPE })
    }

    /// Writes the array to a file in NumPy's format.
    ///
    /// NumPy has no bf16 of its own: such arrays are written as two-byte values, `|V2`, which is what
    /// its `ml_dtypes` extension does.
    ///
    /// # Errors
    ///
    /// If the memory cannot be read or the file not written.
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let mapping = self.raw.map()?;
        npy::save(path, T::DTYPE, self.shape(), mapping.bytes()).map_err(|source| Error::Io {
            action: "write",
            path: path.to_owned(),
            source,
        })
    }

    pub(crate) fn ty(&self) -> TensorType {
        TensorType::new(T::DTYPE, self.shape())
    }
}

impl<T: Element> DeviceArray<T, Ix0> {
    /// The value of an array without axes.
    ///
    /// # Errors
    ///
    /// If the memory cannot be read.
    pub fn to_scalar(&self) -> Result<T> {
        Ok(*self.view()?.first().unwrap_or(&T::default()))
    }
}

fn dimension_of<D: Dimension>(shape: &[usize]) -> D {
    let mut dimension = D::zeros(shape.len());
    dimension.slice_mut().copy_from_slice(shape);
    dimension
}

impl<T, D> Clone for DeviceArray<T, D> {
    fn clone(&self) -> Self {
        Self {
            raw: self.raw.clone(),
            ty: PhantomData,
        }
    }
}

impl<T: Element, D: Dimension> fmt::Debug for DeviceArray<T, D> {
    /// Writes the elements as [`ndarray`] does, which leaves most of them out of large arrays, or the
    /// type if they cannot be read.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view() {
            Ok(view) => fmt::Debug::fmt(&view, formatter),
            Err(_) => write!(formatter, "{} on {}", self.ty(), self.device().name()),
        }
    }
}

impl<T: Element, D: Dimension> fmt::Display for DeviceArray<T, D> {
    /// Writes the elements as [`ndarray`] does.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let view = self.view().map_err(|_| fmt::Error)?;
        fmt::Display::fmt(&*view, formatter)
    }
}

/// A [`DeviceArray`] in place, which can be read like an array of [`ndarray`].
pub struct View<'a, T, D>(Mapped<'a, T, D>);

impl<T: Element, D: Dimension> Deref for View<'_, T, D> {
    type Target = ArrayRef<T, D>;

    fn deref(&self) -> &Self::Target {
        self.0.array()
    }
}

impl<T: Element, D: Dimension> fmt::Debug for View<'_, T, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}
