use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::formula,
};
use crate::diagnostic::Code;
use iree_abi::{DType, Extent, TensorType};
use iree_dsl_library::pad as library;

pub(super) fn pad(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let operand = call.tensor(tracer, 0)?;
    let rank = operand.ty.shape.rank();
    let low = edge(tracer, &call, "low", rank)?;
    let high = edge(tracer, &call, "high", rank)?;
    let interior = call.sizes_option(tracer, "interior", rank, (0, 0))?;
    let value = filling(tracer, &call, operand.ty.dtype)?;
    let padded = formula(tracer, &call, [&operand, &value], |[x, value]| {
        library::padded(&x, &value, &low, &high, interior)
    });
    padded.map(Value::from)
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
        if extent
            .known()
            .is_some_and(|number| i64::try_from(number).is_err())
        {
            let message = format!("a number of the option `{name}` is too large");
            let (_, span) = call.option(name)?;
            tracer.error(Code::Option, span, message);
            return None;
        }
    }
    Some(edge)
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
