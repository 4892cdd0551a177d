//! How elements are brought in order: short lines by comparing each element with all others, long ones by a
//! network.

use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::formula,
    linalg::apply,
};
use crate::ast::BinaryOperator;
use iree_dsl_ir::op::{ArgSort, Op};
use iree_dsl_library::{language, lines};

/// The length up to which it is faster to compare each element with all others.
const SHORT: usize = 4096;

/// The places of integers with a sign along an axis in rising order, equal ones in their order.
pub(super) fn argsort(
    tracer: &mut Tracer<'_>,
    keys: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let span = call.span;
    let size = Value::size(keys.ty.shape.dims().get(axis)?.extent()?);
    let longest = Static::integer(SHORT as i128).into();
    let at_most = BinaryOperator::LessEqual;
    let is_short = tracer.binary_value(at_most, (size, span), (longest, span), span);
    let short = |tracer: &mut Tracer<'_>| {
        let op = Op::ArgSort(ArgSort { axis });
        tracer.emit_checked(op, &[keys], call.name, span)
    };
    match is_short {
        Value::Leaf(ValueLeaf::Tensor(is_short)) => {
            let value = |tensor: Option<Tensor>| Ok(tensor.map_or(Value::POISON, Value::from));
            let short = |tracer: &mut Tracer<'_>| value(short(tracer));
            let long = |tracer: &mut Tracer<'_>| value(network(tracer, keys, axis, call));
            let order = tracer.branch(&is_short, short, long, span).ok()?;
            tracer.tensor(order, call.name, span)
        }
        Value::Leaf(ValueLeaf::Static(is_short)) if is_short == Static::bool(true) => short(tracer),
        _ => network(tracer, keys, axis, call),
    }
}

fn network(
    tracer: &mut Tracer<'_>,
    keys: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let table = formula(tracer, call, [keys], |[keys]| lines::table(&keys, axis))?;
    let sizes = table.ty.shape.extents()?.into_iter().map(Value::size);
    let arguments = std::iter::once(table.into()).chain(sizes).collect();
    let places = apply(tracer, language::SORTING_NETWORK, arguments, call)?;
    let places = tracer.tensor(places, call.name, call.span)?;
    formula(tracer, call, [&places], |[places]| {
        lines::from_table(&places, &keys.ty.shape, axis)
    })
}
