//! Arrays as tensors with one axis more, which loops of the program go through item by item.

use super::{
    super::{
        builder::FunctionBuilder,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    slice::stacked,
};
use crate::{diagnostic::Code, span::SpanId};
use iree_abi::{Dim, Extent, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{Op, Slice},
};

/// The value with each of its outermost arrays as one item whose tensors have a first axis more, along which the
/// items follow each other.
pub(super) fn along_first_axis(
    tracer: &mut Tracer<'_>,
    value: Value,
    name: &str,
    span: SpanId,
) -> Option<Value> {
    let each = |tracer: &mut Tracer<'_>, parts: Vec<Value>| {
        let parts = parts.into_iter();
        let parts = parts.map(|part| along_first_axis(tracer, part, name, span));
        parts.collect::<Option<Vec<_>>>()
    };
    Some(match value {
        Tree::Array(items) => items_stacked(tracer, items, name, span)?,
        Tree::Tuple(parts) => Tree::Tuple(each(tracer, parts)?),
        Tree::Struct(tree, fields) => {
            let (names, parts): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
            let parts = each(tracer, parts)?;
            Tree::Struct(tree, names.into_iter().zip(parts).collect())
        }
        leaf @ Tree::Leaf(_) => leaf,
    })
}

fn items_stacked(
    tracer: &mut Tracer<'_>,
    items: Vec<Value>,
    name: &str,
    span: SpanId,
) -> Option<Value> {
    let Some(first) = items.first() else {
        let message = format!("`{name}` goes through an array, found one without items");
        tracer.error(Code::ShapeMismatch, span, message);
        return None;
    };
    let ty = first.ty();
    let other = items.iter().map(Value::ty).find(|other| *other != ty);
    if let Some(other) = other.filter(|_| !items.iter().any(Value::is_poisoned)) {
        let message = format!(
            "`{name}` goes through an array whose items have one type, found `{ty}` and `{other}`"
        );
        tracer.error(Code::TypeMismatch, span, message);
        return None;
    }
    let tensors: Vec<_> = items.iter().map(Value::tensors).collect();
    let mut leaf = 0..;
    let mut failed = false;
    let stacked = first.map(&mut |_| {
        let position = leaf.next().unwrap_or_default();
        let column = tensors.iter().map(|item| item.get(position).cloned());
        let column: Option<Vec<_>> = column.collect();
        let tensor = column.and_then(|column| match whole(tracer, &column) {
            Some(whole) => Some(whole),
            None => stacked(tracer, &column, 0, (name, span)),
        });
        failed |= tensor.is_none();
        tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
    });
    (!failed).then_some(stacked)
}

/// The tensor of which these are the slices along the first axis, all of them and in order: keys that a split made,
/// for example, are taken apart and come together again.
fn whole(tracer: &Tracer<'_>, items: &[Tensor]) -> Option<Tensor> {
    let builder = &tracer.builder;
    let source = source_of(builder, items.first()?.id, 0)?;
    let ty = builder.function().ty(source)?;
    let is_all = ty.shape.dims().first() == Some(&Dim::Static(items.len()));
    let mut items = items.iter().enumerate();
    let is_slice = |(index, item): (usize, &Tensor)| {
        source_of(builder, item.id, index) == Some(source) && is_item(&item.ty, ty)
    };
    (is_all && items.all(is_slice)).then(|| Tensor {
        id: source,
        ty: ty.clone(),
        weak: None,
    })
}

/// What a value is the slice of that has this index along the first axis.
fn source_of(builder: &FunctionBuilder, item: ValueId, index: usize) -> Option<ValueId> {
    let reshape = builder.definition(item)?;
    let Op::Reshape(_) = &reshape.op else {
        return None;
    };
    let slice = builder.definition(*reshape.operands.first()?)?;
    let Op::Slice(Slice {
        start,
        limit,
        stride,
    }) = &slice.op
    else {
        return None;
    };
    let is_first =
        |(axis, start): (usize, &Extent)| *start == Extent::from(if axis == 0 { index } else { 0 });
    let is_one = limit.first() == Some(&Extent::from(index + 1));
    let is_dense = stride.iter().all(|stride| *stride == 1);
    let starts_there = start.iter().enumerate().all(is_first);
    (is_one && is_dense && starts_there)
        .then(|| slice.operands.first().copied())
        .flatten()
}

/// Whether a type is that of the slices along the first axis.
fn is_item(item: &TensorType, whole: &TensorType) -> bool {
    let rest = whole.shape.dims().split_first().map(|(_, rest)| rest);
    item.dtype == whole.dtype && rest == Some(item.shape.dims())
}
