//! What is written in the language itself.

use super::{
    super::{
        closure::Callable,
        tracer::Tracer,
        types::Type,
        value::{Value, ValueLeaf},
    },
    OperationCall,
};

type Result = Option<Value>;

/// A closure that is written in the language.
pub(super) fn written(tracer: &mut Tracer<'_>, source: &str, call: &OperationCall<'_>) -> Result {
    let callable = tracer.written_closure(source, call.span)?;
    Some(Value::Leaf(ValueLeaf::Callable(callable)))
}

/// What a closure that is written in the language makes of values.
pub(super) fn apply(
    tracer: &mut Tracer<'_>,
    source: &str,
    arguments: Vec<Value>,
    call: &OperationCall<'_>,
) -> Result {
    let callable: Callable = tracer.written_closure(source, call.span)?;
    let arguments = arguments.into_iter().map(|value| (value, call.span));
    let value = tracer.apply(&callable, arguments.collect(), None::<&Type>, call.span);
    (!value.is_poisoned()).then_some(value)
}
