//! `checkpoint`: computed again in reverse mode instead of kept.

use super::{
    super::{closure::Callable, operation::OperationCall, tracer::Tracer, value::Value},
    Derived,
};
use crate::span::SpanId;

/// A function of which nothing is kept but its arguments.
#[derive(Debug)]
pub(crate) struct Checkpointed {
    /// The function.
    pub(super) function: Callable,
}

pub(crate) fn checkpoint(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let function = tracer.function_of(call.argument(0)?, call.name)?;
    Some(Derived::Checkpointed(Checkpointed { function }).into())
}

impl Tracer<'_> {
    pub(super) fn apply_checkpointed(
        &mut self,
        checkpointed: &Checkpointed,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Value {
        let mark = self.builder.mark();
        let value = self.apply(&checkpointed.function, arguments, None, span);
        if self.deriving > 0 {
            let operations = self.builder.added_since(&mark).operations;
            let first = operations.first().copied();
            self.builder
                .checkpoints
                .extend(first.map(|first| (first, operations)));
        }
        value
    }
}
