//! Parts of tensors: `x[i]`, `x[(i, j)]`, `x[s![1..3, .., 0, ..;2]]`, read and written.
//!
//! Steps are those of `ndarray`: a negative one takes the places of the range from its end.
//! Indices that are known are checked, and count from the end if negative. Indices that the program
//! computes are moved into the tensor.

mod items;
mod part;
mod read;
mod write;

pub(crate) use part::Part;

use super::{
    frame::Flow,
    operation::as_integers,
    statics::{Static, StaticType},
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{Argument, Expr, ExprKind},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, Dim, Extent, Shape};
use iree_dsl_ir::op::{BinaryOp, Op, steps};

/// What is taken along one axis.
#[derive(Clone, Debug)]
pub(crate) enum Selector {
    /// One place; the axis disappears.
    At(Extent),
    /// One place that the program computes, as `i32`; the axis disappears.
    Computed(Tensor),
    /// Every `step`th place from one to before another.
    Range {
        /// The first place.
        start: Extent,
        /// The end.
        end: Extent,
        /// The distance between places.
        step: usize,
        /// Whether places are counted from the end, the last one first.
        reversed: bool,
    },
}

impl Selector {
    /// Everything along an axis.
    pub(crate) fn all(size: Extent) -> Self {
        Self::Range {
            start: Extent::from(0),
            end: size,
            step: 1,
            reversed: false,
        }
    }

    /// The same with every place between the first and the last, in rising order.
    fn contiguous(&self) -> Self {
        match self {
            Self::Range { start, end, .. } => Self::Range {
                start: start.clone(),
                end: end.clone(),
                step: 1,
                reversed: false,
            },
            other => other.clone(),
        }
    }

    /// How many places are taken.
    fn size(&self) -> Option<Dim> {
        match self {
            Self::At(_) | Self::Computed(_) => Some(Dim::Static(1)),
            Self::Range {
                start, end, step, ..
            } => steps(start, end, *step).and_then(Dim::from_extent),
        }
    }

    const fn keeps_axis(&self) -> bool {
        matches!(self, Self::Range { .. })
    }
}

/// The sizes of what is taken along each axis.
fn window<'s>(selectors: impl Iterator<Item = &'s Selector>) -> Option<Shape> {
    let dims: Option<Vec<_>> = selectors.map(Selector::size).collect();
    dims.map(Shape::new)
}

/// The shape of what is taken.
pub(crate) fn part_shape(selectors: &[Selector]) -> Option<Shape> {
    window(selectors.iter().filter(|selector| selector.keeps_axis()))
}

/// Where something stands, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Axis<'a> {
    /// Its number.
    pub(crate) number: usize,
    /// Its size.
    pub(crate) size: &'a Extent,
}

