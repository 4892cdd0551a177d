//! Operations that take closures.

use super::{
    super::{
        breakable::{Breakable, BreakableKind},
        closure::Callable,
        frame::Flow,
        repeat::Loop,
        statics::Static,
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    carry::First,
};
use crate::{ast::BinaryOperator, span::SpanId};
use iree_abi::Shape;
use iree_dsl_ir::Scalar;

type Result = Option<Value>;

/// The hidden variables of loops that operations make.
const INDEX: &str = "<index>";
pub(super) const CARRY: &str = "<carry>";

pub(super) fn range(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    Some(tracer.run_time_range(call.argument(0)?, call.argument(1)?, false))
}

pub(super) fn cond(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (predicate, predicate_span) = call.argument(0)?;
    let then = tracer.callable(call.argument(1)?, call.name, 0)?;
    let otherwise = tracer.callable(call.argument(2)?, call.name, 0)?;
    let (expected, span) = (call.expected, call.span);
    let apply = |callable: Callable| {
        move |tracer: &mut Tracer<'_>| Ok(tracer.apply(&callable, Vec::new(), expected, span))
    };
    match predicate {
        Value::Leaf(ValueLeaf::Static(Static {
            value: Scalar::Bool(truth),
            ..
        })) => {
            let taken = if truth { then } else { otherwise };
            Some(tracer.apply(&taken, Vec::new(), expected, span))
        }
        Value::Leaf(ValueLeaf::Tensor(condition))
            if tracer.is_condition(&condition.clone().into()) =>
        {
            tracer
                .branch(&condition, apply(then), apply(otherwise), span)
                .ok()
        }
        other => {
            tracer.wrong_condition(&other, call.name, predicate_span);
            None
        }
    }
}

pub(super) fn fori(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let end = iterations(tracer, &call)?;
    let (closure, closure_span) = call.argument(2)?;
    let callable = tracer.callable((closure, closure_span), call.name, 2)?;
    let (name, span) = (call.name, call.span);
    let mut trial = |tracer: &mut Tracer<'_>, index: &Tensor, carry: Value| {
        let arguments = vec![(index.clone().into(), span), (carry, span)];
        Some(tracer.apply(&callable, arguments, call.expected, span))
    };
    let first = First {
        init: call.argument(1)?,
        expected: call.expected,
        index: end.ty.clone(),
    };
    let init = first.value(tracer, name, &mut trial)?;
    let (ty, mark) = (init.ty(), tracer.builder.mark());
    let value = fold_rounds(tracer, init, end, span, &mut |tracer, index, carry| {
        let arguments = vec![(index.clone().into(), span), (carry, span)];
        let next = tracer.apply(&callable, arguments, Some(&ty), span);
        let place = format!("what the closure of `{name}` hands on");
        Some(tracer.conform(next, &ty, closure_span, &place))
    });
    tracer.bound_loop(&callable, &mark);
    value
}

/// What is left of a carry after so many iterations, each of which makes another of it.
pub(super) fn fold_rounds(
    tracer: &mut Tracer<'_>,
    init: Value,
    end: Tensor,
    span: SpanId,
    iteration: &mut dyn FnMut(&mut Tracer<'_>, &Tensor, Value) -> Result,
) -> Result {
    rounds_with(tracer, &[(CARRY, init)], end, span, &mut |tracer, index| {
        let carry = hidden(tracer, CARRY);
        let next = iteration(tracer, index, carry);
        tracer.set_hidden(CARRY, next.unwrap_or(Value::POISON));
    })
    .and_then(|mut carried| carried.pop())
}

/// How many iterations there are, as `i32`.
fn iterations(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let (value, span) = call.argument(0)?;
    let zero = (Static::integer(0).into(), span);
    match tracer.run_time_range(zero, (value, span), false) {
        Value::Leaf(ValueLeaf::Iterations(iterations)) => Some(iterations.end),
        _ => None,
    }
}

/// Runs a loop with hidden variables, and returns what they are in the end.
pub(super) fn rounds_with(
    tracer: &mut Tracer<'_>,
    variables: &[(&str, Value)],
    end: Tensor,
    span: SpanId,
    iteration: &mut dyn FnMut(&mut Tracer<'_>, &Tensor),
) -> Option<Vec<Value>> {
    let zero = tracer.constant(Static::integer(0), end.ty.dtype, &Shape::default(), span)?;
    let run = |tracer: &mut Tracer<'_>, _| {
        for (name, value) in variables {
            tracer.hide(name, Some(value.clone()));
        }
        tracer.hide(INDEX, Some(zero.into()));
        count_iterations(tracer, end, span, iteration)?;
        let values = variables.iter().map(|(name, _)| hidden(tracer, name));
        Ok(values.collect())
    };
    let breakable = Breakable::new(BreakableKind::Iterations, None, span);
    tracer.inside(breakable, run).ok()
}

/// The loop itself, over the hidden index.
fn count_iterations(
    tracer: &mut Tracer<'_>,
    end: Tensor,
    span: SpanId,
    iteration: &mut dyn FnMut(&mut Tracer<'_>, &Tensor),
) -> Flow<()> {
    let condition = |tracer: &mut Tracer<'_>| {
        let operands = ((hidden(tracer, INDEX), span), (end.clone().into(), span));
        Ok(tracer.binary_value(BinaryOperator::Less, operands.0, operands.1, span))
    };
    let body = |tracer: &mut Tracer<'_>| {
        if let Value::Leaf(ValueLeaf::Tensor(index)) = hidden(tracer, INDEX) {
            iteration(tracer, &index);
            let one = (Static::integer(1).into(), span);
            let index = (index.into(), span);
            let next = tracer.binary_value(BinaryOperator::Add, index, one, span);
            tracer.set_hidden(INDEX, next);
        }
        Ok(())
    };
    tracer.repeat(&mut Loop {
        condition,
        body,
        span,
    })
}

pub(super) fn hidden(tracer: &Tracer<'_>, name: &str) -> Value {
    tracer.hidden(name).unwrap_or(Value::POISON)
}

impl Tracer<'_> {
    /// The value with tensors in place of numbers; `None` if it was reported that it has other leaves.
    pub(crate) fn materialize(&mut self, value: Value, name: &str, span: SpanId) -> Option<Value> {
        let mut failed = false;
        let value = value.map(&mut |leaf| {
            let tensor = self.tensor(Value::Leaf(leaf.clone()), name, span);
            failed |= tensor.is_none();
            tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
        });
        (!failed).then_some(value)
    }
}
