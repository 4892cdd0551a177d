use super::{Mapping, Plain};
use ndarray::{ArrayRef, ArrayView, Dimension};

/// Device memory that is read as an array.
pub(crate) struct Mapped<'a, T, D> {
    // Never handed out by value: it does not know that the mapping ends when `self` is dropped.
    array: ArrayView<'a, T, D>,
    _mapping: Mapping<'a>,
}

impl<'a, T: Plain, D: Dimension> Mapped<'a, T, D> {
    /// `None` if the memory does not hold as many values of this type.
    pub(crate) fn new(mapping: Mapping<'a>, dimension: D) -> Option<Self> {
        let values: *const [T] = mapping.values::<T>()?;
        // SAFETY: the memory stays mapped as long as the mapping, which is kept beside the slice and
        // whose place in memory does not matter.
        let values: &'a [T] = unsafe { &*values };
        let array = ArrayView::from_shape(dimension, values).ok()?;
        Some(Self {
            array,
            _mapping: mapping,
        })
    }

    pub(crate) fn array(&self) -> &ArrayRef<T, D> {
        &self.array
    }
}
