//! Operations that take closures.

use super::{
    super::{
        breakable::{Breakable, BreakableKind},
        closure::Callable,
        frame::Flow,
        index::Selector,
        repeat::Loop,
        statics::Static,
        tracer::Tracer,
        tree::Tree,
        types::{Type, TypeLeaf},
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
};
use crate::{ast::BinaryOperator, diagnostic::Code, ir::Scalar, span::SpanId};
use iree_abi::{DType, Dim, Shape, TensorType};

type Result = Option<Value>;

/// The hidden variables of loops that operations make.
const INDEX: &str = "<index>";
const CARRY: &str = "<carry>";
const STACKED: &str = "<stacked>";

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
    let end = rounds(tracer, &call)?;
    let (init, init_span) = call.argument(1)?;
    let init = tracer.materialize(init, call.name, init_span)?;
    let ty = init.ty();
    let (closure, closure_span) = call.argument(2)?;
    let callable = tracer.callable((closure, closure_span), call.name, 2)?;
    let span = call.span;
    let name = call.name;
    fold_rounds(tracer, init, end, span, &mut |tracer, index, carry| {
        let arguments = vec![(index.clone().into(), span), (carry, span)];
        let next = tracer.apply(&callable, arguments, Some(&ty), span);
        let place = format!("what the closure of `{name}` hands on");
        Some(tracer.conform(next, &ty, closure_span, &place))
    })
}

/// What is left of a carry after so many rounds, each of which makes another of it.
pub(super) fn fold_rounds(
    tracer: &mut Tracer<'_>,
    init: Value,
    end: Tensor,
    span: SpanId,
    round: &mut dyn FnMut(&mut Tracer<'_>, &Tensor, Value) -> Result,
) -> Result {
    rounds_with(tracer, &[(CARRY, init)], end, span, &mut |tracer, index| {
        let carry = hidden(tracer, CARRY);
        let next = round(tracer, index, carry);
        tracer.set_hidden(CARRY, next.unwrap_or(Value::POISON));
    })
    .and_then(|mut carried| carried.pop())
}

/// How many rounds there are, as `i32`.
fn rounds(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let (value, span) = call.argument(0)?;
    let zero = (Static::integer(0).into(), span);
    match tracer.run_time_range(zero, (value, span), false) {
        Value::Leaf(ValueLeaf::Rounds(rounds)) => Some(rounds.end),
        _ => None,
    }
}

pub(super) fn scan(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (init, init_span) = call.argument(0)?;
    let init = tracer.materialize(init, call.name, init_span)?;
    let xs = call.argument(1)?;
    let callable = tracer.callable(call.argument(2)?, call.name, 2)?;
    scan_with(tracer, &call, init, xs, &callable, true)
}

pub(super) fn map(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let xs = call.argument(0)?;
    let callable = tracer.callable(call.argument(1)?, call.name, 1)?;
    let result = scan_with(tracer, &call, Value::unit(), xs, &callable, false)?;
    match result {
        Tree::Tuple(mut parts) => parts.pop(),
        _ => None,
    }
}

/// Applies a closure to each slice along the first axis and stacks what it returns. With a carry, it
/// takes and returns one, which comes first.
fn scan_with(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    init: Value,
    (xs, xs_span): (Value, SpanId),
    callable: &Callable,
    carries: bool,
) -> Result {
    let (name, span) = (call.name, call.span);
    let closure_span = call.arguments.last().map_or(span, |(_, span)| *span);
    let xs = tracer.materialize(xs, name, xs_span)?;
    let count = leading_size(tracer, &xs, name, xs_span)?;
    let carry_ty = init.ty();
    let mut step = |tracer: &mut Tracer<'_>, index: &Tensor, carry: Value| {
        let x = slices(tracer, &xs, index, span)?;
        let arguments = match carries {
            true => vec![(carry, span), (x, span)],
            false => vec![(x, span)],
        };
        let result = tracer.apply(callable, arguments, None, span);
        let (carry, y) = match (carries, result) {
            (true, Tree::Tuple(mut parts)) if parts.len() == 2 => {
                let y = parts.pop()?;
                (parts.pop()?, y)
            }
            (false, y) => (Value::unit(), y),
            (true, other) => {
                if !other.is_poisoned() {
                    let message = format!(
                        "the closure of `{name}` returns a pair `(carry, y)`, found `{}`",
                        other.ty()
                    );
                    tracer.error(Code::TypeMismatch, closure_span, message);
                }
                return None;
            }
        };
        let place = format!("what the closure of `{name}` hands on");
        let carry = tracer.conform(carry, &carry_ty, closure_span, &place);
        let y = tracer.materialize(y, name, closure_span)?;
        (!carry.is_poisoned()).then_some((carry, y))
    };
    let y_ty = one_round(tracer, &init, &mut step)?;
    let stacked = stacks(tracer, &y_ty, &count, span)?;
    let end = tracer.place_tensor(count.extent()?, span)?;
    let variables = [(CARRY, init), (STACKED, stacked)];
    let carried = rounds_with(tracer, &variables, end, span, &mut |tracer, index| {
        let carry = hidden(tracer, CARRY);
        let next = step(tracer, index, carry);
        let stacked = hidden(tracer, STACKED);
        let (carry, stacked) = match next {
            Some((carry, y)) => {
                let written = write_slices(tracer, &stacked, &y, index, span);
                (carry, written.unwrap_or(Value::POISON))
            }
            None => (Value::POISON, Value::POISON),
        };
        tracer.set_hidden(CARRY, carry);
        tracer.set_hidden(STACKED, stacked);
    })?;
    Some(Tree::Tuple(carried))
}

