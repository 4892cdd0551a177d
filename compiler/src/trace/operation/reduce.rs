use super::{
    super::{
        statics::{Static, StaticType},
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
};
use crate::ast::BinaryOperator;
use iree_dsl_ir::op::{ArgReduce, ExtremumKind, Op, Reduce, ReduceKind};

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

fn mean_along(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axes: Vec<usize>,
    call: &OperationCall<'_>,
) -> Result {
    tracer.require_fractions(&operand.ty, call.name, call.span)?;
    let wide = widened(tracer, operand, call)?;
    let mean = divided_sum(tracer, &wide, &axes, 0.0, call)?;
    let dtype = StaticType::Element(operand.ty.dtype);
    Some(tracer.cast_value(mean.into(), dtype, call.span))
}

/// Numbers of 16 bits as `f32`, where neither their sum nor their number overflows.
pub(super) fn widened(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    if operand.ty.dtype.size() != 2 {
        return Some(operand.clone());
    }
    let target = StaticType::Element(iree_abi::DType::F32);
    let wide = tracer.cast_value(operand.clone().into(), target, call.span);
    tracer.tensor(wide, call.name, call.span)
}

/// The sum divided by the number of summands less `less`.
pub(super) fn divided_sum(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axes: &[usize],
    less: f64,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let dims = operand.ty.shape.dims();
    let reduced = axes.iter().filter_map(|axis| dims.get(*axis).cloned());
    let count = Shape::new(reduced.collect()).element_count()?;
    let sum = reduce(tracer, operand, ReduceKind::Sum, axes.to_vec(), call)?;
    let number = |number| Value::from(Static::float(number, StaticType::Float));
    let count = match count.known() {
        Some(count) => number(count as f64 - less),
        None => {
            let count = tracer.size_tensor(count, sum.ty.dtype, call.span)?;
            let (count, less) = ((count.into(), call.span), (number(less), call.span));
            tracer.binary_value(BinaryOperator::Subtract, count, less, call.span)
        }
    };
    let (sum, count) = ((sum.into(), call.span), (count, call.span));
    let quotient = tracer.binary_value(BinaryOperator::Divide, sum, count, call.span);
    tracer.tensor(quotient, call.name, call.span)
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
