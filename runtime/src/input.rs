use crate::{Argument, Device, DeviceArray, DynamicArray, Element, Result};
use iree_abi::DType;
use ndarray::{ArrayBase, Data, Dimension};
use std::borrow::Cow;

/// An argument of a call whose types are checked at run time.
///
/// Implemented for [`DeviceArray`], [`DynamicArray`], arrays and views of [`ndarray`], nested arrays
/// such as `[[f32; 4]; 3]`, and scalars.
pub trait Input: sealed::Placed {}

pub(crate) mod sealed {
    use super::{Cow, DType, Device, DynamicArray, Result};

    pub trait Placed {
        /// The element type.
        fn dtype(&self) -> Result<DType>;

        /// The sizes along the axes.
        fn shape(&self) -> Cow<'_, [usize]>;

        /// The array's own device; `None` on the host.
        fn device(&self) -> Option<&Device>;

        /// The array on a device; copied there if it is on the host.
        fn place(&self, device: &Device) -> Result<Cow<'_, DynamicArray>>;
    }
}

use sealed::Placed;

impl Input for DynamicArray {}

impl Placed for DynamicArray {
    fn dtype(&self) -> Result<DType> {
        Self::dtype(self)
    }

    fn shape(&self) -> Cow<'_, [usize]> {
        Cow::Borrowed(Self::shape(self))
    }

    fn device(&self) -> Option<&Device> {
        Some(Self::device(self))
    }

    fn place(&self, _device: &Device) -> Result<Cow<'_, DynamicArray>> {
        Ok(Cow::Borrowed(self))
    }
}

impl<T: Element, D: Dimension> Input for DeviceArray<T, D> {}

impl<T: Element, D: Dimension> Placed for DeviceArray<T, D> {
    fn dtype(&self) -> Result<DType> {
        Ok(T::DTYPE)
    }

    fn shape(&self) -> Cow<'_, [usize]> {
        Cow::Borrowed(Self::shape(self))
    }

    fn device(&self) -> Option<&Device> {
        Some(Self::device(self))
    }

    fn place(&self, _device: &Device) -> Result<Cow<'_, DynamicArray>> {
        Ok(Cow::Borrowed(self.as_dynamic()))
    }
}

/// Host arrays: whatever a reference to it makes an [`Argument`].
macro_rules! host {
    ($($ty:ty, [$($generics:tt)*], |$this:ident| $argument:expr;)*) => {$(
        impl<T: Element, $($generics)*> Input for $ty {}

        impl<T: Element, $($generics)*> Placed for $ty {
            fn dtype(&self) -> Result<DType> {
                Ok(T::DTYPE)
            }

            fn shape(&self) -> Cow<'_, [usize]> {
                let $this = self;
                Cow::Owned($argument.shape().to_vec())
            }

            fn device(&self) -> Option<&Device> {
                None
            }

            fn place(&self, device: &Device) -> Result<Cow<'_, DynamicArray>> {
                let $this = self;
                $argument.place(device)
            }
        }
    )*};
}

host! {
    ArrayBase<S, D>, [S: Data<Elem = T>, D: Dimension], |array| Argument::from(array);
    [T; A], [const A: usize], |array| Argument::from(array);
    [[T; B]; A], [const A: usize, const B: usize], |array| Argument::from(array);
    [[[T; C]; B]; A], [const A: usize, const B: usize, const C: usize], |array| Argument::from(array);
    T, [], |value| Argument::from(*value);
}
