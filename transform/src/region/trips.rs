//! How often loops run, where that can be told from how they count.

use iree_abi::Extent;
use iree_dsl_ir::{
    Function, Operation, Region, ValueId,
    op::{BinaryOp, CompareOp, Op},
};

/// How often a loop runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TripCount {
    /// Always as often.
    Exactly(Extent),
    /// No more often.
    AtMost(Extent),
    /// Only the call knows.
    Unknown,
}

impl TripCount {
    /// The most iterations that there can be, if sizes tell.
    pub const fn most(&self) -> Option<&Extent> {
        match self {
            Self::Exactly(most) | Self::AtMost(most) => Some(most),
            Self::Unknown => None,
        }
    }

    /// How many iterations there always are.
    pub const fn exactly(&self) -> Option<&Extent> {
        match self {
            Self::Exactly(trips) => Some(trips),
            Self::AtMost(_) | Self::Unknown => None,
        }
    }

    /// How often a loop runs, for whoever knows which operation defines a value.
    pub fn of<'f>(
        function: &'f Function,
        operation: &'f Operation,
        definition: &dyn Fn(ValueId) -> Option<&'f Operation>,
    ) -> Self {
        counter_of(function, operation, definition).map_or(Self::Unknown, |counter| counter.trips)
    }
}

/// What counts the iterations of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    /// Which of the carried values it is. It grows by one in each iteration.
    pub(crate) position: usize,
    /// What it starts with, if sizes tell.
    pub(crate) start: Option<Extent>,
    pub(crate) trips: TripCount,
    /// Whether the loop ends because of it.
    pub(crate) is_known: bool,
    /// The number that it is less than while the loop goes on, if that is there before the loop.
    pub(crate) end: Option<ValueId>,
}

/// What must hold of a counter for another iteration.
#[derive(Clone)]
struct Bound {
    position: usize,
    most: Option<Extent>,
    end: Option<ValueId>,
}

/// The counter of a loop, if it has one: the condition says that it is less than a number, which does not change, or
/// hands on whether it was less before it was counted.
pub(crate) fn counter(function: &Function, operation: &Operation) -> Option<Counter> {
    let definition = |value: ValueId| {
        let mut operations = function.operations.iter();
        let found = operations.find(|(_, operation)| operation.results.contains(&value));
        found.map(|(_, operation)| operation)
    };
    counter_of(function, operation, &definition)
}

fn counter_of<'f>(
    function: &'f Function,
    operation: &'f Operation,
    definition: &dyn Fn(ValueId) -> Option<&'f Operation>,
) -> Option<Counter> {
    let [condition, body] = operation.regions.as_slice() else {
        return None;
    };
    let iterations = Iterations {
        function,
        definition,
        operation,
        condition,
        body,
    };
    let holds = *condition.results.first()?;
    let conjuncts = iterations.conjuncts(holds);
    let is_alone = conjuncts.len() == 1;
    let counters = conjuncts
        .into_iter()
        .filter_map(|id| iterations.counted(id));
    let counters: Vec<_> = counters.collect();
    let is_bounded = |bound: &&Bound| bound.most.is_some();
    let found = counters.iter().find(is_bounded).or(counters.first())?;
    let Bound {
        position,
        most,
        end,
    } = found.clone();
    let start = *operation.operands.get(position)?;
    let trips = match most {
        Some(most) if is_alone => TripCount::Exactly(most),
        Some(most) => TripCount::AtMost(most),
        None => TripCount::Unknown,
    };
    Some(Counter {
        position,
        start: iterations.number(start),
        trips,
        is_known: true,
        end,
    })
}

/// No iterations where the end is before the start.
fn not_negative(trips: Extent) -> Extent {
    match trips.known() {
        Some(known) if known < 0 => Extent::from(0),
        _ => trips,
    }
}

struct Iterations<'a, 'f> {
    function: &'f Function,
    /// Which operation defines a value.
    definition: &'a dyn Fn(ValueId) -> Option<&'f Operation>,
    operation: &'f Operation,
    condition: &'f Region,
    body: &'f Region,
}

impl Iterations<'_, '_> {
    fn binary(&self, value: ValueId, op: &Op) -> Option<[ValueId; 2]> {
        let definition = (self.definition)(value)?;
        let operands = definition.operands.as_slice().try_into().ok()?;
        (definition.op == *op).then_some(operands)
    }

    /// What must hold for another iteration, each on its own.
    fn conjuncts(&self, holds: ValueId) -> Vec<ValueId> {
        match self.binary(holds, &Op::Binary(BinaryOp::And)) {
            Some([one, other]) => [self.conjuncts(one), self.conjuncts(other)].concat(),
            None => vec![holds],
        }
    }

    /// The counter that something must hold for, and the most iterations.
    fn counted(&self, holds: ValueId) -> Option<Bound> {
        let position =
            |region: &Region, value| region.parameters.iter().position(|id| *id == value);
        if let Some(flag) = position(self.condition, holds) {
            return self.counted_behind(flag);
        }
        let [counter, end] = self.binary(holds, &Op::Compare(CompareOp::Less))?;
        let position = position(self.condition, counter)?;
        self.grows_by_one(position)?;
        Some(Bound {
            position,
            most: self.distance(position, end).map(not_negative),
            end: Some(end).filter(|end| !self.is_inside(*end)),
        })
    }

