//! Parts of tensors: `x[i]`, `x[(i, j)]`, `x[s![1..3, .., 0, ..;2]]`, read and written.
//!
//! Indices that are known are checked, and count from the end if negative. Indices that the program
//! computes are moved into the tensor.

use super::{
    frame::Flow,
    statics::{Static, StaticType},
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{Argument, Expr, ExprKind},
    diagnostic::{Code, Diagnostic},
    op::{BinaryOp, DynamicSlice, Op, Slice},
    span::SpanId,
};
use iree_abi::{DType, Shape};

/// What is taken along one axis.
#[derive(Clone, Debug)]
pub(crate) enum Selector {
    /// One place; the axis disappears.
    At(usize),
    /// One place that the program computes, as `i32`; the axis disappears.
    Computed(Tensor),
    /// Every `step`th place from one to before another.
    Range {
        /// The first place.
        start: usize,
        /// The end.
        end: usize,
        /// The distance between places.
        step: usize,
    },
}

impl Selector {
    /// How many places are taken.
    const fn size(&self) -> usize {
        match self {
            Self::At(_) | Self::Computed(_) => 1,
            Self::Range { start, end, step } => (*end - *start).div_ceil(*step),
        }
    }

    const fn keeps_axis(&self) -> bool {
        matches!(self, Self::Range { .. })
    }
}

