//! Elements put elsewhere.

use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    shape::reshape_to,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    op::{Broadcast, Op, Slice},
};
use iree_abi::{Dim, Extent, Shape};

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
    let size = known_size(tracer, &operand, axis, &call)?;
    let first = match size {
        0 => 0,
        _ => usize::try_from((-places).rem_euclid(size as i128)).ok()?,
    };
    if first == 0 {
        return Some(operand.into());
    }
    let start = part(tracer, &operand, (axis, first, size), &call)?;
    let end = part(tracer, &operand, (axis, 0, first), &call)?;
    Some(tracer.emit_named(Op::Concatenate(axis), &[&start, &end], call.name, call.span))
}

pub(super) fn repeat(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let times = count(tracer, &call, 0)?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let mut repeated = operand.ty.shape.dims().to_vec();
    repeated.insert(axis + 1, Dim::Static(times));
    let axes = (0..repeated.len()).filter(|kept| *kept != axis + 1);
    let op = Broadcast {
        axes: axes.collect(),
        shape: Shape::new(repeated.clone()),
    };
    let operand = tracer.emit_checked(Op::Broadcast(op), &[&operand], call.name, call.span)?;
    repeated.remove(axis + 1);
    let size = repeated.get_mut(axis)?;
    *size = multiplied(times, size)?;
    Some(reshape_to(tracer, &operand, Shape::new(repeated), &call))
}

/// A size so many times.
fn multiplied(times: usize, size: &Dim) -> Option<Dim> {
    Dim::from_extent(Extent::from(times).times(&size.extent()?)?)
}

pub(super) fn tile(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (list, span) = call.argument(1)?;
    let times = tracer.extents((list, span), call.name)?;
    let times = times
        .iter()
        .map(|times| usize::try_from(times.known()?).ok());
    let times: Option<Vec<_>> = times.collect();
    let Some(mut times) = times else {
        let message = "`tile` takes numbers known while building that are not negative";
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    };
    let mut dims = operand.ty.shape.dims().to_vec();
    let rank = times.len().max(dims.len());
    times.splice(0..0, std::iter::repeat_n(1, rank - times.len()));
    dims.splice(0..0, std::iter::repeat_n(Dim::Static(1), rank - dims.len()));
    let pairs = times.iter().zip(&dims);
    let repeated = pairs
        .clone()
        .flat_map(|(times, size)| [Dim::Static(*times), size.clone()]);
    let tiled = pairs.map(|(times, size)| multiplied(*times, size));
    let first = 1 + 2 * (rank - operand.ty.shape.rank());
    let op = Broadcast {
        axes: (first..2 * rank).step_by(2).collect(),
        shape: Shape::new(repeated.collect()),
    };
    let operand = tracer.emit_checked(Op::Broadcast(op), &[&operand], call.name, call.span)?;
    let tiled = Shape::new(tiled.collect::<Option<_>>()?);
    Some(reshape_to(tracer, &operand, tiled, &call))
}

pub(super) fn split(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let parts = count(tracer, &call, 1)?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let size = known_size(tracer, &operand, axis, &call)?;
    if !size.is_multiple_of(parts) {
        let (_, span) = call.argument(1)?;
        let message =
            format!("`split` needs equal parts, but {parts} do not divide the size {size}");
        let help = "take parts of other sizes with `x[s![..]]`";
        return Some(tracer.report(Diagnostic::new(Code::ShapeMismatch, span, message).help(help)));
    }
    let length = size / parts;
    let parts = (0..parts).map(|index| {
        let bounds = (axis, index * length, (index + 1) * length);
        part(tracer, &operand, bounds, &call).map(Value::from)
    });
    Some(Tree::Array(parts.collect::<Option<_>>()?))
}

/// The part from one place to before another along an axis.
fn part(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    (axis, from, to): (usize, usize, usize),
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let mut start = vec![Extent::from(0); operand.ty.shape.rank()];
    let mut limit = operand.ty.shape.extents()?;
    *start.get_mut(axis)? = Extent::from(from);
    *limit.get_mut(axis)? = Extent::from(to);
    let stride = vec![1; limit.len()];
    let op = Op::Slice(Slice {
        start,
        limit,
        stride,
    });
    tracer.emit_checked(op, &[operand], call.name, call.span)
}

/// The size along an axis, which must be known while building.
pub(super) fn known_size(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<usize> {
    let dim = operand.ty.shape.dims().get(axis)?;
    if dim.known().is_none() {
        let message = format!(
            "`{}` needs an axis whose size is known while building, found the size `{dim}` in `{}`",
            call.name, operand.ty
        );
        tracer.error(Code::NotStatic, call.span, message);
    }
    dim.known()
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
