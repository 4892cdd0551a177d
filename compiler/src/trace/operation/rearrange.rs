//! Elements put elsewhere.

use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::formula,
    written,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Extent, Shape};
use iree_dsl_ir::op::Op;
use iree_dsl_library::arrange;

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
    let rotated = formula(tracer, &call, [&operand], |[x]| {
        arrange::rotated(&x, axis, first)
    });
    rotated.map(Value::from)
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
    let start = written::apply(
        tracer,
        "|places, n| places.rem_euclid(n as i32)",
        vec![places.into(), size],
        call,
    )?;
    let start = tracer.tensor(start, name, span)?;
    let rotated = formula(tracer, call, [operand, &start], |[x, start]| {
        arrange::rotated_to(&x, axis, &start)
    });
    rotated.map(Value::from)
}

pub(super) fn repeat(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let times = times(tracer, &call)?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let repeated = formula(tracer, &call, [&operand], |[x]| {
        arrange::repeated(&x, &times, axis)
    });
    repeated.map(Value::from)
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
    let missing = operand.ty.shape.rank().saturating_sub(times.len());
    let once = std::iter::repeat_n(Extent::from(1), missing);
    let times: Vec<_> = once.chain(times).collect();
    let tiled = formula(tracer, &call, [&operand], |[x]| arrange::tiled(&x, &times));
    tiled.map(Value::from)
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
        let part = formula(tracer, &call, [&operand], |[x]| x.part(axis, start, limit));
        part.map(Value::from)
    });
    Some(Tree::Array(parts.collect::<Option<_>>()?))
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
        let is_roll = call.name == "roll";
        let help = "look the elements up instead, with `take` and their places";
        let help = is_roll.then(|| help.to_owned());
        tracer.report(Diagnostic::new(Code::NotStatic, span, message).help_if(help));
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
