//! Means, and how far numbers are from them.

use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::{Term, formula},
};
use crate::diagnostic::Code;
use iree_dsl_library::statistics;

type Result = Option<Value>;

/// What `normalize_axis` adds to the variance.
const EPSILON: f64 = 1e-5;

pub(super) fn mean(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = all(tracer, &call)?;
    computed(tracer, &call, operand, statistics::mean)
}

pub(super) fn mean_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = along(tracer, &call)?;
    computed(tracer, &call, operand, statistics::mean)
}

pub(super) fn var(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = all(tracer, &call)?;
    less(tracer, &call, operand, 1, statistics::variance)
}

pub(super) fn var_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = along(tracer, &call)?;
    less(tracer, &call, operand, 2, statistics::variance)
}

pub(super) fn std(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = all(tracer, &call)?;
    less(tracer, &call, operand, 1, statistics::deviation)
}

pub(super) fn std_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = along(tracer, &call)?;
    less(tracer, &call, operand, 2, statistics::deviation)
}

pub(super) fn normalize_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = along(tracer, &call)?;
    let epsilon = number_at(tracer, &call, 2, EPSILON)?;
    computed(tracer, &call, operand, |x, axes| {
        statistics::normalize(x, axes, epsilon)
    })
}

/// A tensor, and the axes along which something of it is computed.
type Along = (Tensor, Vec<usize>);

fn all(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Along> {
    let operand = call.tensor(tracer, 0)?;
    let axes = (0..operand.ty.shape.rank()).collect();
    Some((operand, axes))
}

/// Along the axes that the first argument names.
fn along(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Along> {
    let operand = call.tensor(tracer, 0)?;
    let mut axes = tracer.axes(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    axes.sort_unstable();
    Some((operand, axes))
}

/// Computes what divides by less than the number of elements, as an argument says.
fn less(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operand: Along,
    position: usize,
    run: impl for<'x> FnOnce(&Term<'x>, &[usize], f64) -> Term<'x>,
) -> Result {
    let less = number_at(tracer, call, position, 0.0)?;
    computed(tracer, call, operand, |x, axes| run(x, axes, less))
}

fn computed(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    (operand, axes): Along,
    run: impl for<'x> FnOnce(&Term<'x>, &[usize]) -> Term<'x>,
) -> Result {
    let result = formula(tracer, call, [&operand], |[x]| run(&x, &axes))?;
    Some(result.settled().into())
}

/// A number known while building, or what it is if left out.
fn number_at(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    position: usize,
    default: f64,
) -> Option<f64> {
    let Some((value, span)) = call.argument(position) else {
        return Some(default);
    };
    let number = match &value {
        Value::Leaf(ValueLeaf::Static(number)) => number.as_float(),
        _ => None,
    };
    if number.is_none() {
        let message = format!(
            "`{}` needs a number known while building here, found `{}`",
            call.name,
            value.ty()
        );
        tracer.error(Code::NotStatic, span, message);
    }
    number
}
