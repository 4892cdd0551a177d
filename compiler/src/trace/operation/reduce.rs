use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
};
use iree_dsl_ir::op::{ArgReduce, ExtremumKind, Op, Reduce, ReduceKind};

type Result = Option<Value>;

macro_rules! reductions {
    ($($whole:ident $along:ident $kind:ident;)+) => {
        $(
            pub(super) fn $whole(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
                whole(tracer, &call, ReduceKind::$kind)
            }

            pub(super) fn $along(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
                along(tracer, &call, ReduceKind::$kind)
            }
        )+
    };
}

reductions! {
    sum sum_axis Sum;
    prod prod_axis Product;
    max max_axis Maximum;
    min min_axis Minimum;
    all all_axis All;
    any any_axis Any;
}

fn whole(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, kind: ReduceKind) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axes = (0..operand.ty.shape.rank()).collect();
    reduce(tracer, &operand, kind, axes, call).map(Value::from)
}

fn along(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, kind: ReduceKind) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let rank = operand.ty.shape.rank();
    let axes = tracer.axes(call.argument(1)?, rank, call.name)?;
    reduce(tracer, &operand, kind, axes, call).map(Value::from)
}

/// All elements along some axes made one.
pub(super) fn reduce(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    kind: ReduceKind,
    mut axes: Vec<usize>,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    axes.sort_unstable();
    tracer.emit_checked(
        Op::Reduce(Reduce { kind, axes }),
        &[operand],
        call.name,
        call.span,
    )
}

pub(super) fn argmax_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    arg_reduce(tracer, &call, ExtremumKind::Maximum)
}

pub(super) fn argmin_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    arg_reduce(tracer, &call, ExtremumKind::Minimum)
}

fn arg_reduce(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, kind: ExtremumKind) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    let op = Op::ArgReduce(ArgReduce { kind, axis });
    Some(tracer.emit_named(op, &[&operand], call.name, call.span))
}