impl Tracer<'_> {
    /// What an index takes along each axis of a tensor; `None` if it was reported to be wrong.
    pub(crate) fn selectors(
        &mut self,
        tensor: &Tensor,
        index: &Expr,
    ) -> Flow<Option<Vec<Selector>>> {
        let sizes = tensor.ty.shape.known().unwrap_or_default();
        let parts = match &index.kind {
            ExprKind::Macro {
                name, positional, ..
            } if name.text() == "s" => positional.clone(),
            ExprKind::Tuple(items) => items.iter().map(plain).collect(),
            _ => vec![plain(index)],
        };
        if parts.len() > sizes.len() {
            let axes = super::resolve::count(sizes.len(), "axis").replace("axiss", "axes");
            let message = format!("{} indices for a tensor with {axes}", parts.len());
            self.error(Code::Index, index.span, message);
            return Ok(None);
        }
        let mut selectors = Vec::with_capacity(sizes.len());
        for (axis, size) in sizes.into_iter().enumerate() {
            let selector = match parts.get(axis) {
                Some(part) => self.selector(part, axis, size)?,
                None => Some(all(size)),
            };
            let Some(selector) = selector else {
                return Ok(None);
            };
            selectors.push(selector);
        }
        Ok(Some(selectors))
    }

    fn selector(&mut self, part: &Argument, axis: usize, size: usize) -> Flow<Option<Selector>> {
        let span = part.value.span;
        if let ExprKind::Range {
            start,
            end,
            inclusive,
        } = &part.value.kind
        {
            let start = self.bound(start.as_deref(), 0, size)?;
            let end = self.bound(end.as_deref(), size, size)?;
            let step = match &part.step {
                Some(step) => self.static_size(step, "a step"),
                None => Some(1),
            };
            let (Some(start), Some(end), Some(step)) = (start, end, step) else {
                return Ok(None);
            };
            let end = end + usize::from(*inclusive);
            if step == 0 {
                let span = part.step.as_ref().map_or(span, |step| step.span);
                self.error(Code::Index, span, "a step cannot be 0");
                return Ok(None);
            }
            if start > end || end > size {
                let message =
                    format!("the range does not fit the axis {axis}, which has the size {size}");
                self.error(Code::Index, span, message);
                return Ok(None);
            }
            return Ok(Some(Selector::Range { start, end, step }));
        }
        let value = self.expr(&part.value, None)?;
        Ok(match value {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => self.computed(tensor, size, span),
            value => {
                let place = self.known_place(&value, size, span);
                if let Some(place) = place
                    && place >= size
                {
                    self.outside(place as i128, axis, size, span);
                    return Ok(None);
                }
                place.map(Selector::At)
            }
        })
    }

    fn bound(&mut self, expr: Option<&Expr>, open: usize, size: usize) -> Flow<Option<usize>> {
        let Some(expr) = expr else {
            return Ok(Some(open));
        };
        let value = self.expr(expr, None)?;
        if let Value::Leaf(ValueLeaf::Tensor(tensor)) = &value {
            let message = format!(
                "the ends of a range must be known while building, found `{}`",
                tensor.ty
            );
            let diagnostic = Diagnostic::new(Code::NotStatic, expr.span, message);
            self.report(
                diagnostic
                    .help("take a window of a fixed size: `x.dynamic_slice(starts, [sizes])`"),
            );
            return Ok(None);
        }
        Ok(self.known_place(&value, size, expr.span))
    }

    /// An index that is known, counted from the end if negative.
    fn known_place(&mut self, value: &Value, size: usize, span: SpanId) -> Option<usize> {
        let number = match value {
            Value::Leaf(ValueLeaf::Static(number)) => number.as_integer(),
            _ => None,
        };
        let Some(number) = number else {
            if !value.is_poisoned() {
                let message = format!("an index must be an integer, found `{}`", value.ty());
                self.error(Code::Index, span, message);
            }
            return None;
        };
        let place = if number < 0 {
            number + size as i128
        } else {
            number
        };
        let found = usize::try_from(place).ok();
        if found.is_none() {
            let message =
                format!("the index {number} is before the start of an axis of size {size}");
            self.error(Code::Index, span, message);
        }
        found
    }

    fn outside(&mut self, place: i128, axis: usize, size: usize, span: SpanId) {
        let message =
            format!("there is no index {place} along the axis {axis}, which has the size {size}");
        self.error(Code::Index, span, message);
    }

    fn computed(&mut self, tensor: Tensor, size: usize, span: SpanId) -> Option<Selector> {
        if size == 0 {
            self.error(Code::Index, span, "an axis of size 0 has no places");
            return None;
        }
        self.computed_place(tensor, size, span)
            .map(Selector::Computed)
    }

    /// An index that the program computes, as `i32`. One that `i32` may not hold is moved into the axis
    /// first.
    pub(crate) fn computed_place(
        &mut self,
        tensor: Tensor,
        size: usize,
        span: SpanId,
    ) -> Option<Tensor> {
        let dtype = tensor.ty.dtype;
        if tensor.ty.shape.rank() != 0 || !dtype.is_integer() {
            let message = format!("an index must be an integer, found `{}`", tensor.ty);
            self.error(Code::Index, span, message);
            return None;
        }
        let wide = matches!(dtype, DType::I64 | DType::U64 | DType::U32);
        let place = match wide {
            true => self.moved_into(tensor, size, span)?,
            false => tensor,
        };
        let place = self.cast_value(place.into(), StaticType::Element(DType::I32), span);
        self.tensor(place, "an index", span)
    }

    fn moved_into(&mut self, place: Tensor, size: usize, span: SpanId) -> Option<Tensor> {
        let (dtype, scalar) = (place.ty.dtype, Shape::default());
        let last = i128::from(i32::MAX).min((size as i128 - 1).max(0));
        let least = self.constant(Static::integer(0), dtype, &scalar, span)?;
        let most = self.constant(Static::integer(last), dtype, &scalar, span)?;
        let maximum = Op::Binary(BinaryOp::Maximum);
        let raised = self.emit(maximum, &[&place, &least], span).ok()?;
        let minimum = Op::Binary(BinaryOp::Minimum);
        self.emit(minimum, &[&raised, &most], span).ok()
    }

    /// The part of a tensor.
    pub(crate) fn read_part(
        &mut self,
        tensor: Tensor,
        selectors: &[Selector],
        span: SpanId,
    ) -> Option<Tensor> {
        let sizes: Vec<_> = tensor.ty.shape.known()?;
        let fixed = self.fixed_part(tensor, &sizes, selectors, span)?;
        let window = self.computed_part(fixed, selectors, span)?;
        let kept = selectors.iter().filter(|selector| selector.keeps_axis());
        let kept: Vec<_> = kept.map(Selector::size).collect();
        self.reshaped(window, &kept, span)
    }

    /// What is known beforehand.
    fn fixed_part(
        &mut self,
        tensor: Tensor,
        sizes: &[usize],
        selectors: &[Selector],
        span: SpanId,
    ) -> Option<Tensor> {
        let mut slice = Slice {
            start: Vec::new(),
            limit: Vec::new(),
            stride: Vec::new(),
        };
        for (selector, size) in selectors.iter().zip(sizes) {
            let (start, limit, stride) = match selector {
                Selector::At(place) => (*place, place + 1, 1),
                Selector::Computed(_) => (0, *size, 1),
                Selector::Range { start, end, step } => (*start, *end, *step),
            };
            slice.start.push(start);
            slice.limit.push(limit);
            slice.stride.push(stride);
        }
        let whole = slice.start.iter().all(|start| *start == 0)
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
        let sizes = selectors.iter().map(Selector::size).collect();
        let starts = self.starts(selectors, |_| 0, span)?;
        let operands: Vec<_> = std::iter::once(&tensor).chain(&starts).collect();
        self.emit_checked(
            Op::DynamicSlice(DynamicSlice { sizes }),
            &operands,
            "[]",
            span,
        )
    }

    fn starts(
        &mut self,
        selectors: &[Selector],
        known: impl Fn(&Selector) -> usize,
        span: SpanId,
    ) -> Option<Vec<Tensor>> {
        let mut starts = Vec::with_capacity(selectors.len());
        for selector in selectors {
            starts.push(match selector {
                Selector::Computed(place) => place.clone(),
                selector => {
                    let start = Static::integer(known(selector) as i128);
                    self.constant(start, DType::I32, &Shape::default(), span)?
                }
            });
        }
        Some(starts)
    }

    /// The tensor with a part replaced by a value, which is broadcast to it.
    pub(crate) fn write_part(
        &mut self,
        tensor: Tensor,
        selectors: &[Selector],
        (value, value_span): (Value, SpanId),
        span: SpanId,
    ) -> Option<Tensor> {
        if selectors
            .iter()
            .any(|selector| matches!(selector, Selector::Range { step: 2.., .. }))
        {
            let message = "a part with a step cannot be assigned";
            let diagnostic = Diagnostic::new(Code::Unsupported, span, message);
            self.report(diagnostic.help("choose between old and new values with `select`"));
            return None;
        }
        let kept = selectors.iter().filter(|selector| selector.keeps_axis());
        let kept: Vec<_> = kept.map(Selector::size).collect();
        let dtype = tensor.ty.dtype;
        let shape = Shape::from(kept.as_slice());
        let value = match value {
            Value::Leaf(ValueLeaf::Static(number)) => {
                self.constant(number, dtype, &shape, value_span)?
            }
            value => self.tensor(value, "the assigned value", value_span)?,
        };
        if value.ty.dtype != dtype {
            let message = format!("the part needs elements of `{dtype}`, found `{}`", value.ty);
            let help = format!("convert it: `as {dtype}`");
            self.report(Diagnostic::new(Code::DTypeMismatch, value_span, message).help(help));
            return None;
        }
        let value = self.broadcast_to(value, &shape, "=", value_span)?;
        let window: Vec<_> = selectors.iter().map(Selector::size).collect();
        let value = self.reshaped(value, &window, span)?;
        let first = |selector: &Selector| match selector {
            Selector::At(place) => *place,
            Selector::Range { start, .. } => *start,
            Selector::Computed(_) => 0,
        };
        let starts = self.starts(selectors, first, span)?;
        let operands: Vec<_> = [&tensor, &value].into_iter().chain(&starts).collect();
        self.emit_checked(Op::DynamicUpdateSlice, &operands, "=", span)
    }

    fn reshaped(&mut self, tensor: Tensor, sizes: &[usize], span: SpanId) -> Option<Tensor> {
        let shape = Shape::from(sizes);
        match tensor.ty.shape == shape {
            true => Some(tensor),
            false => self.emit_checked(Op::Reshape(shape), &[&tensor], "[]", span),
        }
    }
}

/// An index as an argument of `s!`.
fn plain(index: &Expr) -> Argument {
    Argument {
        value: index.clone(),
        step: None,
    }
}

const fn all(size: usize) -> Selector {
    Selector::Range {
        start: 0,
        end: size,
        step: 1,
    }
}
