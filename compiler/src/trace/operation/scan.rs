//! `scan` and `map`: a closure applied to each slice along the first axis.

use super::{
    super::{
        closure::Callable,
        index::Selector,
        tracer::Tracer,
        tree::Tree,
        types::{Type, TypeLeaf},
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    carry::First,
    control::{CARRY, hidden, rounds_with},
    items::along_first_axis,
};
use crate::{diagnostic::Code, span::SpanId};
use iree_abi::{DType, Dim, Shape, TensorType};

type Result = Option<Value>;

/// The hidden variable for what is stacked.
const STACKED: &str = "<stacked>";

pub(super) fn scan(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let callable = tracer.callable(call.argument(2)?, call.name, 2)?;
    let xs = call.argument(1)?;
    scan_with(tracer, &call, call.argument(0), xs, &callable)
}

pub(super) fn map(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let xs = call.argument(0)?;
    let callable = tracer.callable(call.argument(1)?, call.name, 1)?;
    let result = scan_with(tracer, &call, None, xs, &callable)?;
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
    init: Option<(Value, SpanId)>,
    (xs, xs_span): (Value, SpanId),
    callable: &Callable,
) -> Result {
    let (name, span) = (call.name, call.span);
    let xs = tracer.materialize(xs, name, xs_span)?;
    let xs = along_first_axis(tracer, xs, name, xs_span)?;
    let count = leading_size(tracer, &xs, name, xs_span)?;
    let mut iterations = ScanIterations {
        xs,
        callable,
        call,
        carries: init.is_some(),
        expected: ExpectedOfScan::new(call.expected, init.is_some()),
    };
    let init = match init {
        None => Value::unit(),
        Some(init) => {
            let expected = iterations.expected.carry.clone();
            let first = First {
                init,
                expected: expected.as_ref(),
                index: TensorType::new(DType::I32, []),
            };
            let mut trial = |tracer: &mut Tracer<'_>, index: &Tensor, carry: Value| {
                let (carry, _) = iterations.apply(tracer, index, carry)?;
                Some(carry)
            };
            first.value(tracer, name, &mut trial)?
        }
    };
    iterations.expected.carry = Some(init.ty());
    let y_ty = one_round(tracer, &init, &mut |tracer, index, carry| {
        iterations.step(tracer, index, carry)
    })?;
    let stacked = stacks(tracer, &y_ty, &count, span)?;
    if count.known() == Some(0) {
        return Some(Tree::Tuple(vec![init, stacked]));
    }
    let end = tracer.place_tensor(count.extent()?, span)?;
    let mark = tracer.builder.mark();
    let variables = [(CARRY, init), (STACKED, stacked)];
    let carried = rounds_with(tracer, &variables, end, span, &mut |tracer, index| {
        let carry = hidden(tracer, CARRY);
        let next = iterations.step(tracer, index, carry);
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
    tracer.bound_loop(callable, &mark);
    Some(Tree::Tuple(carried))
}

/// The iterations of `scan` and `map`.
struct ScanIterations<'s, 'c> {
    xs: Value,
    callable: &'s Callable,
    call: &'s OperationCall<'c>,
    carries: bool,
    expected: ExpectedOfScan,
}

/// What an iteration should return.
struct ExpectedOfScan {
    carry: Option<Type>,
    y: Option<Type>,
}

impl ExpectedOfScan {
    /// What follows from the type that the whole should have.
    fn new(expected: Option<&Type>, carries: bool) -> Self {
        match (expected, carries) {
            (Some(Tree::Tuple(parts)), true) => Self {
                carry: parts.first().cloned(),
                y: parts.get(1).map(without_first_axis),
            },
            (Some(stacked), false) => Self {
                carry: None,
                y: Some(without_first_axis(stacked)),
            },
            _ => Self {
                carry: None,
                y: None,
            },
        }
    }

    /// The type of the value of the closure.
    fn result(&self, carries: bool) -> Option<Type> {
        let unknown = || Tree::Leaf(TypeLeaf::Unknown);
        match carries {
            false => self.y.clone(),
            true => {
                let parts = [&self.carry, &self.y];
                let parts = parts.map(|part| part.clone().unwrap_or_else(unknown));
                Some(Tree::Tuple(parts.into()))
            }
        }
    }
}

impl ScanIterations<'_, '_> {
    fn closure_span(&self) -> SpanId {
        let last = self.call.arguments.last();
        last.map_or(self.call.span, |(_, span)| *span)
    }

    /// What an iteration hands on and what it stacks, as the closure returns them.
    fn apply(
        &self,
        tracer: &mut Tracer<'_>,
        index: &Tensor,
        carry: Value,
    ) -> Option<(Value, Value)> {
        let span = self.call.span;
        let x = slices(tracer, &self.xs, index, span)?;
        let arguments = match self.carries {
            true => vec![(carry, span), (x, span)],
            false => vec![(x, span)],
        };
        let expected = self.expected.result(self.carries);
        let result = tracer.apply(self.callable, arguments, expected.as_ref(), span);
        match (self.carries, result) {
            (true, Tree::Tuple(mut parts)) if parts.len() == 2 => {
                let y = parts.pop()?;
                Some((parts.pop()?, y))
            }
            (false, y) => Some((Value::unit(), y)),
            (true, other) => {
                if !other.is_poisoned() {
                    let message = format!(
                        "the closure of `{}` returns a pair `(carry, y)`, found `{}`",
                        self.call.name,
                        other.ty()
                    );
                    tracer.error(Code::TypeMismatch, self.closure_span(), message);
                }
                None
            }
        }
    }

    /// The same with the carry of the type that it has in all iterations, and tensors to stack.
    fn step(
        &self,
        tracer: &mut Tracer<'_>,
        index: &Tensor,
        carry: Value,
    ) -> Option<(Value, Value)> {
        let (name, span) = (self.call.name, self.closure_span());
        let (carry, y) = self.apply(tracer, index, carry)?;
        let place = format!("what the closure of `{name}` hands on");
        let carry_ty = self.expected.carry.clone().unwrap_or_else(Type::unit);
        let carry = tracer.conform(carry, &carry_ty, span, &place);
        let y = match &self.expected.y {
            Some(ty) => tracer.typed(&y, ty, span),
            None => y,
        };
        let y = tracer.materialize(y, name, span)?;
        (!carry.is_poisoned()).then_some((carry, y))
    }
}

/// The type of a slice along the first axis.
fn without_first_axis(ty: &Type) -> Type {
    ty.map(&mut |leaf| match leaf {
        TypeLeaf::Tensor(ty) => match ty.shape.dims().split_first() {
            Some((_, rest)) => {
                TypeLeaf::Tensor(TensorType::new(ty.dtype, Shape::new(rest.to_vec())))
            }
            None => TypeLeaf::Unknown,
        },
        _ => TypeLeaf::Unknown,
    })
}

/// The type of what an iteration stacks: an iteration is traced and forgotten.
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

/// The size of the first axis, which all tensors share.
pub(crate) fn leading_size(
    tracer: &mut Tracer<'_>,
    xs: &Value,
    name: &str,
    span: SpanId,
) -> Option<Dim> {
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

/// The slice at an index of the first axis, of every tensor. Of none it is any tensor: no iteration runs.
fn slices(tracer: &mut Tracer<'_>, xs: &Value, index: &Tensor, span: SpanId) -> Result {
    let mut failed = false;
    let slices = xs.map(&mut |leaf| {
        let slice = match leaf {
            ValueLeaf::Tensor(tensor) => match tensor.ty.shape.dims().split_first() {
                Some((Dim::Static(0), rest)) => {
                    let ty = TensorType::new(tensor.ty.dtype, Shape::new(rest.to_vec()));
                    tracer.any_tensor(&ty, span)
                }
                _ => {
                    let selectors = first_axis(tensor, index);
                    tracer.read_part(tensor.clone(), &selectors, span)
                }
            },
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
