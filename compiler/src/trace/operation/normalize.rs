//! `softmax` and its logarithms. The largest number along the axis is subtracted first, so that no
//! exponential overflows.

use super::{
    super::{
        statics::{Static, StaticType},
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall, reduce,
};
use iree_dsl_ir::op::{BinaryOp, Broadcast, CompareOp, InferError, Op, ReduceKind, UnaryOp};

type Result = Option<Value>;

pub(super) fn softmax(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = Parts::new(tracer, &call)?;
    let sum = parts.repeat(tracer, &parts.sum, &call)?;
    let op = Op::Binary(BinaryOp::Divide);
    Some(tracer.emit_named(op, &[&parts.exponentials, &sum], call.name, call.span))
}

pub(super) fn log_softmax(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = Parts::new(tracer, &call)?;
    let op = Op::Unary(UnaryOp::Ln);
    let log = tracer.emit_checked(op, &[&parts.sum], call.name, call.span)?;
    let log = parts.repeat(tracer, &log, &call)?;
    let op = Op::Binary(BinaryOp::Subtract);
    Some(tracer.emit_named(op, &[&parts.shifted, &log], call.name, call.span))
}

pub(super) fn logsumexp_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let parts = Parts::new(tracer, &call)?;
    let op = Op::Unary(UnaryOp::Ln);
    let log = tracer.emit_checked(op, &[&parts.sum], call.name, call.span)?;
    let op = Op::Binary(BinaryOp::Add);
    let result = tracer.emit_checked(op, &[&log, &parts.origin], call.name, call.span)?;
    keep_infinities(tracer, &parts.largest, &result, &call)
}

/// An infinite largest number is the result itself: less itself it is NaN.
fn keep_infinities(
    tracer: &mut Tracer<'_>,
    largest: &Tensor,
    result: &Tensor,
    call: &OperationCall<'_>,
) -> Result {
    let (name, span) = (call.name, call.span);
    let size = tracer.emit_checked(Op::Unary(UnaryOp::Abs), &[largest], name, span)?;
    let infinity = Static::float(f64::INFINITY, StaticType::Float);
    let infinity = tracer.constant(infinity, largest.ty.dtype, &largest.ty.shape, span)?;
    let equal = Op::Compare(CompareOp::Equal);
    let infinite = tracer.emit_checked(equal, &[&size, &infinity], name, span)?;
    Some(tracer.emit_named(Op::Select, &[&infinite, largest, result], name, span))
}

/// What the three have in common.
struct Parts {
    operand: Tensor,
    axis: usize,
    /// The largest numbers, without the axis.
    largest: Tensor,
    /// The same, as constants: what is subtracted does not change the result, so it has no part in the derivative.
    origin: Tensor,
    /// The operand less the largest.
    shifted: Tensor,
    exponentials: Tensor,
    /// The sums of the exponentials, without the axis.
    sum: Tensor,
}

impl Parts {
    fn new(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Self> {
        let operand = call.tensor(tracer, 0)?;
        let axis = tracer.axis(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
        if !operand.ty.dtype.is_float() {
            let error = InferError::DType {
                operation: "",
                dtype: operand.ty.dtype,
            };
            tracer.infer_error(&error, call.name, call.span);
            return None;
        }
        let largest = reduce::reduce(tracer, &operand, ReduceKind::Maximum, vec![axis], call)?;
        let (name, span) = (call.name, call.span);
        let origin = match tracer.deriving {
            0 => largest.clone(),
            _ => tracer.emit_checked(Op::Unary(UnaryOp::StopGradient), &[&largest], name, span)?,
        };
        let parts = (operand.ty.shape.clone(), axis);
        let repeated = repeat(tracer, &origin, &parts, call)?;
        let op = Op::Binary(BinaryOp::Subtract);
        let shifted = tracer.emit_checked(op, &[&operand, &repeated], name, span)?;
        let exponentials = tracer.emit_checked(Op::Unary(UnaryOp::Exp), &[&shifted], name, span)?;
        let sum = reduce::reduce(tracer, &exponentials, ReduceKind::Sum, vec![axis], call)?;
        Some(Self {
            operand,
            axis,
            largest,
            origin,
            shifted,
            exponentials,
            sum,
        })
    }

    /// A reduced tensor repeated along the axis.
    fn repeat(
        &self,
        tracer: &mut Tracer<'_>,
        reduced: &Tensor,
        call: &OperationCall<'_>,
    ) -> Option<Tensor> {
        let target = (self.operand.ty.shape.clone(), self.axis);
        repeat(tracer, reduced, &target, call)
    }
}

fn repeat(
    tracer: &mut Tracer<'_>,
    reduced: &Tensor,
    (shape, axis): &(iree_abi::Shape, usize),
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let axes = (0..shape.rank()).filter(|kept| kept != axis).collect();
    let op = Op::Broadcast(Broadcast {
        shape: shape.clone(),
        axes,
    });
    tracer.emit_checked(op, &[reduced], call.name, call.span)
}
