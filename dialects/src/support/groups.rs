use std::mem;

use smallvec::{SmallVec, smallvec};

/// What was given for the definitions of a list: all values in one list, as MLIR has them, and how many each definition has.
///
/// `N` values take no memory of their own.
#[derive(Debug)]
pub(super) struct Groups<T, const N: usize> {
    values: SmallVec<[T; N]>,
    /// Absent as long as there is one value for each of the first definitions, which is the usual case.
    sizes: Option<Box<Sizes>>,
}

type Sizes = SmallVec<[Option<u32>; 6]>;

impl<T, const N: usize> Groups<T, N> {
    #[inline]
    pub(super) fn new() -> Self {
        Self {
            values: SmallVec::new(),
            sizes: None,
        }
    }

    /// Gives a definition one value.
    #[inline]
    pub(super) fn set(&mut self, index: usize, value: T) {
        if self.sizes.is_none() && index == self.values.len() {
            self.values.push(value);
        } else {
            self.replace(index, [value]);
        }
    }

    /// Gives a definition a list of values instead of what it had.
    pub(super) fn replace(&mut self, index: usize, values: impl IntoIterator<Item = T>) {
        let (start, size) = (self.start(index), self.size(index));
        let ones = self.values.len();
        let sizes = (self.sizes).get_or_insert_with(|| Box::new(smallvec![Some(1); ones]));
        if sizes.len() <= index {
            sizes.resize(index + 1, None);
        }
        let behind: SmallVec<[T; N]> = self.values.drain(start..).skip(size).collect();
        self.values.extend(values);
        if let Some(slot) = sizes.get_mut(index) {
            *slot = u32::try_from(self.values.len() - start).ok();
        }
        self.values.extend(behind);
    }

    fn start(&self, index: usize) -> usize {
        (0..index).map(|index| self.size(index)).sum()
    }

    /// Whether each of a number of definitions was given something.
    #[inline]
    pub(super) fn is_complete(&self, count: usize) -> bool {
        match &self.sizes {
            None => self.values.len() == count,
            Some(_) => (0..count).all(|index| self.has(index)),
        }
    }

    /// Whether a definition was given something, be it an empty list.
    #[inline]
    pub(super) fn has(&self, index: usize) -> bool {
        match &self.sizes {
            None => index < self.values.len(),
            Some(sizes) => matches!(sizes.get(index), Some(Some(_))),
        }
    }

    /// How many values a definition has.
    #[inline]
    pub(super) fn size(&self, index: usize) -> usize {
        match &self.sizes {
            None => usize::from(index < self.values.len()),
            Some(sizes) => match sizes.get(index) {
                Some(Some(size)) => *size as usize,
                Some(None) | None => 0,
            },
        }
    }

    /// The values of a definition.
    pub(super) fn get(&self, index: usize) -> &[T] {
        let start = self.start(index);
        let values = self.values.get(start..start + self.size(index));
        values.unwrap_or_default()
    }

    /// The values of all definitions in order.
    #[inline]
    pub(super) fn all(&self) -> &[T] {
        &self.values
    }

    /// The same to have.
    pub(super) fn take(&mut self) -> Vec<T> {
        mem::take(&mut self.values).into_vec()
    }
}
