//! Elements in random order: sorted by random numbers, so often that equal ones hardly matter.

use super::{
    super::{
        super::{
            statics::{Static, StaticType},
            tracer::Tracer,
            value::{Tensor, Value, ValueLeaf},
        },
        OperationCall, written,
    },
    key,
};
use crate::ast::BinaryOperator;
use iree_abi::{DType, Extent};
use iree_dsl_ir::op::{Gather, Op};
use iree_dsl_library::language;

/// The random numbers that an element is sorted by have so many times the bits of a place.
const EXPONENT: f64 = 3.0;

pub(crate) fn permutation(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let key = key::argument(tracer, &call)?;
    let (value, span) = call.argument(1)?;
    if !matches!(value, Value::Leaf(ValueLeaf::Tensor(_))) {
        let count = tracer.value_as_extent(&value, span, "the number of places")?;
        return places(tracer, key, count, &call).map(Value::from);
    }
    let operand = call.tensor(tracer, 1)?;
    let rank = operand.ty.shape.rank();
    let first = || (Static::integer(0).into(), span);
    let axis = tracer.axis(call.argument(2).unwrap_or_else(first), rank, call.name)?;
    let count = operand.ty.shape.dims().get(axis)?.extent()?;
    let places = places(tracer, key, count, &call)?;
    let gather = Op::Gather(Gather { axes: vec![axis] });
    Some(tracer.emit_named(gather, &[&operand, &places], call.name, call.span))
}

/// The numbers of so many places in random order.
fn places(
    tracer: &mut Tracer<'_>,
    key: Tensor,
    count: Extent,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let known = count.known().and_then(|count| usize::try_from(count).ok());
    let (times, rounds) = match known.map(rounds) {
        Some(times) => (Static::usize(times).into(), language::UNROLLED),
        None => (unknown_rounds(tracer, &count, call)?, language::LOOPED),
    };
    let rounds = written::written(tracer, rounds, call)?;
    let arguments = vec![key.into(), Value::size(count), times, rounds];
    let places = written::apply(tracer, language::PERMUTATION, arguments, call)?;
    tracer.tensor(places, call.name, call.span)
}

/// How often a number of places that is known at the call only is sorted: as often as it is larger than what
/// fewer rounds are for.
fn unknown_rounds(
    tracer: &mut Tracer<'_>,
    count: &Extent,
    call: &OperationCall<'_>,
) -> Option<Value> {
    let span = call.span;
    let mut all = Value::from(Static::integer(0));
    for most in most_places() {
        let most = Static::integer(most as i128).into();
        let count = Value::size(count.clone());
        let greater = BinaryOperator::Greater;
        let more = tracer.binary_value(greater, (count, span), (most, span), span);
        let more = tracer.cast_value(more, StaticType::Element(DType::I32), span);
        all = tracer.binary_value(BinaryOperator::Add, (more, span), (all, span), span);
    }
    Some(all)
}

/// The most places that 0, 1, … rounds are enough for, below the greatest `i32`.
fn most_places() -> impl Iterator<Item = usize> {
    let most = i32::MAX as usize;
    let fitting = move |times| {
        let (mut least, mut above) = (0, most);
        while above - least > 1 {
            let middle = usize::midpoint(least, above);
            match rounds(middle) <= times {
                true => least = middle,
                false => above = middle,
            }
        }
        least
    };
    (0..rounds(most)).map(fitting)
}

fn rounds(count: usize) -> usize {
    let bits = (count.max(1) as f64).ln() / f64::from(u32::MAX).ln();
    (EXPONENT * bits).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::{most_places, rounds};

    #[test]
    fn more_elements_are_sorted_more_often() {
        let counts = [0, 1, 2, 1625, 1626, 5000];
        assert_eq!(counts.map(rounds), [0, 0, 1, 1, 2, 2]);
        assert_eq!(most_places().collect::<Vec<_>>(), [1, 1625, 2_642_245]);
    }
}
