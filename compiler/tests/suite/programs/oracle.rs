use super::syntax::{Condition, Procedure, Scalar, Statement, Vector};
use std::{collections::BTreeMap, ops::ControlFlow};

/// What names stand for: variables, and globals as `self.a`.
pub(super) struct State {
    vectors: BTreeMap<String, [i32; 4]>,
    scalars: BTreeMap<String, i32>,
}

/// What a procedure returns.
pub(super) type Returned = ([i32; 4], [i32; 4], i32);

/// Where the control flow goes instead of to the next statement.
enum Exit {
    Break,
    Continue,
    Return(Returned),
}

impl Default for State {
    fn default() -> Self {
        let vectors = [
            ("self.a", [0, 1, 2, 3]),
            ("self.b", [10; 4]),
            ("self.c", [0, 7, 14, 21]),
            ("self.d", [0, 5, 10, 15]),
            ("self.e", [3; 4]),
        ];
        Self {
            vectors: vectors.map(|(name, value)| (name.to_owned(), value)).into(),
            scalars: BTreeMap::from([("self.s".to_owned(), 0)]),
        }
    }
}

impl State {
    pub(super) fn vector(&self, name: &str) -> [i32; 4] {
        self.vectors[name]
    }

    pub(super) fn scalar(&self, name: &str) -> i32 {
        self.scalars[name]
    }

    pub(super) fn call(&mut self, procedure: &Procedure, x: [i32; 4], k: i32) -> Returned {
        for name in ["x", "y"] {
            self.vectors.insert(name.to_owned(), x);
        }
        self.scalars.insert("k".to_owned(), k);
        match self.run(&procedure.body) {
            ControlFlow::Break(Exit::Return(returned)) => returned,
            _ => self.returned(&procedure.result),
        }
    }

    fn returned(&self, vector: &Vector) -> Returned {
        let sum = self.scalar("self.s").wrapping_add(self.scalar("k"));
        (self.vector_of(vector), self.vector("y"), sum)
    }

    fn run(&mut self, body: &[Statement]) -> ControlFlow<Exit> {
        body.iter().try_for_each(|statement| self.step(statement))
    }

    fn step(&mut self, statement: &Statement) -> ControlFlow<Exit> {
        match statement {
            Statement::Let(name, value) | Statement::Set(name, value) => {
                let value = self.vector_of(value);
                self.vectors.insert(name.clone(), value);
            }
            Statement::SetElement {
                place,
                index,
                value,
                adds,
            } => {
                let (value, index) = (self.scalar_of(value), self.place_of(index));
                let element = &mut self.vectors.get_mut(place).expect("a vector")[index];
                *element = if *adds {
                    element.wrapping_add(value)
                } else {
                    value
                };
            }
            Statement::SetWindow { place, start, from } => {
                let (from, first) = (self.vector(&from.0), from.1);
                let vector = self.vectors.get_mut(place).expect("a vector");
                vector[*start..start + 2].copy_from_slice(&from[first..first + 2]);
            }
            Statement::LetNumber(name, value) => {
                let value = self.scalar_of(value);
                self.scalars.insert(name.clone(), value);
            }
            Statement::SetNumber { name, value, adds } => {
                let before = if *adds { self.scalar(name) } else { 0 };
                let value = before.wrapping_add(self.scalar_of(value));
                self.scalars.insert(name.clone(), value);
            }
            Statement::Swap([one, other], kept) => {
                let values = (self.vector(one), self.vector(other));
                self.vectors.insert(kept.clone(), values.0);
                self.vectors.insert(one.clone(), values.1);
                self.vectors.insert(other.clone(), values.0);
            }
            Statement::If(condition, then, otherwise) => {
                let branch = if self.holds(condition) {
                    then
                } else {
                    otherwise
                };
                return self.run(branch);
            }
            Statement::For(name, end, body) => return self.repeat(name, self.scalar_of(end), body),
            Statement::Break => return ControlFlow::Break(Exit::Break),
            Statement::Continue => return ControlFlow::Break(Exit::Continue),
            Statement::Return(vector) => {
                return ControlFlow::Break(Exit::Return(self.returned(vector)));
            }
        }
        ControlFlow::Continue(())
    }

    fn repeat(&mut self, name: &str, end: i32, body: &[Statement]) -> ControlFlow<Exit> {
        for round in 0..end {
            self.scalars.insert(name.to_owned(), round);
            match self.run(body) {
                ControlFlow::Break(Exit::Break) => break,
                ControlFlow::Break(exit @ Exit::Return(_)) => return ControlFlow::Break(exit),
                ControlFlow::Continue(()) | ControlFlow::Break(Exit::Continue) => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn holds(&self, Condition { operator, sides }: &Condition) -> bool {
        let [left, right] = sides.each_ref().map(|side| self.scalar_of(side));
        match *operator {
            "<" => left < right,
            ">" => left > right,
            _ => left == right,
        }
    }

    fn vector_of(&self, vector: &Vector) -> [i32; 4] {
        match vector {
            Vector::Name(name) => self.vector(name),
            Vector::Constant(numbers) => *numbers,
            Vector::Joined([first, second], name) => {
                let [third, fourth, ..] = self.vector(name);
                [*first, *second, third, fourth]
            }
            Vector::Halves([first, second]) => {
                let [one, two, ..] = self.vector(first);
                let [.., three, four] = self.vector(second);
                [one, two, three, four]
            }
            Vector::Scattered { into, places, from } => {
                let (mut sum, from) = (self.vector(into), self.vector(from));
                for (place, added) in places.iter().zip(from) {
                    let place = usize::try_from(self.scalar_of(place)).ok();
                    if let Some(element) = place.and_then(|place| sum.get_mut(place)) {
                        *element = element.wrapping_add(added);
                    }
                }
                sum
            }
            Vector::Sum(sides) => {
                let [left, right] = sides.each_ref().map(|side| self.vector_of(side));
                std::array::from_fn(|place| left[place].wrapping_add(right[place]))
            }
            Vector::Moved(vector, by) => {
                let by = self.scalar_of(by);
                self.vector_of(vector)
                    .map(|element| element.wrapping_add(by))
            }
            Vector::Reversed(vector) => {
                let mut vector = self.vector_of(vector);
                vector.reverse();
                vector
            }
            Vector::Multiplied(vector, by) => self
                .vector_of(vector)
                .map(|element| element.wrapping_mul(*by)),
        }
    }

    fn scalar_of(&self, scalar: &Scalar) -> i32 {
        match scalar {
            Scalar::Number(number) => *number,
            Scalar::Name(name) => self.scalar(name),
            Scalar::At(vector, index) => self.vector(vector)[self.place_of(index)],
            Scalar::Total(vector) => self.vector(vector).into_iter().fold(0, i32::wrapping_add),
            Scalar::Sum(sides) => {
                let [left, right] = sides.each_ref().map(|side| self.scalar_of(side));
                left.wrapping_add(right)
            }
        }
    }

    /// Indices that the program computes are moved into the vector.
    fn place_of(&self, index: &Scalar) -> usize {
        self.scalar_of(index).clamp(0, 3) as usize
    }
}
