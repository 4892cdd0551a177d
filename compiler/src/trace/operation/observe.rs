//! What is told of a program: while it is built, and to the host while it runs.

use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    include::text,
};
use crate::diagnostic::{Code, Diagnostic, Remark};
use iree_dsl_ir::{
    Scalar,
    op::{Observation, Op},
};

/// The most tensors that IREE shows at once.
const TENSORS: usize = 128;

pub(super) fn trace(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (key, _) = text(tracer, "the key", 0, &call)?;
    let mut tensors: Vec<Tensor> = Vec::new();
    for (value, span) in call.arguments.iter().skip(1) {
        for (_, leaf) in value.leaves() {
            tensors.push(tracer.tensor(Value::Leaf(leaf.clone()), call.name, *span)?);
        }
    }
    if tensors.is_empty() || tensors.len() > TENSORS {
        let found = tensors.len();
        let message = format!("`trace!` shows 1 to {TENSORS} tensors, found {found}");
        tracer.error(Code::ArgumentCount, call.span, message);
        return None;
    }
    let operands: Vec<_> = tensors.iter().collect();
    observe(tracer, Op::Trace(Observation::new(&*key)), &operands, &call)
}

pub(super) fn assert(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (condition, span) = call.argument(0)?;
    let (message, message_span) = text(tracer, "the message", 1, &call)?;
    if let Some(placeholder) = placeholder(&message) {
        let text = format!("messages are plain texts: nothing is put in for `{placeholder}`");
        let diagnostic = Diagnostic::new(Code::Unsupported, message_span, text);
        tracer.report(diagnostic.help("show tensors with `trace!(\"key\", x)` before"));
        return None;
    }
    if let Value::Leaf(ValueLeaf::Static(Static {
        value: Scalar::Bool(holds),
        ..
    })) = condition
    {
        if !holds {
            let message = format!("the assertion fails while building: {message}");
            tracer.error(Code::StaticEvaluation, span, message);
        }
        return holds.then(Value::unit);
    }
    let condition = tracer.tensor(condition, call.name, span)?;
    let op = Op::Assert(Observation::new(&*message));
    if op.infer(std::slice::from_ref(&condition.ty), &[]).is_err() {
        let found = &condition.ty;
        let message =
            format!("the condition of `assert!` must be a `Tensor<bool>`, found `{found}`");
        let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
        tracer.report(diagnostic.help("ask for `all()` or `any()` of several truth values"));
        return None;
    }
    observe(tracer, op, &[&condition], &call)
}

/// What a format string would have a value put in for.
fn placeholder(message: &str) -> Option<&str> {
    let mut opened = message.match_indices('{');
    opened.find_map(|(at, _)| {
        let length = message.get(at..)?.find('}')?;
        let inside = message.get(at + 1..at + length)?;
        let name = inside.split(':').next()?;
        let is_name = name
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || one == '_');
        is_name.then(|| message.get(at..=at + length)).flatten()
    })
}

fn observe(
    tracer: &mut Tracer<'_>,
    op: Op,
    operands: &[&Tensor],
    call: &OperationCall<'_>,
) -> Option<Value> {
    match tracer.builder.emit(op, operands, call.span) {
        Ok(_) => Some(Value::unit()),
        Err(error) => Some(tracer.infer_error(&error, call.name, call.span)),
    }
}

/// Tells the types of the arguments while building, and of what is known the value too.
pub(super) fn debug_shape(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let arguments = call.arguments.iter().map(|(value, _)| describe(value));
    let remark = Remark {
        topic: "debug_shape",
        span: call.span,
        text: arguments.collect::<Vec<_>>().join(", "),
    };
    tracer.builder.remarks.push(remark);
    Some(Tree::unit())
}

fn describe(value: &Value) -> String {
    let ty = value.ty();
    match value {
        Value::Leaf(ValueLeaf::Static(number)) => format!("`{ty}`: {number}"),
        Value::Leaf(ValueLeaf::Size(extent)) => format!("`{ty}`: {extent}"),
        Value::Leaf(ValueLeaf::Text(text)) => format!("`{ty}`: {text:?}"),
        _ => format!("`{ty}`"),
    }
}
