//! A sorting network: n log² n comparisons, in iterations that are all alike.
//!
//! What is in order at first are parts of one element. To merge two neighbours, the second is turned around: the smaller
//! ones of the elements that then stand side by side make one half, which is ordered by comparing elements at ever smaller
//! distances. The smaller of two elements always goes to the place before the other, so that places behind the last one
//! need not exist. Equal elements go by their places in the beginning.
//!
//! IREE's own sort exchanges equal elements; see the defect `sort-exchanges-equal-elements`.
//!
//! K. E. Batcher, "Sorting networks and their applications", 1968.

use super::emit::{Emitter, Term};
use iree_abi::{Dim, Shape};
use iree_dsl_ir::op::CompareOp;
use iree_dsl_library::{Error, lines, repeat};

/// Where integers along an axis come from in rising order.
pub(super) fn places<'x>(emitter: &'x Emitter, keys: &Term<'x>, axis: usize) -> Term<'x> {
    let table = lines::table(keys, axis);
    let order = Network::new(emitter, &table.shape()).and_then(|network| network.order(table));
    match order {
        Ok(order) => lines::from_table(&order, &keys.shape(), axis),
        Err(error) => Term::made(emitter, Err(error)),
    }
}

/// A network for lines along the last of two axes.
struct Network<'x> {
    emitter: &'x Emitter,
    shape: Shape,
    /// The shape of all lines one after the other.
    list: Shape,
    /// The length of a line.
    count: Term<'x>,
    /// The place of each element in its line.
    place: Term<'x>,
    /// Where the line of each element starts in the list.
    start: Term<'x>,
}

/// What iterations hand on: keys and where they come from, how long parts in order are, and how far elements that are
/// compared are from each other, 0 where a part is turned around.
type State<'x> = [Term<'x>; 4];

impl<'x> Network<'x> {
    fn new(emitter: &'x Emitter, shape: &Shape) -> Result<Self, Error> {
        let lost = Error::Lost("a size");
        let all = shape.element_count().and_then(Dim::from_extent);
        let size = shape.dims().last().and_then(Dim::extent);
        let (all, size) = all.zip(size).ok_or(lost)?;
        let count = emitter.size(&size);
        let start = emitter.iota(shape, 0) * count.broadcast(shape);
        Ok(Self {
            emitter,
            shape: shape.clone(),
            list: Shape::new(vec![all]),
            place: emitter.iota(shape, 1),
            count,
            start,
        })
    }

    fn order(&self, keys: Term<'x>) -> Result<Term<'x>, Error> {
        let [part, distance] = [1, 0].map(|number| self.count.like(number));
        let first = [keys, self.place.clone(), part, distance];
        let is_unordered = |[_, _, part, _]: State<'x>| part.compare(CompareOp::Less, &self.count);
        let last = repeat(self.emitter, first, is_unordered, |state| self.step(state))?;
        let [_, order, _, _] = last;
        Ok(order)
    }

    fn step(&self, [keys, order, part, distance]: State<'x>) -> State<'x> {
        let is_turned = distance.compare(CompareOp::Equal, 0);
        let opposite = self.opposite(&is_turned.choose(&part * 2 - 1, &distance));
        let from = &self.start + &opposite;
        let [other_keys, other_order] = [&keys, &order].map(|own| self.at(own, &from));
        let is_equal = other_keys.compare(CompareOp::Equal, &keys);
        let sooner = other_keys.compare(CompareOp::Less, &keys)
            | is_equal & other_order.compare(CompareOp::Less, &order);
        let is_before = self.place.compare(CompareOp::Less, &opposite);
        let takes = sooner.compare(CompareOp::Equal, is_before);
        let distance = is_turned.choose(&part, &distance) / 2;
        let is_whole = distance.compare(CompareOp::Equal, 0);
        [
            takes.choose(other_keys, &keys),
            takes.choose(other_order, &order),
            is_whole.choose(&part * 2, &part),
            distance,
        ]
    }

    /// The place that each is compared with: its own where there is none.
    fn opposite(&self, distance: &Term<'x>) -> Term<'x> {
        let opposite = &self.place ^ distance.broadcast(&self.shape);
        let exists = opposite.compare(CompareOp::Less, self.count.broadcast(&self.shape));
        exists.choose(opposite, &self.place)
    }

    /// The elements of a table at places in the list.
    fn at(&self, table: &Term<'x>, places: &Term<'x>) -> Term<'x> {
        self.emitter.take(&table.reshape(&self.list), places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_abi::{DType, TensorType};
    use iree_dsl_interpreter::{Interpreter, Tensor};
    use iree_dsl_ir::{Arena, Function, Linkage, Module, Region, SpanId, Value, verify};
    use ndarray::Array;

    /// A module with a function that sorts lines of so many keys.
    fn module(lines: usize, count: usize) -> Module {
        let mut function = Function::new("places".to_owned(), Linkage::Public, SpanId::CALL_SITE);
        let ty = TensorType::new(DType::I32, [count, lines]);
        let keys = function.values.push(Value { ty });
        let emitter = Emitter::new(function);
        emitter.open();
        let places = places(&emitter, &emitter.term(keys), 0).value();
        let places = places.expect("what sorts integers");
        let operations = emitter.close();
        let mut function = emitter.finish();
        function.parameter_names = vec!["keys".to_owned()];
        function.body = Region {
            parameters: vec![keys],
            operations,
            results: vec![places],
        };
        let mut functions = Arena::default();
        functions.push(function);
        Module {
            name: "m".to_owned(),
            globals: Arena::default(),
            functions,
        }
    }

    #[test]
    fn networks_of_any_length_sort() {
        for count in 1..20 {
            let key = |(at, line): (usize, usize)| (at * 7 % 5 + line * at % 3) as i32 - 2;
            let keys = Array::from_shape_fn((count, 3), key);
            let mut expected = Array::zeros((count, 3));
            for (keys, mut places) in keys.columns().into_iter().zip(expected.columns_mut()) {
                let mut order: Vec<_> = (0..count as i32).collect();
                order.sort_by_key(|place| keys[*place as usize]);
                places.assign(&Array::from_vec(order));
            }
            let module = verify::verify(module(3, count)).expect("a sound module");
            let mut program = Interpreter::new(module).expect("a program without globals");
            let results = program
                .call("places", &[Tensor::from(keys)])
                .expect("places");
            assert_eq!(results, [Tensor::from(expected)], "{count} keys");
        }
    }
}
