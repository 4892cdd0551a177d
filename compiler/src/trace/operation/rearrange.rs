//! Elements put elsewhere.

use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall, linalg,
    shape::reshape_to,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Dim, Extent, Shape};
use iree_dsl_ir::op::{Broadcast, DynamicSlice, Op, Slice};

type Result = Option<Value>;

pub(super) fn reverse(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axes = tracer.axes(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    Some(tracer.emit_named(Op::Reverse(axes), &[&operand], call.name, call.span))
}

pub(super) fn roll(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let places = number(tracer, &call, "the number of places")?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let size = operand.ty.shape.dims().get(axis)?.extent()?;
    let first = match size.known() {
        Some(0) => 0,
        Some(size) => (-places).rem_euclid(size),
        None if places == 0 => 0,
        None => return roll_by_rest(tracer, &operand, axis, places, &call),
    };
    if first == 0 {
        return Some(operand.into());
    }
    let first = Extent::constant(first);
    let start = part(tracer, &operand, axis, [first.clone(), size], &call)?;
    let end = part(tracer, &operand, axis, [Extent::from(0), first], &call)?;
    Some(tracer.emit_named(Op::Concatenate(axis), &[&start, &end], call.name, call.span))
}

/// Takes as much from where the result starts of the tensor twice in a row, if only the program knows where
/// that is.
fn roll_by_rest(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axis: usize,
    places: i128,
    call: &OperationCall<'_>,
) -> Result {
    let (name, span) = (call.name, call.span);
    let Ok(places) = i32::try_from(-places) else {
        let (_, span) = call.argument(1)?;
        let message = format!("the number of places of `{name}` does not fit in `i32`");
        return Some(tracer.error(Code::Literal, span, message));
    };
    let size = Value::size(operand.ty.shape.dims().get(axis)?.extent()?);
    let scalar = Shape::default();
    let places = Static::integer(places.into());
    let places = tracer.constant(places, DType::I32, &scalar, span)?;
    let start = linalg::apply(
        tracer,
        "|places, n| places.rem_euclid(n as i32)",
        vec![places.into(), size],
        call,
    )?;
    let start = tracer.tensor(start, name, span)?;
    let zero = tracer.constant(Static::integer(0), DType::I32, &scalar, span)?;
    let twice = tracer.emit_checked(Op::Concatenate(axis), &[operand, operand], name, span)?;
    let starts = (0..operand.ty.shape.rank()).map(|at| if at == axis { &start } else { &zero });
    let operands: Vec<_> = std::iter::once(&twice).chain(starts).collect();
    let sizes = operand.ty.shape.clone();
    let op = Op::DynamicSlice(DynamicSlice { sizes });
    Some(tracer.emit_named(op, &operands, name, span))
}

pub(super) fn repeat(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let times = times(tracer, &call)?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let mut repeated = operand.ty.shape.dims().to_vec();
    repeated.insert(axis + 1, Dim::from_extent(times.clone())?);
    let axes = (0..repeated.len()).filter(|kept| *kept != axis + 1);
    let op = Broadcast {
        axes: axes.collect(),
        shape: Shape::new(repeated.clone()),
    };
    let operand = tracer.emit_checked(Op::Broadcast(op), &[&operand], call.name, call.span)?;
    repeated.remove(axis + 1);
    let size = repeated.get_mut(axis)?;
    *size = multiplied(&times, size)?;
    Some(reshape_to(tracer, &operand, Shape::new(repeated), &call))
}

/// A size so many times.
fn multiplied(times: &Extent, size: &Dim) -> Option<Dim> {
    Dim::from_extent(times.times(&size.extent()?)?)
}

/// The first argument behind the tensor, a number that is not negative.
fn times(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Extent> {
    match call.argument(1)? {
        (Value::Leaf(ValueLeaf::Size(times)), span) => {
            if !tracer.require_order(&Extent::from(0), &times) {
                let message = format!("the number of `{}` is at least 0, found {times}", call.name);
                tracer.error(Code::ShapeMismatch, span, message);
                return None;
            }
            Some(times)
        }
        _ => count(tracer, call, 0).map(Extent::from),
    }
}

pub(super) fn tile(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (list, span) = call.argument(1)?;
    let times = tracer.extents((list, span), call.name)?;
    let none = Extent::from(0);
    if !(times.iter()).all(|times| tracer.require_order(&none, times)) {
        let message = "`tile` takes numbers that are not negative";
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    }
    let mut dims = operand.ty.shape.dims().to_vec();
    let rank = times.len().max(dims.len());
    let once = std::iter::repeat_n(Extent::from(1), rank - times.len());
    let times: Vec<_> = once.chain(times).collect();
    dims.splice(0..0, std::iter::repeat_n(Dim::Static(1), rank - dims.len()));
    let pairs = times.iter().zip(&dims);
    let repeated = pairs
        .clone()
        .flat_map(|(times, size)| [Dim::from_extent(times.clone()), Some(size.clone())]);
    let tiled = pairs.map(|(times, size)| multiplied(times, size));
    let first = 1 + 2 * (rank - operand.ty.shape.rank());
    let op = Broadcast {
        axes: (first..2 * rank).step_by(2).collect(),
        shape: Shape::new(repeated.collect::<Option<_>>()?),
    };
    let operand = tracer.emit_checked(Op::Broadcast(op), &[&operand], call.name, call.span)?;
    let tiled = Shape::new(tiled.collect::<Option<_>>()?);
    Some(reshape_to(tracer, &operand, tiled, &call))
}

pub(super) fn split(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let parts = count(tracer, &call, 1)?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let size = operand.ty.shape.dims().get(axis)?.extent()?;
    let length = size.over(parts as i128)?;
    let whole = length.times(&Extent::from(parts))?;
    if !tracer.require_order(&size, &whole) {
        let (_, span) = call.argument(1)?;
        let message =
            format!("`split` needs equal parts, but {parts} do not divide the size {size}");
        let help = "take parts of other sizes with `x[s![..]]`";
        return Some(tracer.report(Diagnostic::new(Code::ShapeMismatch, span, message).help(help)));
    }
    let parts = (0..parts).map(|index| {
        let bounds = [index, index + 1].map(|index| length.times(&Extent::from(index)));
        let [Some(start), Some(limit)] = bounds else {
            return None;
        };
        part(tracer, &operand, axis, [start, limit], &call).map(Value::from)
    });
    Some(Tree::Array(parts.collect::<Option<_>>()?))
}

/// The part from one place to before another along an axis.
fn part(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axis: usize,
    [from, to]: [Extent; 2],
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let mut start = vec![Extent::from(0); operand.ty.shape.rank()];
    let mut limit = operand.ty.shape.extents()?;
    *start.get_mut(axis)? = from;
    *limit.get_mut(axis)? = to;
    let stride = vec![1; limit.len()];
    let op = Op::Slice(Slice {
        start,
        limit,
        stride,
    });
    tracer.emit_checked(op, &[operand], call.name, call.span)
}

/// The first argument behind the tensor, an integer that is known.
fn number(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, what: &str) -> Option<i128> {
    let (value, span) = call.argument(1)?;
    let number = match &value {
        Value::Leaf(ValueLeaf::Static(number)) => number.as_integer(),
        _ => None,
    };
    if number.is_none() {
        let message = format!(
            "{what} of `{}` is an integer known while building, found `{}`",
            call.name,
            value.ty()
        );
        tracer.error(Code::NotStatic, span, message);
    }
    number
}

/// The same, which is not below `least`.
fn count(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, least: usize) -> Option<usize> {
    let number = number(tracer, call, "the number")?;
    let count = usize::try_from(number).ok().filter(|count| *count >= least);
    if count.is_none() {
        let (_, span) = call.argument(1)?;
        let message = format!(
            "the number of `{}` is at least {least}, found {number}",
            call.name
        );
        tracer.error(Code::ShapeMismatch, span, message);
    }
    count
}
