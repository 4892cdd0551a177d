//! Elements combined by a closure.

use super::{
    super::{
        closure::Callable,
        index::Selector,
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    control::fold_rounds,
    formula::{formula, traced},
};
use iree_abi::{Dim, TensorType};
use iree_dsl_library::fold;

type Result = Option<Value>;

/// `x.reduce(init, k, |a, b| ..)`: neighbours are combined, then those that are left, and so on, so that
/// the order of the elements is kept.
pub(super) fn reduce(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (init, init_span) = call.argument(1)?;
    let axes = tracer.axes(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let callable = tracer.callable(call.argument(3)?, call.name, 2)?;
    let place = format!("the first number of `{}`", call.name);
    let scalar = Type::from(TensorType::new(operand.ty.dtype, []));
    let init = tracer.conform(init, &scalar, init_span, &place);
    let init = tracer.tensor(init, call.name, init_span)?;
    let merged = formula(tracer, &call, [&operand], |[x]| fold::merged(&x, axes))?;
    let size = merged.ty.shape.dims().last().and_then(Dim::known);
    let folded = match size {
        Some(size) => traced(tracer, &call, |formula| {
            let (x, init) = (formula.term(&merged), formula.term(&init));
            let start = fold::started(&x, &init);
            Some(fold::pairwise(&x, start, size, |a, b| {
                formula.called([a, b], |tracer, pair| {
                    combined(tracer, &callable, pair, &call)
                })
            }))
        }),
        None => one_by_one(tracer, &merged, &init, &callable, &call),
    };
    folded.map(Value::from)
}

/// In a loop of the program, for an axis whose size is known at the call only.
fn one_by_one(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    init: &Tensor,
    callable: &Callable,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let (name, span) = (call.name, call.span);
    let start = formula(tracer, call, [operand, init], |[x, init]| {
        fold::started(&x, &init)
    })?;
    let count = operand.ty.shape.dims().last().and_then(Dim::extent)?;
    let end = tracer.place_tensor(count, span)?;
    let folded = fold_rounds(tracer, start.into(), end, span, &mut |tracer, at, all| {
        let sizes = operand.ty.shape.extents()?.into_iter();
        let mut selectors: Vec<_> = sizes.map(Selector::all).collect();
        *selectors.last_mut()? = Selector::Computed(at.clone());
        let element = tracer.read_part(operand.clone(), &selectors, span)?;
        let all = tracer.tensor(all, name, span)?;
        combined(tracer, callable, [all, element], call).map(Value::from)
    })?;
    tracer.tensor(folded, name, span)
}

/// What a closure makes of two tensors of one type, which must be a third one.
pub(super) fn combined(
    tracer: &mut Tracer<'_>,
    callable: &Callable,
    [a, b]: [Tensor; 2],
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let span = call.span;
    let ty = Type::from(a.ty.clone());
    let arguments = vec![(a.into(), span), (b.into(), span)];
    let value = tracer.apply(callable, arguments, Some(&ty), span);
    let place = format!("what the closure of `{}` returns", call.name);
    match tracer.conform(value, &ty, span, &place) {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor),
        _ => None,
    }
}
