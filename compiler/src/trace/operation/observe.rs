//! What is told of a program.

use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Value, ValueLeaf},
    },
    OperationCall,
};
use crate::diagnostic::Remark;

/// Tells the types of the arguments while building, and of what is known the value too.
pub(super) fn debug_shape(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let arguments = call.arguments.iter().map(|(value, _)| describe(value));
    let remark = Remark {
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
