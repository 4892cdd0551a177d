//! What the first iteration of `fori` and `scan` is given.

use super::super::{
    tracer::Tracer,
    types::Type,
    value::{Tensor, Value, ValueLeaf},
    weak::Joined,
};
use crate::span::SpanId;
use iree_abi::TensorType;

type Result = Option<Value>;

/// What the first iteration is given.
pub(super) struct First<'t> {
    pub(super) init: (Value, SpanId),
    /// The type that it should have.
    pub(super) expected: Option<&'t Type>,
    /// The type of what counts the iterations.
    pub(super) index: TensorType,
}

impl First<'_> {
    /// The value as tensors. Numbers, and what waits for its type, take the type that is expected, else that of
    /// what an iteration makes of them.
    pub(super) fn value(
        self,
        tracer: &mut Tracer<'_>,
        name: &str,
        iteration: &mut dyn FnMut(&mut Tracer<'_>, &Tensor, Value) -> Result,
    ) -> Result {
        let (init, span) = self.init;
        let init = match self.expected {
            Some(expected) => tracer.typed(&init, expected, span),
            None => init,
        };
        if init.is_poisoned() {
            return None;
        }
        let waits = |leaf: &ValueLeaf| match leaf {
            ValueLeaf::Deferred(_) => true,
            ValueLeaf::Static(number) => number.ty.is_weak(),
            _ => false,
        };
        let is_open = init.leaves().iter().any(|(_, leaf)| waits(leaf));
        let next = match is_open {
            true => type_after(tracer, &self.index, &init, iteration),
            false => None,
        };
        let init = match next {
            Some(next) => tracer.typed(&init, &next, span),
            None => init,
        };
        let init = numbers_as_tensors(tracer, init, span)?;
        tracer.materialize(init, name, span)
    }
}

/// The value with numbers as tensors. Those that were literals take the element type of what an iteration has them meet.
fn numbers_as_tensors(tracer: &mut Tracer<'_>, init: Value, span: SpanId) -> Result {
    let (mut position, mut failed) = (0, false);
    let init = init.map(&mut |leaf| {
        position += 1;
        let ValueLeaf::Static(number) = leaf else {
            return leaf.clone();
        };
        let Some(Joined { ty, weak }) = tracer.type_of_literal(number.ty, (span, position)) else {
            return leaf.clone();
        };
        let tensor = tracer.constant(*number, ty.dtype, &ty.shape, span);
        failed |= tensor.is_none();
        tensor.map_or(ValueLeaf::Poison, |tensor| {
            ValueLeaf::Tensor(Tensor { weak, ..tensor })
        })
    });
    (!failed).then_some(init)
}

/// The value with what waits for its type as scalars, where all that it is computed from are.
fn settled(tracer: &mut Tracer<'_>, value: &Value) -> Value {
    value.map(&mut |leaf| {
        let tensor = match leaf {
            ValueLeaf::Deferred(deferred) => tracer.settle(deferred),
            _ => None,
        };
        tensor.map_or_else(|| leaf.clone(), ValueLeaf::Tensor)
    })
}

/// The type of what an iteration makes of a value, as far as it gets: the iteration is traced and forgotten.
fn type_after(
    tracer: &mut Tracer<'_>,
    index: &TensorType,
    init: &Value,
    iteration: &mut dyn FnMut(&mut Tracer<'_>, &Tensor, Value) -> Result,
) -> Option<Type> {
    let (mark, state) = (tracer.builder.mark(), tracer.state());
    let mistakes = tracer.error_count();
    let parameters = tracer.builder.open_region(std::slice::from_ref(index));
    let next = parameters
        .first()
        .and_then(|index| iteration(tracer, index, init.clone()));
    let next = next.map(|next| settled(tracer, &next));
    tracer.undo(mark, &state, mistakes);
    // Where the iteration does not get to it, nothing is said of the type.
    next.map(|next| next.ty()).filter(|ty| !ty.is_poisoned())
}
