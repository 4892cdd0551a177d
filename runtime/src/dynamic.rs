use crate::{
    Device, DeviceArray, Element, Error, HostArray, Pending, Result,
    element::{code_of, dtype_of, is_stored_as},
    ffi::{BufferView, IreeError, Mapping, as_bytes},
};
use iree_abi::{DType, Dim, Shape, TensorType};
use ndarray::{ArrayView, Dimension};
use std::fmt;

/// An array on a device whose type is known only at run time.
///
/// Arrays never change; a clone is the same memory.
#[derive(Clone)]
pub struct DynamicArray {
    // Dropped before the device.
    view: BufferView,
    /// What computes the elements, if they are not there yet.
    pending: Option<Pending>,
    device: Device,
}

impl DynamicArray {
    pub(crate) const fn new(view: BufferView, device: Device) -> Self {
        Self {
            view,
            pending: None,
            device,
        }
    }

    /// An array that a call computes.
    pub(crate) fn after(self, pending: Option<Pending>) -> Self {
        Self { pending, ..self }
    }

    /// What computes the elements, if they were not there when the call returned.
    pub(crate) const fn pending(&self) -> Option<&Pending> {
        self.pending.as_ref()
    }

    /// Waits until the elements are computed. What reads them waits too.
    ///
    /// # Errors
    ///
    /// [`Error::Call`] if the call failed that computes them.
    pub fn wait(&self) -> Result<()> {
        self.pending.as_ref().map_or(Ok(()), Pending::wait)
    }

    /// Copies an array to a device.
    pub(crate) fn upload<T: Element, D: Dimension>(
        device: &Device,
        array: &ArrayView<'_, T, D>,
    ) -> Result<Self> {
        let standard = array.as_standard_layout();
        let values = standard
            .as_slice()
            .expect("the standard layout has no gaps");
        Self::of_bytes(device, T::DTYPE, array.shape(), as_bytes(values))
    }

    /// Copies the elements of an array to a device.
    pub(crate) fn of_bytes(
        device: &Device,
        dtype: DType,
        shape: &[usize],
        bytes: &[u8],
    ) -> Result<Self> {
        let _span = tracing::debug_span!("upload", bytes = bytes.len()).entered();
        let view = BufferView::create(device.handle(), shape, code_of(dtype), bytes).map_err(
            |source| Error::Transfer {
                action: "upload",
                source,
            },
        )?;
        Ok(Self::new(view, device.clone()))
    }

    /// A copy on the host. `declared` is the element type in the source, if it is known: devices know integers
    /// without a sign.
    ///
    /// # Errors
    ///
    /// If the memory cannot be read.
    pub fn to_host(&self, declared: Option<DType>) -> Result<HostArray> {
        let _span = tracing::debug_span!("read").entered();
        self.wait()?;
        HostArray::of(&self.view, declared).map_err(|source| Error::Transfer {
            action: "read",
            source,
        })
    }

    /// The sizes along the axes.
    pub fn shape(&self) -> &[usize] {
        self.view.shape()
    }

    /// The type of the elements; integers without a sign count as signed.
    ///
    /// # Errors
    ///
    /// If the type is one that the language does not have.
    pub fn dtype(&self) -> Result<DType> {
        let code = self.view.element_type();
        dtype_of(code).ok_or(Error::ElementType { code })
    }

    /// The device that the array is on.
    pub const fn device(&self) -> &Device {
        &self.device
    }

    /// The array with its type in Rust's type system.
    ///
    /// # Errors
    ///
    /// [`Error::ArrayType`] if element type or number of axes differ.
    pub fn downcast<T: Element, D: Dimension>(&self) -> Result<DeviceArray<T, D>> {
        self.clone().into_typed()
    }

    pub(crate) fn into_typed<T: Element, D: Dimension>(self) -> Result<DeviceArray<T, D>> {
        let same_rank = D::NDIM.is_none_or(|rank| rank == self.shape().len());
        if same_rank && is_stored_as(T::DTYPE, self.view.element_type()) {
            return Ok(DeviceArray::from_dynamic(self));
        }
        let rank = D::NDIM.unwrap_or(self.shape().len());
        let any = vec![Dim::Any; rank];
        Err(Error::ArrayType {
            expected: Box::new(TensorType::new(T::DTYPE, Shape::new(any))),
            given: Box::new(TensorType::new(self.dtype()?, self.shape())),
        })
    }

    /// The same elements in memory of their own.
    pub(crate) fn copy(&self) -> Result<Self> {
        self.wait()?;
        let view = self.view.copy(self.device.handle()).map_err(not_copied)?;
        Ok(Self::new(view, self.device.clone()))
    }

    /// The same elements in memory that nobody else sees and that may be written to: this memory, if that
    /// is so, else a copy.
    pub(crate) fn into_exclusive(self) -> Result<Self> {
        // Until then the call has the memory too.
        self.wait()?;
        let Self { view, device, .. } = self;
        let view = view.into_exclusive(device.handle()).map_err(not_copied)?;
        Ok(Self::new(view, device))
    }

    pub(crate) fn into_view(self) -> BufferView {
        self.view
    }

    pub(crate) const fn buffer_view(&self) -> &BufferView {
        &self.view
    }

    pub(crate) fn map(&self) -> Result<Mapping<'_>> {
        let _span = tracing::debug_span!("read").entered();
        self.wait()?;
        self.view.map().map_err(|source| Error::Transfer {
            action: "read",
            source,
        })
    }
}

#[cold]
fn not_copied(source: IreeError) -> Error {
    Error::Transfer {
        action: "copy",
        source,
    }
}

impl fmt::Debug for DynamicArray {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("DynamicArray");
        match self.dtype() {
            Ok(dtype) => debug.field("dtype", &dtype),
            Err(_) => debug.field("dtype", &self.view.element_type()),
        };
        debug
            .field("shape", &self.shape())
            .field("device", &self.device)
            .finish()
    }
}
