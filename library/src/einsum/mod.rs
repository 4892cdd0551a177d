//! Einstein's notation: one letter for each axis, sums over the letters that the result does not have.

mod notation;

pub use notation::{Notation, NotationError};

use crate::term::Term;
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{CompareOp, DotGeneral, Iota, Op, ReduceKind},
};
use notation::is_further;

/// The sum of the products of factors of one element type, which the notation fits; `None` if there are no factors.
///
/// Of several products, the one with the fewest elements comes first.
pub fn einsum<'x, V: Clone>(factors: Vec<Term<'x, V>>, notation: &Notation) -> Option<Term<'x, V>> {
    let factors = notation.operands.iter().zip(factors);
    let factors = factors.map(|(letters, term)| Factor {
        term,
        letters: letters.clone(),
    });
    let mut sum = Sum {
        factors: factors.collect(),
        output: &notation.output,
    };
    sum.stretch();
    for position in 0..sum.factors.len() {
        sum.simplify(position);
    }
    while let Some(pair) = sum.cheapest() {
        sum.contract(pair)?;
    }
    Some(sum.factors.pop()?.arrange(sum.output))
}

/// A tensor with a letter for each axis.
#[derive(Clone)]
struct Factor<'x, V> {
    term: Term<'x, V>,
    letters: Vec<char>,
}

/// What remains to be multiplied, and the letters that the result has.
struct Sum<'x, 'n, V> {
    factors: Vec<Factor<'x, V>>,
    output: &'n [char],
}

impl<V: Clone> Sum<'_, '_, V> {
    /// Removes those axes of size 1 behind `...` that are longer elsewhere.
    fn stretch(&mut self) {
        let axes = self.factors.iter().flat_map(Factor::axes_with_letters);
        let longer = axes.filter(|(letter, dim)| is_further(*letter) && !dim.is_one());
        let longer: Vec<char> = longer.map(|(letter, _)| letter).collect();
        for factor in &mut self.factors {
            let axes = factor.axes_with_letters();
            let kept = axes.filter(|(letter, dim)| !dim.is_one() || !longer.contains(letter));
            let (letters, dims): (Vec<_>, Vec<_>) = kept.unzip();
            if letters.len() < factor.letters.len() {
                let term = factor.term.reshape(&Shape::new(dims));
                *factor = Factor { term, letters };
            }
        }
    }

    /// Whether a letter is in the result or in a factor that is not among these.
    fn is_needed(&self, letter: char, besides: &[usize]) -> bool {
        let mut others = self.factors.iter().enumerate();
        self.output.contains(&letter)
            || others.any(|(position, factor)| {
                !besides.contains(&position) && factor.letters.contains(&letter)
            })
    }

    /// Makes the letters of a factor differ, and sums over those that nothing else has.
    fn simplify(&mut self, position: usize) {
        let Some(mut factor) = self.factors.get(position).cloned() else {
            return;
        };
        while let Some(pair) = factor.repeated() {
            factor = factor.diagonal(pair);
        }
        let letters = factor.letters.iter();
        let summed = letters.filter(|letter| !self.is_needed(**letter, &[position]));
        let summed: Vec<char> = summed.copied().collect();
        if !summed.is_empty() {
            let axes = factor.axes(&summed);
            factor.term = factor.term.reduce(ReduceKind::Sum, &axes);
            factor.letters.retain(|letter| !summed.contains(letter));
        }
        if let Some(place) = self.factors.get_mut(position) {
            *place = factor;
        }
    }

    /// The two factors whose product is smallest; the first of equal ones, and before all what has no known size.
    fn cheapest(&self) -> Option<(usize, usize)> {
        let count = self.factors.len();
        let pairs =
            (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
        pairs.min_by_key(|pair| self.product_size(*pair))
    }

    fn product_size(&self, (first, second): (usize, usize)) -> Option<usize> {
        let mut letters: Vec<char> = Vec::new();
        let mut size: usize = 1;
        for factor in [self.factors.get(first)?, self.factors.get(second)?] {
            for (letter, dim) in factor.axes_with_letters() {
                if !letters.contains(&letter) && self.is_needed(letter, &[first, second]) {
                    letters.push(letter);
                    size = size.saturating_mul(dim.known()?);
                }
            }
        }
        Some(size)
    }

    /// Replaces two factors by their product.
    fn contract(&mut self, (first, second): (usize, usize)) -> Option<()> {
        let (lhs, rhs) = (self.factors.get(first)?, self.factors.get(second)?);
        let shared = |needed: bool| {
            let letters = lhs.letters.iter().copied();
            let shared = letters.filter(|letter| rhs.letters.contains(letter));
            shared
                .filter(|letter| self.is_needed(*letter, &[first, second]) == needed)
                .collect::<Vec<char>>()
        };
        let (batch, summed) = (shared(true), shared(false));
        let op = DotGeneral {
            batch: (lhs.axes(&batch), rhs.axes(&batch)),
            contract: (lhs.axes(&summed), rhs.axes(&summed)),
            dtype: lhs.term.dtype(),
        };
        let term = lhs.term.emit(Op::DotGeneral(op), &[&rhs.term]);
        let both = lhs.letters.iter().chain(&rhs.letters).copied();
        let free = both.filter(|letter| !batch.contains(letter) && !summed.contains(letter));
        let letters = batch.iter().copied().chain(free).collect();
        self.factors.remove(second);
        *self.factors.get_mut(first)? = Factor { term, letters };
        Some(())
    }
}

impl<'x, V: Clone> Factor<'x, V> {
    fn axes_with_letters(&self) -> impl Iterator<Item = (char, Dim)> {
        let dims = self.term.shape().dims().to_vec();
        self.letters.iter().copied().zip(dims)
    }

    /// The axes with these letters.
    fn axes(&self, letters: &[char]) -> Vec<usize> {
        let axis = |letter: &char| self.letters.iter().position(|other| other == letter);
        letters.iter().filter_map(axis).collect()
    }

    /// Two axes with one letter.
    fn repeated(&self) -> Option<(usize, usize)> {
        let letters = self.letters.iter().enumerate();
        let mut pairs = letters.filter_map(|(second, letter)| {
            let mut before = self.letters.iter().take(second);
            let first = before.position(|other| other == letter)?;
            Some((first, second))
        });
        pairs.next()
    }

    /// The elements where two axes have one index, without the second axis: all others become 0 and are added.
    fn diagonal(&self, (first, second): (usize, usize)) -> Self {
        let TensorType { dtype, shape } = self.term.tensor_type();
        let index = |axis| {
            let ty = TensorType::new(DType::I32, shape.clone());
            self.term.make(Op::Iota(Iota { ty, axis }))
        };
        let (row, column) = (index(first), index(second));
        let here = row.compare(CompareOp::Equal, column);
        let (zero, kind) = match dtype {
            DType::Bool => (Scalar::Bool(false), ReduceKind::Any),
            _ => (Scalar::Integer(0), ReduceKind::Sum),
        };
        let zero = self.term.make_splat(zero, &TensorType::new(dtype, shape));
        let kept = here.choose(&self.term, &zero);
        let mut letters = self.letters.clone();
        letters.remove(second);
        Self {
            term: kept.reduce(kind, &[second]),
            letters,
        }
    }

    /// The tensor with its axes in an order.
    fn arrange(self, output: &[char]) -> Term<'x, V> {
        self.term.transposed(self.axes(output))
    }
}