impl Tracer<'_> {
    /// What an index takes along each axis of a shape; `None` if it was reported to be wrong.
    pub(crate) fn selectors(&mut self, shape: &Shape, index: &Expr) -> Flow<Option<Vec<Selector>>> {
        let Some(sizes) = shape.extents() else {
            return Ok(None);
        };
        let parts = match &index.kind {
            ExprKind::Macro {
                name, positional, ..
            } if name.text() == "s" => positional.clone(),
            ExprKind::Tuple(items) => items.iter().map(plain).collect(),
            _ => vec![plain(index)],
        };
        if parts.len() > sizes.len() {
            let axes = super::resolve::axes(sizes.len());
            let indices = match parts.len() {
                1 => "1 index".to_owned(),
                count => format!("{count} indices"),
            };
            let message = format!("{indices} for a tensor with {axes}");
            self.error(Code::Index, index.span, message);
            return Ok(None);
        }
        let mut selectors = Vec::with_capacity(sizes.len());
        for (number, size) in sizes.iter().enumerate() {
            let selector = match parts.get(number) {
                Some(part) => self.selector(part, Axis { number, size })?,
                None => Some(Selector::all(size.clone())),
            };
            let Some(selector) = selector else {
                return Ok(None);
            };
            selectors.push(selector);
        }
        Ok(Some(selectors))
    }

    fn selector(&mut self, part: &Argument, axis: Axis<'_>) -> Flow<Option<Selector>> {
        let span = part.value.span;
        if let ExprKind::Range {
            start,
            end,
            inclusive,
        } = &part.value.kind
        {
            let start = self.bound(start.as_deref(), Extent::from(0), axis)?;
            let end = self.bound(end.as_deref(), axis.size.clone(), axis)?;
            let step = match &part.step {
                Some(step) => self.step(step)?,
                None => Some((1, false)),
            };
            let end = end.and_then(|end| end.plus(&Extent::from(usize::from(*inclusive))));
            let (Some(start), Some(end), Some((step, reversed))) = (start, end, step) else {
                return Ok(None);
            };
            let fits = self.require_order(&start, &end) && self.require_order(&end, axis.size);
            if !fits {
                let Axis { number, size } = axis;
                let message =
                    format!("the range does not fit the axis {number}, which has the size {size}");
                self.error(Code::Index, span, message);
                return Ok(None);
            }
            return Ok(Some(Selector::Range {
                start,
                end,
                step,
                reversed,
            }));
        }
        let value = self.expr(&part.value, None)?;
        Ok(match value {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => self.computed(tensor, axis, span),
            value => self.known_index(&value, axis, span).map(Selector::At),
        })
    }

    /// The distance between places, and whether the last one comes first.
    fn step(&mut self, step: &Expr) -> Flow<Option<(usize, bool)>> {
        let value = self.expr(step, None)?;
        if value.is_poisoned() {
            return Ok(None);
        }
        let number = match &value {
            Value::Leaf(ValueLeaf::Static(number)) => number.as_integer(),
            _ => None,
        };
        let Some(number) = number else {
            let message = format!(
                "a step must be an integer known while building, found `{}`",
                value.ty()
            );
            self.error(Code::NotStatic, step.span, message);
            return Ok(None);
        };
        // Places are numbers of 32 bits.
        match i32::try_from(number) {
            Ok(0) => self.error(Code::Index, step.span, "a step cannot be 0"),
            Ok(number) => return Ok(Some((number.unsigned_abs() as usize, number < 0))),
            Err(_) => {
                let message = format!("a step has at most 32 bits, found {number}");
                self.error(Code::Index, step.span, message)
            }
        };
        Ok(None)
    }

    fn bound(&mut self, expr: Option<&Expr>, open: Extent, axis: Axis<'_>) -> Flow<Option<Extent>> {
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
        Ok(self.known_place(&value, axis, expr.span))
    }

    /// An index that is known and inside its axis, counted from the end if negative.
    pub(crate) fn known_index(
        &mut self,
        value: &Value,
        axis: Axis<'_>,
        span: SpanId,
    ) -> Option<Extent> {
        let place = self.known_place(value, axis, span)?;
        let next = place.plus(&Extent::from(1))?;
        if self.require_order(&next, axis.size) {
            return Some(place);
        }
        let Axis { number, size } = axis;
        let message =
            format!("there is no index {place} along the axis {number}, which has the size {size}");
        self.error(Code::Index, span, message);
        None
    }

    /// A place in an axis or at its end, counted from the end if negative.
    fn known_place(&mut self, value: &Value, axis: Axis<'_>, span: SpanId) -> Option<Extent> {
        let Some(number) = value.as_extent() else {
            if !value.is_poisoned() {
                let message = format!("an index must be an integer, found `{}`", value.ty());
                let diagnostic = Diagnostic::new(Code::Index, span, message);
                self.report(diagnostic.help_if(instead_of_index(value)));
            }
            return None;
        };
        let place = match number.known() {
            Some(..0) => number.plus(axis.size)?,
            _ => number.clone(),
        };
        let inside = self.require_order(&Extent::from(0), &place);
        if !inside {
            let size = axis.size;
            let message =
                format!("the index {number} is before the start of an axis of size {size}");
            self.error(Code::Index, span, message);
        }
        inside.then_some(place)
    }

    fn computed(&mut self, tensor: Tensor, axis: Axis<'_>, span: SpanId) -> Option<Selector> {
        if axis.size.known() == Some(0) {
            self.error(Code::Index, span, "an axis of size 0 has no places");
            return None;
        }
        self.computed_place(tensor, axis.size, span)
            .map(Selector::Computed)
    }

    /// An index that the program computes, as `i32`. One that `i32` may not hold is moved into the axis
    /// first.
    pub(crate) fn computed_place(
        &mut self,
        tensor: Tensor,
        size: &Extent,
        span: SpanId,
    ) -> Option<Tensor> {
        let dtype = tensor.ty.dtype;
        if tensor.ty.shape.rank() != 0 || !dtype.is_integer() {
            let message = format!("an index must be an integer, found `{}`", tensor.ty);
            let diagnostic = Diagnostic::new(Code::Index, span, message);
            self.report(diagnostic.help_if(instead_of_index(&tensor.into())));
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

    fn moved_into(&mut self, place: Tensor, size: &Extent, span: SpanId) -> Option<Tensor> {
        let (dtype, scalar) = (place.ty.dtype, Shape::default());
        let most = i128::from(i32::MAX);
        let last = size
            .known()
            .map_or(most, |size| most.min((size - 1).max(0)));
        let least = self.constant(Static::integer(0), dtype, &scalar, span)?;
        let most = self.constant(Static::integer(last), dtype, &scalar, span)?;
        let maximum = Op::Binary(BinaryOp::Maximum);
        let raised = self.emit(maximum, &[&place, &least], span).ok()?;
        let minimum = Op::Binary(BinaryOp::Minimum);
        self.emit(minimum, &[&raised, &most], span).ok()
    }
}

/// Whether an expression is `s![..]`.
pub(crate) fn is_part(index: &Expr) -> bool {
    matches!(&index.kind, ExprKind::Macro { name, .. } if name.text() == "s")
}

/// An index as an argument of `s!`.
fn plain(index: &Expr) -> Argument {
    Argument {
        value: index.clone(),
        step: None,
    }
}

/// What to write in place of an index that is none.
fn instead_of_index(value: &Value) -> Option<String> {
    let several = "`x.take(i, 0)` takes the elements at several indices along an axis";
    Some(match value {
        Value::Array(_) => format!("several indices are a tuple: `x[(i, j)]`; {several}"),
        Value::Leaf(ValueLeaf::Tensor(tensor)) if tensor.ty.dtype == DType::Bool => {
            "choose place by place: `select(mask, a, b)`".to_owned()
        }
        Value::Leaf(ValueLeaf::Tensor(tensor)) if tensor.ty.dtype.is_integer() => {
            several.to_owned()
        }
        Value::Leaf(ValueLeaf::Tensor(tensor)) => return as_integers(tensor.ty.dtype),
        _ => return None,
    })
}