    /// Whether the condition takes or computes a value.
    fn is_inside(&self, value: ValueId) -> bool {
        let operations = self.condition.operations.iter();
        let mut operations = operations.filter_map(|id| self.function.operations.get(*id));
        self.condition.parameters.contains(&value)
            || operations.any(|operation| operation.results.contains(&value))
    }

    /// The same for a flag that each iteration hands on, for ranges with their end.
    fn counted_behind(&self, flag: usize) -> Option<Bound> {
        let next = *self.body.results.get(flag)?;
        let [counter, end] = self.binary(next, &Op::Compare(CompareOp::Less))?;
        let counter = self.body.parameters.iter().position(|id| *id == counter)?;
        self.grows_by_one(counter)?;
        let first = *self.operation.operands.get(flag)?;
        let [start, last] = self.binary(first, &Op::Compare(CompareOp::LessEqual))?;
        let is_same = *self.operation.operands.get(counter)? == start && last == end;
        let most = self.distance(counter, end);
        let most = most.and_then(|most| most.plus(&Extent::from(1)));
        is_same.then_some(Bound {
            position: counter,
            most: most.map(not_negative),
            end: None,
        })
    }

    fn grows_by_one(&self, counter: usize) -> Option<()> {
        let (parameter, next) = (
            self.body.parameters.get(counter)?,
            self.body.results.get(counter)?,
        );
        let [before, step] = self.binary(*next, &Op::Binary(BinaryOp::Add))?;
        let is_next = before == *parameter && self.number(step)? == Extent::from(1);
        is_next.then_some(())
    }

    /// How far a number is from where a counter starts.
    fn distance(&self, counter: usize, end: ValueId) -> Option<Extent> {
        let start = self.number(*self.operation.operands.get(counter)?)?;
        self.number(end)?.minus(&start)
    }

    /// An integer that sizes tell.
    fn number(&self, value: ValueId) -> Option<Extent> {
        let definition = (self.definition)(value)?;
        if let Op::Constant(constant) = &definition.op {
            return constant.as_integer().map(Extent::constant);
        }
        if let Op::Size(size) = &definition.op {
            return Some(size.extent.clone());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iree_dsl_ir::{op::Structure, text};

    /// How often the loop of a function runs that has these numbers and operations before it, and counts as said.
    fn trips(before: &str, carried: &str, condition: &str, body: &str) -> TripCount {
        let text = format!(
            "module @m {{ func public @f(%0 x: Tensor<f32, N>) {{ {before}
            {carried} region{condition} region{body}
            return }} }}"
        );
        let module = text::parse(&text).expect("it is a module");
        let (_, function) = module.functions.iter().next().expect("a function");
        let mut operations = function.operations.iter().map(|(_, operation)| operation);
        let is_loop = |operation: &&Operation| operation.op.structure() == Structure::Iterations;
        let found = operations.find(is_loop).expect("a loop");
        let definition = |value: ValueId| {
            let mut operations = function.operations.iter();
            let found = operations.find(|(_, operation)| operation.results.contains(&value));
            found.map(|(_, operation)| operation)
        };
        TripCount::of(function, found, &definition)
    }

    /// Counts from the number `%1` to the one before `%2`.
    fn exclusive(numbers: &str) -> TripCount {
        trips(
            numbers,
            "%3 = while %1 : Tensor<i32>",
            "(%4: Tensor<i32>) { %5 = less %4, %2 : Tensor<bool> return %5 }",
            "(%6: Tensor<i32>) { %7 = constant splat 1 : Tensor<i32> %8 = add %6, %7 : Tensor<i32> return %8 }",
        )
    }

    /// Counts from the number `%1` to `%2`.
    fn inclusive(numbers: &str) -> TripCount {
        trips(
            &format!("{numbers} %3 = less_equal %1, %2 : Tensor<bool>"),
            "%4, %5 = while %3, %1 : Tensor<bool>, Tensor<i32>",
            "(%6: Tensor<bool>, %7: Tensor<i32>) { return %6 }",
            "(%8: Tensor<bool>, %9: Tensor<i32>) { %10 = less %9, %2 : Tensor<bool>
            %11 = constant splat 1 : Tensor<i32> %12 = add %9, %11 : Tensor<i32> return %10, %12 }",
        )
    }

    fn numbers(first: i64, last: i64) -> String {
        format!(
            "%1 = constant splat {first} : Tensor<i32> %2 = constant splat {last} : Tensor<i32>"
        )
    }

    fn exactly(trips: i64) -> TripCount {
        TripCount::Exactly(Extent::constant(trips.into()))
    }

    #[test]
    fn ranges_run_for_each_number_in_them() {
        for (first, last, exclusive_trips, inclusive_trips) in [
            (0, 5, 5, 6),
            (2, 5, 3, 4),
            (5, 5, 0, 1),
            (6, 5, 0, 0),
            (9, 5, 0, 0),
        ] {
            let numbers = numbers(first, last);
            assert_eq!(
                exclusive(&numbers),
                exactly(exclusive_trips),
                "{first}..{last}"
            );
            assert_eq!(
                inclusive(&numbers),
                exactly(inclusive_trips),
                "{first}..={last}"
            );
        }
    }

    #[test]
    fn numbers_that_are_not_known_tell_nothing() {
        let computed = "%1 = constant splat 0 : Tensor<i32> %2 = multiply %1, %1 : Tensor<i32>";
        assert_eq!(exclusive(computed), TripCount::Unknown);
    }
}