/// The type of what a round stacks: a round is traced and forgotten.
fn one_round(
    tracer: &mut Tracer<'_>,
    init: &Value,
    step: &mut impl FnMut(&mut Tracer<'_>, &Tensor, Value) -> Option<(Value, Value)>,
) -> Option<Type> {
    let (mark, state) = (tracer.builder.mark(), tracer.state());
    let parameters = [TensorType::new(DType::I32, [])];
    let parameters = tracer.builder.open_region(&parameters);
    let result = parameters
        .first()
        .and_then(|index| step(tracer, index, init.clone()));
    tracer.builder.go_back(mark);
    tracer.restore(&state);
    result.map(|(_, y)| y.ty())
}

/// Zeros for the stacked results.
fn stacks(tracer: &mut Tracer<'_>, ty: &Type, count: &Dim, span: SpanId) -> Result {
    let mut failed = false;
    let stacked = ty.map(&mut |leaf| {
        let tensor = match leaf {
            TypeLeaf::Tensor(ty) => {
                let mut dims = vec![count.clone()];
                dims.extend_from_slice(ty.shape.dims());
                let ty = TensorType::new(ty.dtype, Shape::new(dims));
                tracer.any_tensor(&ty, span)
            }
            _ => None,
        };
        failed |= tensor.is_none();
        tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
    });
    (!failed).then_some(stacked)
}

/// Runs a loop with hidden variables, and returns what they are in the end.
fn rounds_with(
    tracer: &mut Tracer<'_>,
    variables: &[(&str, Value)],
    end: Tensor,
    span: SpanId,
    round: &mut dyn FnMut(&mut Tracer<'_>, &Tensor),
) -> Option<Vec<Value>> {
    let zero = tracer.constant(Static::integer(0), end.ty.dtype, &Shape::default(), span)?;
    let run = |tracer: &mut Tracer<'_>, _| {
        for (name, value) in variables {
            tracer.hide(name, Some(value.clone()));
        }
        tracer.hide(INDEX, Some(zero.into()));
        count_rounds(tracer, end, span, round)?;
        let values = variables.iter().map(|(name, _)| hidden(tracer, name));
        Ok(values.collect())
    };
    let breakable = Breakable::new(BreakableKind::Rounds, None, span);
    tracer.inside(breakable, run).ok()
}

/// The loop itself, over the hidden index.
fn count_rounds(
    tracer: &mut Tracer<'_>,
    end: Tensor,
    span: SpanId,
    round: &mut dyn FnMut(&mut Tracer<'_>, &Tensor),
) -> Flow<()> {
    let condition = |tracer: &mut Tracer<'_>| {
        let operands = ((hidden(tracer, INDEX), span), (end.clone().into(), span));
        Ok(tracer.binary_value(BinaryOperator::Less, operands.0, operands.1, span))
    };
    let body = |tracer: &mut Tracer<'_>| {
        if let Value::Leaf(ValueLeaf::Tensor(index)) = hidden(tracer, INDEX) {
            round(tracer, &index);
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

fn hidden(tracer: &Tracer<'_>, name: &str) -> Value {
    tracer.hidden(name).unwrap_or(Value::POISON)
}

/// The size of the first axis, which all tensors share.
fn leading_size(tracer: &mut Tracer<'_>, xs: &Value, name: &str, span: SpanId) -> Option<Dim> {
    let mut sizes = Vec::new();
    for (_, leaf) in xs.leaves() {
        if let ValueLeaf::Tensor(tensor) = leaf {
            sizes.push(tensor.ty.shape.dims().first().cloned());
        }
    }
    match sizes.first() {
        Some(Some(first)) if sizes.iter().all(|size| size.as_ref() == Some(first)) => {
            Some(first.clone())
        }
        _ => {
            let message = format!(
                "`{name}` runs along the first axis, which all tensors must share, found `{}`",
                xs.ty()
            );
            tracer.error(Code::ShapeMismatch, span, message);
            None
        }
    }
}

/// The slice at an index of the first axis, of every tensor.
fn slices(tracer: &mut Tracer<'_>, xs: &Value, index: &Tensor, span: SpanId) -> Result {
    let mut failed = false;
    let slices = xs.map(&mut |leaf| {
        let slice = match leaf {
            ValueLeaf::Tensor(tensor) => {
                let selectors = first_axis(tensor, index);
                tracer.read_part(tensor.clone(), &selectors, span)
            }
            _ => None,
        };
        failed |= slice.is_none();
        slice.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
    });
    (!failed).then_some(slices)
}

fn write_slices(
    tracer: &mut Tracer<'_>,
    stacked: &Value,
    y: &Value,
    index: &Tensor,
    span: SpanId,
) -> Result {
    let mut ys = y.leaves().into_iter();
    let mut failed = false;
    let written = stacked.map(&mut |leaf| {
        let written = match (leaf, ys.next()) {
            (ValueLeaf::Tensor(stack), Some((_, ValueLeaf::Tensor(y)))) => {
                let selectors = first_axis(stack, index);
                let y = (y.clone().into(), span);
                tracer.write_part(stack.clone(), &selectors, y, span)
            }
            _ => None,
        };
        failed |= written.is_none();
        written.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
    });
    (!failed).then_some(written)
}

fn first_axis(tensor: &Tensor, index: &Tensor) -> Vec<Selector> {
    let sizes = tensor.ty.shape.extents().unwrap_or_default();
    let rest = sizes.into_iter().skip(1).map(Selector::all);
    std::iter::once(Selector::Computed(index.clone()))
        .chain(rest)
        .collect()
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
