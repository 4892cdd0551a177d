use super::{
    super::{
        statics::{Static, StaticType},
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
};
use crate::{
    ast::BinaryOperator,
    op::{ArgReduce, ExtremumKind, Op, Reduce, ReduceKind},
};

use iree_abi::Shape;

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

pub(super) fn mean(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axes = (0..operand.ty.shape.rank()).collect();
    mean_along(tracer, &operand, axes, &call)
}

pub(super) fn mean_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axes = tracer.axes(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    mean_along(tracer, &operand, axes, &call)
}

/// The sum divided by the number of summands. 16-bit numbers are summed and divided in `f32`, where
/// neither the sum nor the number overflows.
fn mean_along(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axes: Vec<usize>,
    call: &OperationCall<'_>,
) -> Result {
    let dtype = operand.ty.dtype;
    tracer.require_fractions(&operand.ty, call.name, call.span)?;
    let dims = operand.ty.shape.dims();
    let reduced = axes.iter().filter_map(|axis| dims.get(*axis).cloned());
    let count = Shape::new(reduced.collect()).element_count()?;
    let narrow = dtype.size() == 2;
    let wide = match narrow {
        true => {
            let target = StaticType::Element(iree_abi::DType::F32);
            let wide = tracer.cast_value(operand.clone().into(), target, call.span);
            tracer.tensor(wide, call.name, call.span)?
        }
        false => operand.clone(),
    };
    let sum = reduce(tracer, &wide, ReduceKind::Sum, axes, call)?;
    let count = match count.known() {
        Some(count) => Static::float(count as f64, StaticType::Float).into(),
        None => tracer.size_tensor(count, sum.ty.dtype, call.span)?.into(),
    };
    let (sum, count) = ((sum.into(), call.span), (count, call.span));
    let mean = tracer.binary_value(BinaryOperator::Divide, sum, count, call.span);
    Some(tracer.cast_value(mean, StaticType::Element(dtype), call.span))
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
