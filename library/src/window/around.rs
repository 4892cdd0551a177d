//! The padding [`Same`](super::Padding::Same) around tensors whose sizes are known only at the call.

use crate::{builder::Error, term::Term};
use iree_abi::{Extent, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{InferError, Op, Pad, Slice, spread},
};

/// What is missing along an axis so that there are as many windows as strides fit.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// The axis.
    pub(super) axis: usize,
    /// How far the next window is.
    pub(super) stride: usize,
    /// How many elements lie between the first and the last of a window, these included; at least 1.
    pub(super) reach: usize,
    /// How many elements are put between neighbours.
    pub(super) interior: usize,
}

/// A tensor with so much of a number around it as each says. No axis may be empty.
pub(super) fn padded<'x, V: Clone>(
    x: &Term<'x, V>,
    around: &[Around],
    number: &Term<'x, V>,
) -> Term<'x, V> {
    let padded = around.iter();
    padded.fold(x.clone(), |x, axis| axis.add(&x, number))
}

/// The same with a number that is known.
pub(super) fn padded_with<'x, V: Clone>(
    x: &Term<'x, V>,
    around: &[Around],
    number: Scalar,
) -> Term<'x, V> {
    if around.is_empty() {
        return x.clone();
    }
    let number = x.make_splat(number, &TensorType::new(x.dtype(), []));
    padded(x, around, &number)
}

impl Around {
    /// As much as could be missing is added, and of that taken what is.
    fn add<'x, V: Clone>(&self, x: &Term<'x, V>, number: &Term<'x, V>) -> Term<'x, V> {
        x.require_one_along(self.axis);
        let shape = x.shape();
        let Some(pad) = self.most(&shape) else {
            return x.failed(self.unknown(shape));
        };
        let padded = x.emit(Op::Pad(pad), &[number]);
        match self.part(&shape, &padded.shape()) {
            Some(part) => padded.emit(Op::Slice(part), &[]),
            None => padded.failed(self.unknown(shape)),
        }
    }

    fn unknown(&self, shape: Shape) -> Error {
        InferError::UnknownShape(shape).into()
    }

    /// As much as could be missing.
    fn most(&self, shape: &Shape) -> Option<Pad> {
        let mut pad = Pad {
            low: vec![0; shape.rank()],
            high: vec![0; shape.rank()],
            interior: vec![0; shape.rank()],
        };
        let most = i64::try_from(self.reach - 1).ok()?;
        *pad.low.get_mut(self.axis)? = most;
        *pad.high.get_mut(self.axis)? = most;
        *pad.interior.get_mut(self.axis)? = self.interior;
        Some(pad)
    }

    /// What of that is missing, with what was there before.
    fn part(&self, shape: &Shape, padded: &Shape) -> Option<Slice> {
        let size = spread(shape.dims().get(self.axis)?, self.interior)?;
        let (low, whole) = self.sizes(&size)?;
        let limit = padded.extents()?;
        let mut part = Slice {
            start: vec![Extent::from(0); limit.len()],
            stride: vec![1; limit.len()],
            limit,
        };
        let start = Extent::from(self.reach - 1).minus(&low)?;
        *part.limit.get_mut(self.axis)? = start.plus(&whole)?;
        *part.start.get_mut(self.axis)? = start;
        Some(part)
    }

    /// How much is missing before an axis of a size, which is not 0, and how large it is with what is missing.
    fn sizes(&self, size: &Extent) -> Option<(Extent, Extent)> {
        let (stride, reach) = (self.stride as i128, Extent::from(self.reach));
        let last = size.plus(&Extent::from(self.stride - 1))?.over(stride)?;
        let last = last.minus(&Extent::from(1))?;
        let whole = last.times(&Extent::constant(stride))?.plus(&reach)?;
        let mut missing = whole.minus(size)?;
        if self.reach < self.stride {
            // It is less than nothing where the last window ends before the axis does: by less than a stride.
            let is_positive = missing.plus(&Extent::constant(stride))?.over(stride)?;
            missing = missing.times(&is_positive)?;
        }
        Some((missing.over(2)?, whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_missing_as_of_known_sizes() {
        for (reach, stride) in [(2, 2), (3, 2), (2, 3), (3, 5), (5, 2), (4, 4), (7, 3)] {
            let around = Around {
                axis: 0,
                stride,
                reach,
                interior: 0,
            };
            let (low, whole) = around.sizes(&Extent::named("N")).unwrap();
            for size in 1..40usize {
                let last = (size.div_ceil(stride) - 1) * stride;
                let missing = (last + reach).saturating_sub(size);
                let at = |extent: &Extent| extent.evaluate(&|_| Some(size)).unwrap();
                assert_eq!(at(&low), (missing / 2) as i128, "{size} {reach} {stride}");
                assert_eq!(
                    at(&whole),
                    (last + reach) as i128,
                    "{size} {reach} {stride}"
                );
            }
        }
    }
}
