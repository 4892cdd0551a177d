use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        value::{Tensor, Value},
    },
    Selector, part_shape,
    read::reversed_axes,
    window,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::op::{BinaryOp, Broadcast, CompareOp, Iota, Op};

impl Tracer<'_> {
    /// The tensor with a part replaced by a value, which is broadcast to it.
    pub(crate) fn write_part(
        &mut self,
        tensor: Tensor,
        selectors: &[Selector],
        value: (Value, SpanId),
        span: SpanId,
    ) -> Option<Tensor> {
        let value = self.part_value(&tensor, selectors, value)?;
        let value = self.reshaped(value, window(selectors.iter())?, span)?;
        let contents = self.window_contents(&tensor, selectors, value, span)?;
        let first = |selector: &Selector| match selector {
            Selector::At(place) => place.clone(),
            Selector::Range { start, .. } => start.clone(),
            Selector::Computed(_) => Extent::from(0),
        };
        self.require_places(&tensor, selectors)?;
        let starts = self.starts(selectors, first, span)?;
        let operands: Vec<_> = [&tensor, &contents].into_iter().chain(&starts).collect();
        self.emit_checked(Op::DynamicUpdateSlice, &operands, "=", span)
    }

    /// What is assigned, with the element type of the tensor and the shape of the part.
    fn part_value(
        &mut self,
        tensor: &Tensor,
        selectors: &[Selector],
        (value, span): (Value, SpanId),
    ) -> Option<Tensor> {
        let shape = part_shape(selectors)?;
        let dtype = tensor.ty.dtype;
        let value = self.tensor_like((value, span), (dtype, &shape), "the assigned value")?;
        let value = match value.ty.dtype == dtype {
            true => Some(value),
            false => self.adapt(&value, dtype, span).or_else(|| {
                let message = format!("the part needs elements of `{dtype}`, found `{}`", value.ty);
                let help = format!("convert it: `as {dtype}`");
                self.report(Diagnostic::new(Code::DTypeMismatch, span, message).help(help));
                None
            }),
        };
        self.broadcast_to(value?, &shape, "=", span)
    }

    /// What stands in the smallest window around a part once a value is assigned to the part: the value,
    /// and between its places what was there.
    fn window_contents(
        &mut self,
        tensor: &Tensor,
        selectors: &[Selector],
        value: Tensor,
        span: SpanId,
    ) -> Option<Tensor> {
        let mut spread = value;
        for (axis, selector) in selectors.iter().enumerate() {
            if let Selector::Range {
                step: step @ 2.., ..
            } = selector
            {
                let size = selector.contiguous().size()?;
                spread = self.spread(spread, axis, (*step, &size), span)?;
            }
        }
        let reversed = reversed_axes(selectors);
        if !reversed.is_empty() {
            spread = self.emit_checked(Op::Reverse(reversed), &[&spread], "=", span)?;
        }
        let Some(mask) = self.taken(selectors, &spread.ty.shape, span)? else {
            return Some(spread);
        };
        let around: Vec<_> = selectors.iter().map(Selector::contiguous).collect();
        let old = self.window_part(tensor.clone(), &around, span)?;
        self.emit_checked(Op::Select, &[&mask, &spread, &old], "=", span)
    }

    /// Each element so many times in a row along an axis, as far as the axis goes.
    fn spread(
        &mut self,
        value: Tensor,
        axis: usize,
        (step, size): (usize, &Dim),
        span: SpanId,
    ) -> Option<Tensor> {
        let mut dims = value.ty.shape.dims().to_vec();
        let longer = dims.get(axis)?.extent()?.times(&Extent::from(step))?;
        dims.insert(axis + 1, Dim::Static(step));
        let op = Op::Broadcast(Broadcast {
            shape: Shape::new(dims.clone()),
            axes: (0..dims.len()).filter(|kept| *kept != axis + 1).collect(),
        });
        let value = self.emit_checked(op, &[&value], "=", span)?;
        dims.remove(axis + 1);
        *dims.get_mut(axis)? = Dim::from_extent(longer)?;
        let value = self.reshaped(value, Shape::new(dims), span)?;
        let mut ends = value.ty.shape.extents()?;
        *ends.get_mut(axis)? = size.extent()?;
        let bounds = ends.into_iter().map(|end| (Extent::from(0), end, 1));
        self.sliced(value, bounds.collect(), span)
    }

    /// Where a window has places of the part; nothing if that is everywhere.
    fn taken(
        &mut self,
        selectors: &[Selector],
        shape: &Shape,
        span: SpanId,
    ) -> Option<Option<Tensor>> {
        let mut taken: Option<Tensor> = None;
        for (axis, selector) in selectors.iter().enumerate() {
            if let Selector::Range {
                step: step @ 2..,
                reversed,
                ..
            } = selector
            {
                let along = self.every(*step, *reversed, shape.dims().get(axis)?, span)?;
                let op = Op::Broadcast(Broadcast {
                    shape: shape.clone(),
                    axes: vec![axis],
                });
                let along = self.emit_checked(op, &[&along], "=", span)?;
                taken = Some(match taken {
                    Some(others) => {
                        let and = Op::Binary(BinaryOp::And);
                        self.emit_checked(and, &[&others, &along], "=", span)?
                    }
                    None => along,
                });
            }
        }
        Some(taken)
    }

    /// The truth at every so many places of an axis, from its start or its end.
    fn every(&mut self, step: usize, from_end: bool, size: &Dim, span: SpanId) -> Option<Tensor> {
        let ty = TensorType::new(DType::I32, Shape::new(vec![size.clone()]));
        let shape = ty.shape.clone();
        let index = self.emit_checked(Op::Iota(Iota { ty, axis: 0 }), &[], "=", span)?;
        let [step, zero] = [step as i128, 0].map(Static::integer);
        let step = self.constant(step, DType::I32, &shape, span)?;
        let zero = self.constant(zero, DType::I32, &shape, span)?;
        let remainder = Op::Binary(BinaryOp::Remainder);
        let rest = self.emit_checked(remainder, &[&index, &step], "=", span)?;
        let equal = Op::Compare(CompareOp::Equal);
        let taken = self.emit_checked(equal, &[&rest, &zero], "=", span)?;
        match from_end {
            true => self.emit_checked(Op::Reverse(vec![0]), &[&taken], "=", span),
            false => Some(taken),
        }
    }
}
