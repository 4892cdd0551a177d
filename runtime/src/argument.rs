use crate::{Device, DeviceArray, DynamicArray, Element, Result};
use ndarray::{Array, ArrayBase, ArrayView, Data, Dim, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, arr0};
use std::borrow::Cow;

/// What a call accepts for an array: one on the device, which is not copied, or one on the host, which
/// is.
///
/// A reference to a [`DeviceArray`] lends it: the program copies what it updates in place. A [`DeviceArray`] is
/// given away: if nobody else has its memory, the program may use that for its results.
///
/// Made with `into()` from references to arrays of [`ndarray`], its views, a [`DeviceArray`] or a
/// reference to one, nested arrays such as `[[f32; 4]; 3]` or references to them, and scalars. Arrays of
/// the host are copied either way, so they are lent, not given.
///
/// # Examples
///
/// ```
/// use iree_runtime::Argument;
/// use ndarray::{Array2, Ix0, Ix2, array};
///
/// let array: Array2<f32> = array![[1.0, 2.0], [3.0, 4.0]];
/// let _: Argument<f32, Ix2> = (&array).into();
/// let _: Argument<f32, Ix2> = array.t().into();
/// let _: Argument<f32, Ix2> = [[1.0, 2.0], [3.0, 4.0]].into();
/// let _: Argument<f32, Ix0> = 1.0.into();
/// ```
pub struct Argument<'a, T, D>(Source<'a, T, D>);

enum Source<'a, T, D> {
    Scalar(T),
    Borrowed(ArrayView<'a, T, D>),
    Owned(Array<T, D>),
    Device(Cow<'a, DynamicArray>),
}

impl<'a, T: Element, D: Dimension> Argument<'a, T, D> {
    /// The sizes along the axes.
    pub fn shape(&self) -> &[usize] {
        match &self.0 {
            Source::Scalar(_) => &[],
            Source::Borrowed(view) => view.shape(),
            Source::Owned(array) => array.shape(),
            Source::Device(array) => array.shape(),
        }
    }

    /// The device that the array is on; `None` on the host.
    pub fn device(&self) -> Option<&Device> {
        match &self.0 {
            Source::Device(array) => Some(array.device()),
            _ => None,
        }
    }

    /// The array on a device; copied there unless it is on any device.
    pub(crate) fn place(self, device: &Device) -> Result<Cow<'a, DynamicArray>> {
        let uploaded = match self.0 {
            Source::Device(array) => return Ok(array),
            Source::Scalar(value) => DynamicArray::upload(device, &arr0(value).view())?,
            Source::Borrowed(view) => DynamicArray::upload(device, &view)?,
            Source::Owned(array) => DynamicArray::upload(device, &array.view())?,
        };
        Ok(Cow::Owned(uploaded))
    }

    /// The array on this device; copied there unless it is there.
    pub(crate) fn into_device_array(self, device: &Device) -> Result<DeviceArray<T, D>> {
        let elsewhere = self.device().is_some_and(|other| other != device);
        let array = self.place(device)?.into_owned();
        let array = DeviceArray::from_dynamic(array);
        if elsewhere {
            let view = array.view()?;
            return DynamicArray::upload(device, &view.view()).map(DeviceArray::from_dynamic);
        }
        Ok(array)
    }
}

impl<'a, T: Element, D: Dimension> From<&'a DeviceArray<T, D>> for Argument<'a, T, D> {
    fn from(array: &'a DeviceArray<T, D>) -> Self {
        Self(Source::Device(Cow::Borrowed(array.as_dynamic())))
    }
}

impl<T: Element, D: Dimension> From<DeviceArray<T, D>> for Argument<'_, T, D> {
    fn from(array: DeviceArray<T, D>) -> Self {
        Self(Source::Device(Cow::Owned(array.into_dynamic())))
    }
}

impl<'a, T: Element, D: Dimension> From<ArrayView<'a, T, D>> for Argument<'a, T, D> {
    fn from(view: ArrayView<'a, T, D>) -> Self {
        Self(Source::Borrowed(view))
    }
}

impl<'a, T, S, D> From<&'a ArrayBase<S, D>> for Argument<'a, T, D>
where
    T: Element,
    S: Data<Elem = T>,
    D: Dimension,
{
    fn from(array: &'a ArrayBase<S, D>) -> Self {
        Self(Source::Borrowed(array.view()))
    }
}

impl<T: Element> From<T> for Argument<'_, T, Ix0> {
    fn from(value: T) -> Self {
        Self(Source::Scalar(value))
    }
}

/// The elements of nested arrays, one after the other.
fn flat1<T, const A: usize>(array: &[T; A]) -> &[T] {
    array
}

fn flat2<T, const A: usize, const B: usize>(array: &[[T; B]; A]) -> &[T] {
    array.as_flattened()
}

fn flat3<T, const A: usize, const B: usize, const C: usize>(array: &[[[T; C]; B]; A]) -> &[T] {
    array.as_flattened().as_flattened()
}

fn flat4<T, const A: usize, const B: usize, const C: usize, const E: usize>(
    array: &[[[[T; E]; C]; B]; A],
) -> &[T] {
    array.as_flattened().as_flattened().as_flattened()
}

macro_rules! nested {
    ($($dimension:ty: $nested:ty, [$($size:ident)*], $flat:ident;)*) => {$(
        impl<T: Element, $(const $size: usize),*> From<$nested> for Argument<'_, T, $dimension> {
            fn from(array: $nested) -> Self {
                Self(Source::Owned(view_of(Dim([$($size),*]), $flat(&array)).to_owned()))
            }
        }

        impl<'a, T: Element, $(const $size: usize),*> From<&'a $nested>
            for Argument<'a, T, $dimension>
        {
            fn from(array: &'a $nested) -> Self {
                Self(Source::Borrowed(view_of(Dim([$($size),*]), $flat(array))))
            }
        }
    )*};
}

nested! {
    Ix1: [T; A], [A], flat1;
    Ix2: [[T; B]; A], [A B], flat2;
    Ix3: [[[T; C]; B]; A], [A B C], flat3;
    Ix4: [[[[T; E]; C]; B]; A], [A B C E], flat4;
}

fn view_of<T, D: Dimension>(sizes: D, elements: &[T]) -> ArrayView<'_, T, D> {
    ArrayView::from_shape(sizes, elements).expect("nested arrays have as many elements as they say")
}
