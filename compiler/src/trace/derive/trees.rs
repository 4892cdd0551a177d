//! Functions applied to the leaves of trees.

use super::super::{
    operation::OperationCall,
    tracer::Tracer,
    tree::Tree,
    value::{Value, ValueLeaf},
};
use crate::{diagnostic::Code, span::SpanId};
use iree_dsl_ir::op::{Op, UnaryOp};

pub(crate) fn stop_gradient(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (value, span) = call.argument(0)?;
    let op = Op::Unary(UnaryOp::StopGradient);
    let leaves = leaf_by_leaf(&value, &mut |leaf| match leaf {
        ValueLeaf::Tensor(tensor) => tracer.emit_named(op.clone(), &[tensor], call.name, call.span),
        // Numbers known while building are constants.
        ValueLeaf::Static(_) | ValueLeaf::Size(_) => Value::Leaf(leaf.clone()),
        other => {
            let tensor = tracer.tensor(Value::Leaf(other.clone()), call.name, span);
            tensor.map_or(Value::POISON, Value::from)
        }
    });
    Some(leaves)
}

pub(crate) fn map_tree(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (tree, span) = call.argument(0)?;
    let function = tracer.callable(call.argument(1)?, call.name, 1)?;
    let leaves = leaf_by_leaf(&tree, &mut |leaf| {
        let argument = (Value::Leaf(leaf.clone()), span);
        tracer.apply(&function, vec![argument], None, call.span)
    });
    Some(tracer.renamed(leaves))
}

pub(crate) fn zip_tree(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (first, span) = call.argument(0)?;
    let (second, second_span) = call.argument(1)?;
    let function = tracer.callable(call.argument(2)?, call.name, 2)?;
    if !first.has_structure_of(&second) {
        return different(tracer, &first, &second, second_span);
    }
    let mut others = second.leaves().into_iter();
    let leaves = leaf_by_leaf(&first, &mut |leaf| {
        let other = others.next().map(|(_, leaf)| Value::Leaf(leaf.clone()));
        let arguments = vec![
            (Value::Leaf(leaf.clone()), span),
            (other.unwrap_or(Value::POISON), second_span),
        ];
        tracer.apply(&function, arguments, None, call.span)
    });
    Some(tracer.renamed(leaves))
}

pub(crate) fn fold_tree(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (tree, span) = call.argument(0)?;
    let first = call.argument(1)?;
    let function = tracer.callable(call.argument(2)?, call.name, 2)?;
    let folded = tree.leaves().into_iter().fold(first, |so_far, (_, leaf)| {
        let arguments = vec![so_far, (Value::Leaf(leaf.clone()), span)];
        (tracer.apply(&function, arguments, None, call.span), span)
    });
    Some(folded.0)
}

fn different(
    tracer: &mut Tracer<'_>,
    first: &Value,
    second: &Value,
    span: SpanId,
) -> Option<Value> {
    let message = format!(
        "`zip_tree` goes through trees of one structure: expected `{}`, found `{}`",
        first.ty(),
        second.ty()
    );
    tracer.error(Code::TypeMismatch, span, message);
    None
}

/// A tree with another value in the place of each leaf.
pub(super) fn leaf_by_leaf(tree: &Value, leaf: &mut dyn FnMut(&ValueLeaf) -> Value) -> Value {
    match tree {
        Tree::Leaf(value) => leaf(value),
        Tree::Struct(name, fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, tree)| (name.clone(), leaf_by_leaf(tree, leaf)));
            Tree::Struct(name.clone(), fields.collect())
        }
        Tree::Tuple(items) => {
            Tree::Tuple(items.iter().map(|item| leaf_by_leaf(item, leaf)).collect())
        }
        Tree::Array(items) => {
            Tree::Array(items.iter().map(|item| leaf_by_leaf(item, leaf)).collect())
        }
    }
}
