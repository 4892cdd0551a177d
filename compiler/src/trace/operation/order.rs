//! Elements in order, and what adds up along an axis.

use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value},
    },
    OperationCall,
    formula::formula,
    index,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::Extent;
use iree_dsl_ir::op::{ArgSort, Cumulate, Op, ReduceKind};

type Result = Option<Value>;

pub(super) fn sort(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    let order = order(tracer, &operand, axis, false, &call)?;
    index::along(tracer, &operand, &order, axis, &call).map(Value::from)
}

pub(super) fn argsort(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    order(tracer, &operand, axis, false, &call).map(Value::from)
}

pub(super) fn sort_by_key(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let keys = call.tensor(tracer, 1)?;
    let rank = operand.ty.shape.rank();
    let axis = tracer.axis(call.argument(2)?, rank, call.name)?;
    let along = operand.ty.shape.dims().get(axis);
    let is_list = keys.ty.shape.rank() == 1 && keys.ty.shape.dims().first() == along;
    if keys.ty.shape != operand.ty.shape && !is_list {
        let (_, span) = call.argument(1)?;
        let message = format!(
            "`sort_by_key` needs a key for each element or for each place along the axis, found keys `{}` for `{}`",
            keys.ty.shape, operand.ty.shape
        );
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    }
    if is_list && rank > 1 {
        let order = order(tracer, &keys, 0, false, &call)?;
        let op = Op::Gather(iree_dsl_ir::op::Gather { axes: vec![axis] });
        return Some(tracer.emit_named(op, &[&operand, &order], call.name, call.span));
    }
    let order = order(tracer, &keys, axis, false, &call)?;
    index::along(tracer, &operand, &order, axis, &call).map(Value::from)
}

/// The largest numbers along the last axis, and where they are.
pub(super) fn top_k(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (count, span) = call.argument(1)?;
    let count = tracer.value_as_size(&count, span, "the number of elements")?;
    let Some(axis) = operand.ty.shape.rank().checked_sub(1) else {
        return Some(tracer.error(Code::ShapeMismatch, call.span, "a scalar has no last axis"));
    };
    let size = operand.ty.shape.dims().get(axis)?.extent()?;
    if !tracer.require_order(&Extent::from(count), &size) {
        let message = format!(
            "there are no {count} elements along the last axis of `{}`",
            operand.ty.shape
        );
        let help = format!("it has the size {size}");
        return Some(tracer.report(Diagnostic::new(Code::ShapeMismatch, span, message).help(help)));
    }
    let order = order(tracer, &operand, axis, true, &call)?;
    let places = formula(tracer, &call, [&order], |[order]| {
        order.part(axis, Extent::from(0), Extent::from(count))
    })?;
    let values = index::along(tracer, &operand, &places, axis, &call)?;
    Some(Tree::Tuple(vec![values.into(), places.into()]))
}

/// The places of the elements along an axis in order.
fn order(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axis: usize,
    descending: bool,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let op = Op::ArgSort(ArgSort { axis, descending });
    tracer.emit_checked(op, &[operand], call.name, call.span)
}

macro_rules! cumulations {
    ($($name:ident $kind:ident;)+) => {
        $(pub(super) fn $name(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
            cumulate(tracer, &call, ReduceKind::$kind)
        })+
    };
}

cumulations! {
    cumsum Sum;
    cumprod Product;
    cummax Maximum;
    cummin Minimum;
}

fn cumulate(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, kind: ReduceKind) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    let op = Op::Cumulate(Cumulate { kind, axis });
    Some(tracer.emit_named(op, &[&operand], call.name, call.span))
}
