use super::syntax::{Condition, Procedure, Scalar, Statement, Vector};
use std::{collections::BTreeMap, ops::ControlFlow};

/// What names stand for: variables, and globals as `self.a`.
pub(super) struct State {
    vectors: BTreeMap<String, Vec<i32>>,
    scalars: BTreeMap<String, i32>,
}

/// What a procedure returns.
pub(super) type Returned = (Vec<i32>, Vec<i32>, i32);

/// Where the control flow goes instead of to the next statement.
enum Exit {
    Break,
    Continue,
    Return(Returned),
}

impl State {
    /// That of a program whose vectors have a size, before it is called.
    pub(super) fn of(size: usize) -> Self {
        let count = |step| (0..size as i32).map(|place| place * step).collect();
        let vectors = [
            ("self.a", count(1)),
            ("self.b", vec![10; size]),
            ("self.c", count(7)),
            ("self.d", count(5)),
            ("self.e", vec![3; size]),
        ];
        Self {
            vectors: vectors.map(|(name, value)| (name.to_owned(), value)).into(),
            scalars: BTreeMap::from([("self.s".to_owned(), 0)]),
        }
    }

    pub(super) fn vector(&self, name: &str) -> &[i32] {
        &self.vectors[name]
    }

    pub(super) fn scalar(&self, name: &str) -> i32 {
        self.scalars[name]
    }

    pub(super) fn call(&mut self, procedure: &Procedure, x: &[i32], k: i32) -> Returned {
        for name in ["x", "y"] {
            self.vectors.insert(name.to_owned(), x.to_vec());
        }
        self.scalars.insert("k".to_owned(), k);
        match self.run(&procedure.body) {
            ControlFlow::Break(Exit::Return(returned)) => returned,
            _ => self.returned(&procedure.result),
        }
    }

    fn returned(&self, vector: &Vector) -> Returned {
        let sum = self.scalar("self.s").wrapping_add(self.scalar("k"));
        (self.vector_of(vector), self.vector("y").to_vec(), sum)
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
                let (value, index) = (self.scalar_of(value), self.scalar_of(index));
                let vector = self.vectors.get_mut(place).expect("a vector");
                let index = inside(vector, index);
                let element = &mut vector[index];
                *element = if *adds {
                    element.wrapping_add(value)
                } else {
                    value
                };
            }
            Statement::SetWindow {
                place,
                start,
                from: (from, first),
                length,
                times,
            } => {
                let from = self.vector(from)[*first..first + length].iter();
                let window = from.map(|element| element.wrapping_mul(times.unwrap_or(1)));
                let window: Vec<_> = window.collect();
                let vector = self.vectors.get_mut(place).expect("a vector");
                vector[*start..start + length].copy_from_slice(&window);
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
                let values = [one, other].map(|name| self.vector(name).to_vec());
                self.vectors.insert(kept.clone(), values[0].clone());
                self.vectors.insert(one.clone(), values[1].clone());
                self.vectors.insert(other.clone(), values[0].clone());
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

    fn vector_of(&self, vector: &Vector) -> Vec<i32> {
        match vector {
            Vector::Name(name) => self.vector(name).to_vec(),
            Vector::Constant(numbers) => numbers.clone(),
            Vector::Joined(numbers, (name, rest)) => {
                [numbers.as_slice(), &self.vector(name)[..*rest]].concat()
            }
            Vector::Parts([first, second], at) => {
                [&self.vector(first)[..*at], &self.vector(second)[*at..]].concat()
            }
            Vector::Scattered { into, places, from } => {
                let mut sum = self.vector(into).to_vec();
                for (place, added) in places.iter().zip(self.vector(from)) {
                    let place = usize::try_from(self.scalar_of(place)).ok();
                    if let Some(element) = place.and_then(|place| sum.get_mut(place)) {
                        *element = element.wrapping_add(*added);
                    }
                }
                sum
            }
            Vector::Sum(sides) => {
                let [left, right] = sides.each_ref().map(|side| self.vector_of(side));
                let pairs = left.into_iter().zip(right);
                pairs
                    .map(|(left, right)| left.wrapping_add(right))
                    .collect()
            }
            Vector::Moved(vector, by) => {
                let by = self.scalar_of(by);
                let elements = self.vector_of(vector).into_iter();
                elements.map(|element| element.wrapping_add(by)).collect()
            }
            Vector::Reversed(vector) => {
                let mut vector = self.vector_of(vector);
                vector.reverse();
                vector
            }
            Vector::Multiplied(vector, by) => {
                let elements = self.vector_of(vector).into_iter();
                elements.map(|element| element.wrapping_mul(*by)).collect()
            }
        }
    }

    fn scalar_of(&self, scalar: &Scalar) -> i32 {
        match scalar {
            Scalar::Number(number) => *number,
            Scalar::Name(name) => self.scalar(name),
            Scalar::At(vector, index) => {
                let vector = self.vector(vector);
                vector[inside(vector, self.scalar_of(index))]
            }
            Scalar::Total(vector) => {
                let elements = self.vector(vector).iter().copied();
                elements.fold(0, i32::wrapping_add)
            }
            Scalar::Sum(sides) => {
                let [left, right] = sides.each_ref().map(|side| self.scalar_of(side));
                left.wrapping_add(right)
            }
        }
    }
}

/// Indices that the program computes are moved into the vector.
fn inside(vector: &[i32], index: i32) -> usize {
    index.clamp(0, vector.len() as i32 - 1) as usize
}
