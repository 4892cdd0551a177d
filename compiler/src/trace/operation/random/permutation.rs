//! Elements in random order: sorted by random numbers, so often that equal ones hardly matter.

use super::{
    super::{
        super::{
            statics::Static,
            tracer::Tracer,
            value::{Value, ValueLeaf},
        },
        OperationCall,
        formula::Formula,
        rearrange::known_size,
        term::Term,
    },
    bits::random_bits,
    key,
};
use crate::op::{ArgSort, Gather, Iota, Op};
use iree_abi::{DType, Dim, Shape, TensorType};

/// The random numbers that an element is sorted by have so many times the bits of a place.
const EXPONENT: f64 = 3.0;

pub(crate) fn permutation(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let key = key::argument(tracer, &call)?;
    let (value, span) = call.argument(1)?;
    if !matches!(value, Value::Leaf(ValueLeaf::Tensor(_))) {
        let count = tracer.value_as_size(&value, span, "the number of places")?;
        let formula = Formula::new(tracer, &call);
        return places(&formula, formula.term(key), count).value();
    }
    let operand = call.tensor(tracer, 1)?;
    let rank = operand.ty.shape.rank();
    let first = || (Static::integer(0).into(), span);
    let axis = tracer.axis(call.argument(2).unwrap_or_else(first), rank, call.name)?;
    let count = known_size(tracer, &operand, axis, &call)?;
    let formula = Formula::new(tracer, &call);
    let places = places(&formula, formula.term(key), count);
    let gather = Op::Gather(Gather { axes: vec![axis] });
    formula
        .emit(gather, &[&formula.term(operand), &places])
        .value()
}

/// The numbers of so many places in random order.
fn places<'x>(formula: &'x Formula<'_, '_>, mut key: Term<'x>, count: usize) -> Term<'x> {
    let shape = Shape::from([count]);
    let ty = TensorType::new(DType::I32, shape.clone());
    let mut places = formula.emit(Op::Iota(Iota { ty, axis: 0 }), &[]);
    for _ in 0..rounds(count) {
        let keys = key::split_key(formula, key::words(&key), &Dim::Static(2));
        key = keys.item(0);
        let bits = random_bits(formula, key::words(&keys.item(1)), 32, &shape);
        let order = ArgSort {
            axis: 0,
            descending: false,
        };
        let order = formula.emit(Op::ArgSort(order), &[&bits]);
        let gather = Op::Gather(Gather { axes: vec![0] });
        places = formula.emit(gather, &[&places, &order]);
    }
    places
}

fn rounds(count: usize) -> usize {
    let bits = (count.max(1) as f64).ln() / f64::from(u32::MAX).ln();
    (EXPONENT * bits).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::rounds;

    #[test]
    fn more_elements_are_sorted_more_often() {
        let counts = [0, 1, 2, 1625, 1626, 5000];
        assert_eq!(counts.map(rounds), [0, 0, 1, 1, 2, 2]);
    }
}
