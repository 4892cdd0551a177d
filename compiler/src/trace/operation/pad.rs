use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
};
use crate::{
    diagnostic::Code,
    op::{Op, Pad},
};
use iree_abi::{DType, TensorType};

pub(super) fn pad(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let operand = call.tensor(tracer, 0)?;
    let rank = operand.ty.shape.rank();
    let op = Pad {
        low: edge(tracer, &call, "low", rank)?,
        high: edge(tracer, &call, "high", rank)?,
        interior: call.sizes_option(tracer, "interior", rank, (0, 0))?,
    };
    let inside = operand.ty.shape.dims().iter().zip(&op.interior);
    for (size, _) in inside.filter(|(_, interior)| **interior > 0) {
        tracer.require_one_along(size);
    }
    let value = filling(tracer, &call, operand.ty.dtype)?;
    Some(tracer.emit_named(Op::Pad(op), &[&operand, &value], call.name, call.span))
}

/// How many elements are added at one end of each axis.
fn edge(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    name: &str,
    rank: usize,
) -> Option<Vec<i64>> {
    let numbers = call.integers_option(tracer, name, rank, 0)?;
    let edge = numbers.into_iter().map(i64::try_from);
    let edge = edge.collect::<Result<_, _>>().ok();
    if edge.is_none() {
        let message = format!("a number of the option `{name}` is too large");
        let (_, span) = call.option(name)?;
        tracer.error(Code::Option, span, message);
    }
    edge
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
