//! `softmax` and its logarithms.

use super::{
    super::{tracer::Tracer, value::Value},
    OperationCall,
    formula::{Term, formula},
};
use iree_dsl_library::softmax;

type Result = Option<Value>;

pub(super) fn softmax(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along(tracer, &call, softmax::softmax)
}

pub(super) fn log_softmax(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along(tracer, &call, softmax::log_softmax)
}

pub(super) fn logsumexp_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    along(tracer, &call, softmax::logsumexp)
}

fn along(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    run: impl for<'x> FnOnce(&Term<'x>, usize) -> Term<'x>,
) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    let result = formula(tracer, call, [&operand], |[x]| run(&x, axis))?;
    Some(result.into())
}
