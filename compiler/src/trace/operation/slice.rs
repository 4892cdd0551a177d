//! Windows and joins.

use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        types::Type,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall, called_as,
    formula::traced_at,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{Dim, Extent, Shape};
use iree_dsl_ir::op::{DynamicSlice, Op};
use iree_dsl_library::arrange;

type Result = Option<Value>;

/// A part given by something else than `s![..]`, which is traced as an index.
pub(super) fn slice(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (value, span) = call.argument(1)?;
    let message = format!(
        "`slice` takes a part written as `s![..]`, found `{}`",
        value.ty()
    );
    let help = "write `x.slice(s![1..3, ..])`";
    Some(tracer.report(Diagnostic::new(Code::Index, span, message).help(help)))
}

pub(super) fn dynamic_slice(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let starts = starts(tracer, &call, 1, &operand)?;
    let (sizes, span) = call.argument(2)?;
    let sizes = tracer.extents((sizes, span), call.name)?;
    let sizes: Option<Vec<_>> = sizes.into_iter().map(Dim::from_extent).collect();
    let Some(sizes) = sizes.map(Shape::new) else {
        return Some(tracer.error(Code::ShapeMismatch, span, "a size cannot be negative"));
    };
    let operands: Vec<_> = std::iter::once(&operand).chain(&starts).collect();
    let op = Op::DynamicSlice(DynamicSlice { sizes });
    Some(tracer.emit_named(op, &operands, call.name, call.span))
}

pub(super) fn dynamic_update_slice(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operands = [call.argument(0)?, call.argument(1)?];
    let [operand, update] = tracer.same_dtype(operands, call.name, call.span)?;
    let starts = starts(tracer, &call, 2, &operand)?;
    let operands: Vec<_> = [&operand, &update].into_iter().chain(&starts).collect();
    Some(tracer.emit_named(Op::DynamicUpdateSlice, &operands, call.name, call.span))
}

/// Where a window starts along each axis.
fn starts(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    position: usize,
    operand: &Tensor,
) -> Option<Vec<Tensor>> {
    let (list, span) = call.argument(position)?;
    let sizes = operand.ty.shape.extents()?;
    let items = match list {
        Tree::Array(items) | Tree::Tuple(items) => items,
        item => vec![item],
    };
    if items.len() != sizes.len() {
        let expected = super::super::resolve::count(sizes.len(), "start");
        let message = format!("`{}` needs {expected}, found {}", call.name, items.len());
        tracer.error(Code::ShapeMismatch, span, message);
        return None;
    }
    let items = items.into_iter().zip(sizes);
    items
        .map(|(item, size)| start(tracer, item, &size, call, span))
        .collect()
}

fn start(
    tracer: &mut Tracer<'_>,
    item: Value,
    size: &Extent,
    call: &OperationCall<'_>,
    span: SpanId,
) -> Option<Tensor> {
    match item {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => tracer.computed_place(tensor, size, span),
        other => match other.as_extent() {
            Some(place) => tracer.place_tensor(place, span),
            None => {
                tracer.not_a_number(&other, call.name, span);
                None
            }
        },
    }
}

pub(super) fn concatenate(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let tensors = list(tracer, &call, false)?;
    let rank = tensors.first().map_or(0, |tensor| tensor.ty.shape.rank());
    let axis = tracer.axis(call.argument(1)?, rank, call.name)?;
    let operands: Vec<_> = tensors.iter().collect();
    Some(tracer.emit_named(Op::Concatenate(axis), &operands, call.name, call.span))
}

pub(super) fn stack(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let tensors = list(tracer, &call, true)?;
    let rank = tensors.first().map_or(0, |tensor| tensor.ty.shape.rank());
    let axis = tracer.axis(call.argument(1)?, rank + 1, call.name)?;
    let place = (call.name, call.span);
    stacked(tracer, &tensors, axis, place).map(Value::from)
}

/// Tensors one behind the other along a new axis, for an operation of that name.
pub(super) fn stacked(
    tracer: &mut Tracer<'_>,
    tensors: &[Tensor],
    axis: usize,
    place: (&str, SpanId),
) -> Option<Tensor> {
    traced_at(tracer, place, |formula| {
        arrange::stacked(tensors.iter().map(|tensor| formula.term(tensor)), axis)
    })
}

/// The tensors of the first argument, an array. Of those that are alike, scalars and what waits for its type are like
/// the first that has one.
fn list(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, alike: bool) -> Option<Vec<Tensor>> {
    let (value, span) = call.argument(0)?;
    match value {
        Tree::Array(items) | Tree::Tuple(items) if !items.is_empty() => {
            let first = items.iter().find_map(|item| match item {
                Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(Type::from(tensor.ty.clone())),
                _ => None,
            });
            let first = first.filter(|_| alike);
            let tensor = |item| {
                let item = match &first {
                    Some(ty) => tracer.typed(&item, ty, span),
                    None => item,
                };
                tracer.tensor(item, call.name, span)
            };
            items.into_iter().map(tensor).collect()
        }
        other => {
            let message = format!(
                "`{}` takes an array of tensors, found `{}`",
                call.name,
                other.ty()
            );
            let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
            tracer.report(diagnostic.help_if(called_as(call.name)));
            None
        }
    }
}
