//! How far numbers are from their mean. Numbers of 16 bits are computed with in `f32`.

use super::{
    super::{
        statics::{Static, StaticType},
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    reduce::{divided_sum, widened},
};
use crate::{ast::BinaryOperator, diagnostic::Code};
use iree_dsl_ir::op::{BinaryOp, Broadcast, Op, UnaryOp};

type Result = Option<Value>;

/// What `normalize_axis` adds to the variance.
const EPSILON: f64 = 1e-5;

pub(super) fn var(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let deviations = Deviations::of_all(tracer, &call)?;
    let less = number_at(tracer, &call, 1, 0.0)?;
    let variance = deviations.variance(tracer, less, &call)?;
    Some(deviations.narrowed(tracer, variance, &call))
}

pub(super) fn var_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let deviations = Deviations::along(tracer, &call)?;
    let less = number_at(tracer, &call, 2, 0.0)?;
    let variance = deviations.variance(tracer, less, &call)?;
    Some(deviations.narrowed(tracer, variance, &call))
}

pub(super) fn std(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let deviations = Deviations::of_all(tracer, &call)?;
    let less = number_at(tracer, &call, 1, 0.0)?;
    deviations.root(tracer, less, &call)
}

pub(super) fn std_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let deviations = Deviations::along(tracer, &call)?;
    let less = number_at(tracer, &call, 2, 0.0)?;
    deviations.root(tracer, less, &call)
}

pub(super) fn normalize_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let deviations = Deviations::along(tracer, &call)?;
    let epsilon = number_at(tracer, &call, 2, EPSILON)?;
    let variance = deviations.variance(tracer, 0.0, &call)?;
    let epsilon = Static::float(epsilon, StaticType::Float);
    let (variance, epsilon) = ((variance.into(), call.span), (epsilon.into(), call.span));
    let sum = tracer.binary_value(BinaryOperator::Add, variance, epsilon, call.span);
    let sum = tracer.tensor(sum, call.name, call.span)?;
    let root = tracer.emit_checked(Op::Unary(UnaryOp::Sqrt), &[&sum], call.name, call.span)?;
    let root = deviations.repeated(tracer, &root, &call)?;
    let dtype = StaticType::Element(deviations.values.ty.dtype);
    let root = tracer.cast_value(root.into(), dtype, call.span);
    let root = tracer.tensor(root, call.name, call.span)?;
    let op = Op::Binary(BinaryOp::Divide);
    let result = tracer.emit_checked(op, &[&deviations.values, &root], call.name, call.span)?;
    let dtype = StaticType::Element(deviations.operand.ty.dtype);
    Some(tracer.cast_value(result.into(), dtype, call.span))
}

/// The distances of numbers from their mean along some axes.
struct Deviations {
    operand: Tensor,
    axes: Vec<usize>,
    values: Tensor,
}

impl Deviations {
    fn of_all(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Self> {
        let operand = call.tensor(tracer, 0)?;
        let axes = (0..operand.ty.shape.rank()).collect();
        Self::new(tracer, operand, axes, call)
    }

    /// Along the axes that the first argument names.
    fn along(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Self> {
        let operand = call.tensor(tracer, 0)?;
        let mut axes = tracer.axes(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
        axes.sort_unstable();
        Self::new(tracer, operand, axes, call)
    }

    fn new(
        tracer: &mut Tracer<'_>,
        operand: Tensor,
        axes: Vec<usize>,
        call: &OperationCall<'_>,
    ) -> Option<Self> {
        tracer.require_fractions(&operand.ty, call.name, call.span)?;
        let wide = widened(tracer, &operand, call)?;
        let mean = divided_sum(tracer, &wide, &axes, 0.0, call)?;
        let mut deviations = Self {
            operand,
            axes,
            values: wide,
        };
        let mean = deviations.repeated(tracer, &mean, call)?;
        let op = Op::Binary(BinaryOp::Subtract);
        let operands = [&deviations.values, &mean];
        deviations.values = tracer.emit_checked(op, &operands, call.name, call.span)?;
        Some(deviations)
    }

    /// A reduced tensor repeated along the axes.
    fn repeated(
        &self,
        tracer: &mut Tracer<'_>,
        reduced: &Tensor,
        call: &OperationCall<'_>,
    ) -> Option<Tensor> {
        let shape = &self.operand.ty.shape;
        let kept = (0..shape.rank()).filter(|axis| !self.axes.contains(axis));
        let op = Op::Broadcast(Broadcast {
            shape: shape.clone(),
            axes: kept.collect(),
        });
        tracer.emit_checked(op, &[reduced], call.name, call.span)
    }

    /// The sum of the squared distances, divided by the number of elements less `less`.
    fn variance(
        &self,
        tracer: &mut Tracer<'_>,
        less: f64,
        call: &OperationCall<'_>,
    ) -> Option<Tensor> {
        let distances = match self.values.ty.dtype.is_complex() {
            true => {
                let op = Op::Unary(UnaryOp::Abs);
                tracer.emit_checked(op, &[&self.values], call.name, call.span)?
            }
            false => self.values.clone(),
        };
        let op = Op::Binary(BinaryOp::Multiply);
        let squares = tracer.emit_checked(op, &[&distances, &distances], call.name, call.span)?;
        divided_sum(tracer, &squares, &self.axes, less, call)
    }

    fn root(&self, tracer: &mut Tracer<'_>, less: f64, call: &OperationCall<'_>) -> Result {
        let variance = self.variance(tracer, less, call)?;
        let op = Op::Unary(UnaryOp::Sqrt);
        let root = tracer.emit_checked(op, &[&variance], call.name, call.span)?;
        Some(self.narrowed(tracer, root, call))
    }

    /// A result with the real element type of the operand.
    fn narrowed(&self, tracer: &mut Tracer<'_>, wide: Tensor, call: &OperationCall<'_>) -> Value {
        let dtype = StaticType::Element(self.operand.ty.dtype.real());
        tracer.cast_value(wide.into(), dtype, call.span)
    }
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
