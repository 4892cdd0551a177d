//! The padding `"same"` around tensors whose sizes are known only at the call.

use super::{
    super::{tracer::Tracer, value::Tensor},
    OperationCall,
};
use iree_abi::{Extent, Shape};
use iree_dsl_ir::{
    Scalar,
    op::{Op, Pad, Slice, spread},
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

impl Around {
    /// The tensor with so much of a number around it as each says. No axis may be empty.
    pub(super) fn all(
        around: &[Self],
        tracer: &mut Tracer<'_>,
        call: &OperationCall<'_>,
        tensor: &Tensor,
        number: &Tensor,
    ) -> Option<Tensor> {
        let mut tensor = tensor.clone();
        for axis in around {
            tensor = axis.add(tracer, call, &tensor, number)?;
        }
        Some(tensor)
    }

    /// The same with a number that is known.
    pub(super) fn all_of(
        around: &[Self],
        tracer: &mut Tracer<'_>,
        call: &OperationCall<'_>,
        tensor: &Tensor,
        number: Scalar,
    ) -> Option<Tensor> {
        if around.is_empty() {
            return Some(tensor.clone());
        }
        let (dtype, shape) = (tensor.ty.dtype, Shape::default());
        let number = tracer
            .builder
            .splat(number, dtype, &shape, call.span)
            .ok()?;
        Self::all(around, tracer, call, tensor, &number)
    }

    /// As much as could be missing is added, and of that taken what is.
    fn add(
        &self,
        tracer: &mut Tracer<'_>,
        call: &OperationCall<'_>,
        tensor: &Tensor,
        number: &Tensor,
    ) -> Option<Tensor> {
        let size = tensor.ty.shape.dims().get(self.axis)?;
        tracer.require_one_along(size);
        let (low, whole) = self.sizes(&spread(size, self.interior)?)?;
        let most = self.reach - 1;
        let mut pad = Pad {
            low: vec![0; tensor.ty.shape.rank()],
            high: vec![0; tensor.ty.shape.rank()],
            interior: vec![0; tensor.ty.shape.rank()],
        };
        *pad.low.get_mut(self.axis)? = i64::try_from(most).ok()?;
        *pad.high.get_mut(self.axis)? = i64::try_from(most).ok()?;
        *pad.interior.get_mut(self.axis)? = self.interior;
        let operands = [tensor, number];
        let padded = tracer.emit_checked(Op::Pad(pad), &operands, call.name, call.span)?;

        let limit = padded.ty.shape.extents()?;
        let mut part = Slice {
            start: vec![Extent::from(0); limit.len()],
            stride: vec![1; limit.len()],
            limit,
        };
        let start = Extent::from(most).minus(&low)?;
        *part.limit.get_mut(self.axis)? = start.plus(&whole)?;
        *part.start.get_mut(self.axis)? = start;
        tracer.emit_checked(Op::Slice(part), &[&padded], call.name, call.span)
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
