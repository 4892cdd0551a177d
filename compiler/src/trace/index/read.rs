use super::{
    super::{statics::Static, tracer::Tracer, value::Tensor},
    Selector, part_shape, window,
};
use crate::span::SpanId;
use iree_abi::{DType, Extent, Shape};
use iree_dsl_ir::op::{DynamicSlice, Op, Slice};

impl Tracer<'_> {
    /// The part of a tensor.
    pub(crate) fn read_part(
        &mut self,
        tensor: Tensor,
        selectors: &[Selector],
        span: SpanId,
    ) -> Option<Tensor> {
        let part = self.window_part(tensor, selectors, span)?;
        self.reshaped(part, part_shape(selectors)?, span)
    }

    /// The part of a tensor, with an axis of size 1 for each place that is one.
    pub(super) fn window_part(
        &mut self,
        tensor: Tensor,
        selectors: &[Selector],
        span: SpanId,
    ) -> Option<Tensor> {
        let fixed = self.fixed_part(tensor, selectors, span)?;
        self.computed_part(fixed, selectors, span)
    }

    /// What is known beforehand.
    fn fixed_part(
        &mut self,
        tensor: Tensor,
        selectors: &[Selector],
        span: SpanId,
    ) -> Option<Tensor> {
        let sizes = tensor.ty.shape.extents()?;
        let bounds = selectors.iter().zip(sizes).map(|(selector, size)| {
            Some(match selector {
                Selector::At(place) => (place.clone(), place.plus(&Extent::from(1))?, 1),
                Selector::Computed(_) => (Extent::from(0), size, 1),
                Selector::Range {
                    start,
                    end,
                    step,
                    reversed,
                } => {
                    let step = if *reversed { 1 } else { *step };
                    (start.clone(), end.clone(), step)
                }
            })
        });
        let part = self.sliced(tensor, bounds.collect::<Option<_>>()?, span)?;
        let reversed = reversed_axes(selectors);
        if reversed.is_empty() {
            return Some(part);
        }
        let part = self.emit_checked(Op::Reverse(reversed), &[&part], "[]", span)?;
        let sizes = part.ty.shape.extents()?;
        let bounds = selectors.iter().zip(sizes).map(|(selector, size)| {
            let step = match selector {
                Selector::Range {
                    step,
                    reversed: true,
                    ..
                } => *step,
                _ => 1,
            };
            (Extent::from(0), size, step)
        });
        self.sliced(part, bounds.collect(), span)
    }

    /// Every so many places from one to before another along each axis.
    pub(super) fn sliced(
        &mut self,
        tensor: Tensor,
        bounds: Vec<(Extent, Extent, usize)>,
        span: SpanId,
    ) -> Option<Tensor> {
        let sizes = tensor.ty.shape.extents()?;
        let mut slice = Slice {
            start: Vec::new(),
            limit: Vec::new(),
            stride: Vec::new(),
        };
        for (start, limit, stride) in bounds {
            slice.start.push(start);
            slice.limit.push(limit);
            slice.stride.push(stride);
        }
        let whole = slice.start.iter().all(|start| start.known() == Some(0))
            && slice.limit == sizes
            && slice.stride.iter().all(|stride| *stride == 1);
        match whole {
            true => Some(tensor),
            false => self.emit_checked(Op::Slice(slice), &[&tensor], "[]", span),
        }
    }

    /// What the program computes, of the part that is known.
    fn computed_part(
        &mut self,
        tensor: Tensor,
        selectors: &[Selector],
        span: SpanId,
    ) -> Option<Tensor> {
        let computed = |selector: &Selector| matches!(selector, Selector::Computed(_));
        if !selectors.iter().any(computed) {
            return Some(tensor);
        }
        let sizes = window(selectors.iter())?;
        self.require_places(&tensor, selectors)?;
        let starts = self.starts(selectors, |_| Extent::from(0), span)?;
        let operands: Vec<_> = std::iter::once(&tensor).chain(&starts).collect();
        self.emit_checked(
            Op::DynamicSlice(DynamicSlice { sizes }),
            &operands,
            "[]",
            span,
        )
    }

    /// Requires at the call that there is a place where the program names one. Only the program knows whether
    /// it gets to what stands in a branch or a loop.
    pub(super) fn require_places(&mut self, tensor: &Tensor, selectors: &[Selector]) -> Option<()> {
        if self.builder.depth() > 1 {
            return Some(());
        }
        let sizes = tensor.ty.shape.extents()?;
        for (selector, size) in selectors.iter().zip(sizes) {
            if matches!(selector, Selector::Computed(_)) && size.known().is_none() {
                self.require_order(&Extent::from(1), &size);
            }
        }
        Some(())
    }

    /// Where a window starts along each axis.
    pub(super) fn starts(
        &mut self,
        selectors: &[Selector],
        known: impl Fn(&Selector) -> Extent,
        span: SpanId,
    ) -> Option<Vec<Tensor>> {
        let starts = selectors.iter().map(|selector| match selector {
            Selector::Computed(place) => Some(place.clone()),
            selector => self.place_tensor(known(selector), span),
        });
        starts.collect()
    }

    /// A place as the number that windows start at.
    pub(crate) fn place_tensor(&mut self, place: Extent, span: SpanId) -> Option<Tensor> {
        match place.known() {
            Some(place) => {
                let place = Static::integer(place);
                self.constant(place, DType::I32, &Shape::default(), span)
            }
            None => self.size_tensor(place, DType::I32, span),
        }
    }

    pub(super) fn reshaped(
        &mut self,
        tensor: Tensor,
        shape: Shape,
        span: SpanId,
    ) -> Option<Tensor> {
        match tensor.ty.shape == shape {
            true => Some(tensor),
            false => self.emit_checked(Op::Reshape(shape), &[&tensor], "[]", span),
        }
    }
}

/// The axes along which the last place comes first.
pub(super) fn reversed_axes(selectors: &[Selector]) -> Vec<usize> {
    let axes = selectors.iter().enumerate();
    let axes =
        axes.filter(|(_, selector)| matches!(selector, Selector::Range { reversed: true, .. }));
    axes.map(|(axis, _)| axis).collect()
}
