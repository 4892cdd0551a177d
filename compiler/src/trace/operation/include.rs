//! Tensors from files that are read while building.

use super::{
    super::{
        tracer::Tracer,
        value::{Value, ValueLeaf},
    },
    OperationCall,
};
use crate::{diagnostic::Code, span::SpanId};
use iree_dsl_ir::{Constant, op::Op};
use std::rc::Rc;

pub(super) fn npy(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (path, span) = text(tracer, "the path", 0, &call)?;
    let constant = tracer.npy(&path, span)?;
    Some(emit(tracer, constant, &call))
}

pub(super) fn safetensors(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (path, span) = text(tracer, "the path", 0, &call)?;
    let (name, name_span) = text(tracer, "the tensor's name", 1, &call)?;
    let constant = tracer.safetensors((&path, span), (&name, name_span))?;
    Some(emit(tracer, constant, &call))
}

fn emit(tracer: &mut Tracer<'_>, constant: Constant, call: &OperationCall<'_>) -> Value {
    tracer.emit_named(Op::Constant(constant), &[], call.name, call.span)
}

/// The argument at a position, which must be a text.
pub(super) fn text(
    tracer: &mut Tracer<'_>,
    what: &str,
    position: usize,
    call: &OperationCall<'_>,
) -> Option<(Rc<str>, SpanId)> {
    match call.argument(position)? {
        (Value::Leaf(ValueLeaf::Text(text)), span) => Some((text, span)),
        (other, span) => {
            let message = format!("{what} is a text in quotes, found `{}`", other.ty());
            tracer.error(Code::TypeMismatch, span, message);
            None
        }
    }
}
