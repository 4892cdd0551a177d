use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
};
use crate::diagnostic::Code;
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::op::{Op, Pad};

/// Where the number of new elements is known at the call only, the tensor is joined with parts that hold nothing else.
pub(super) fn pad(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let operand = call.tensor(tracer, 0)?;
    let rank = operand.ty.shape.rank();
    let low = edge(tracer, &call, "low", rank)?;
    let high = edge(tracer, &call, "high", rank)?;
    let op = Pad {
        low: known(tracer, &call, "low", &low)?,
        high: known(tracer, &call, "high", &high)?,
        interior: call.sizes_option(tracer, "interior", rank, (0, 0))?,
    };
    let inside = operand.ty.shape.dims().iter().zip(&op.interior);
    for (size, _) in inside.filter(|(_, interior)| **interior > 0) {
        tracer.require_one_along(size);
    }
    let value = filling(tracer, &call, operand.ty.dtype)?;
    let operands = [&operand, &value];
    let mut padded = tracer.emit_checked(Op::Pad(op), &operands, call.name, call.span)?;
    for (axis, (low, high)) in low.iter().zip(&high).enumerate() {
        padded = joined(tracer, &call, (padded, axis), [low, high], &value)?;
    }
    Some(padded.into())
}

/// How many elements are added at one end of each axis.
fn edge(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    name: &str,
    rank: usize,
) -> Option<Vec<Extent>> {
    let edge = call.extents_option(tracer, name, rank, 0)?;
    for extent in &edge {
        if extent.known().is_none() {
            // What is taken away must be known while building.
            tracer.require_order(&Extent::from(0), extent);
        }
    }
    Some(edge)
}

/// The numbers that are known while building, and nothing in place of the others.
fn known(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    name: &str,
    edge: &[Extent],
) -> Option<Vec<i64>> {
    let numbers = edge.iter().map(|extent| extent.known().unwrap_or(0));
    let numbers = numbers.map(i64::try_from).collect::<Result<_, _>>().ok();
    if numbers.is_none() {
        let message = format!("a number of the option `{name}` is too large");
        let (_, span) = call.option(name)?;
        tracer.error(Code::Option, span, message);
    }
    numbers
}

/// A tensor with as many new elements at both ends of an axis as calls tell, if they do.
fn joined(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    (tensor, axis): (Tensor, usize),
    [low, high]: [&Extent; 2],
    value: &Tensor,
) -> Option<Tensor> {
    let mut part = |count: &Extent| {
        if count.known().is_some() {
            return Some(None);
        }
        let mut dims = tensor.ty.shape.dims().to_vec();
        *dims.get_mut(axis)? = Dim::from_extent(count.clone())?;
        let shape = Shape::new(dims);
        let part = tracer.broadcast_to(value.clone(), &shape, call.name, call.span)?;
        Some(Some(part))
    };
    let (before, behind) = (part(low)?, part(high)?);
    if before.is_none() && behind.is_none() {
        return Some(tensor);
    }
    let parts = before.iter().chain([&tensor]).chain(&behind);
    let parts: Vec<_> = parts.collect();
    tracer.emit_checked(Op::Concatenate(axis), &parts, call.name, call.span)
}

/// What the new elements are.
fn filling(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, dtype: DType) -> Option<Tensor> {
    let nothing = match dtype {
        DType::Bool => Static::bool(false),
        _ => Static::integer(0),
    };
    let value = call.option("value");
    let (value, span) = value.unwrap_or((nothing.into(), call.span));
    let expected = Type::from(TensorType::new(dtype, []));
    let place = format!("the option `value` of `{}`", call.name);
    match tracer.conform(value, &expected, span, &place) {
        Value::Leaf(ValueLeaf::Tensor(value)) => Some(value),
        _ => None,
    }
}
