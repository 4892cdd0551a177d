//! What IREE computes at once for each element.

use crate::legalize::dispatch::{
    graph::{Graph, Node, Step},
    sources::{is_view, takes_part},
};
use iree_abi::{Dim, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// What an operation is applied to.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    /// A value that is computed elsewhere.
    Read(Node),
    /// What the operation at an index of the expression computes.
    Computed(usize),
}

/// An operation of an expression.
#[derive(Clone)]
pub(super) struct Term {
    /// With how many operations it is written out.
    pub(super) weight: usize,
    pub(super) operands: Vec<Operand>,
}

/// Where an expression is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// How it is gone through.
    pub(super) shape: &'a Shape,
    /// The stretch of the program, without branches and loops, that it is in.
    pub(super) block: usize,
}

/// Operations, each after those that it is applied to, and which of them compute values that others need.
#[derive(Clone)]
pub(super) struct Expression<'a> {
    pub(super) place: Place<'a>,
    pub(super) terms: Vec<Term>,
    pub(super) results: BTreeMap<Node, usize>,
    /// The values that something else needs than other expressions.
    pub(super) stored: BTreeSet<Node>,
    /// Whether its results are computed before anything reads them.
    pub(super) is_cut: bool,
}

impl Expression<'_> {
    /// How many operations it is written out with.
    pub(super) fn size(&self) -> usize {
        self.terms.iter().map(|term| term.weight).sum()
    }

    /// Whether it is of single numbers.
    pub(super) fn is_of_numbers(&self) -> bool {
        self.place.shape.dims().iter().all(Dim::is_one)
    }

    /// How many tensors it is of. Parts of a tensor are one with it.
    pub(super) fn tensors(&self, graph: &Graph<'_>) -> usize {
        let is_read_in_place = |step: &Step<'_>| is_view(step) || takes_part(step);
        let reads = self.reads().into_iter();
        let tensors = reads.filter_map(|node| graph.through(node, is_read_in_place).last());
        tensors.collect::<BTreeSet<_>>().len() + self.results.len()
    }

    /// The values that it is computed from.
    pub(super) fn reads(&self) -> BTreeSet<Node> {
        let operands = self.terms.iter().flat_map(|term| &term.operands);
        let reads = operands.filter_map(|operand| match operand {
            Operand::Read(node) => Some(*node),
            Operand::Computed(_) => None,
        });
        reads.collect()
    }

    /// Results of another that it reads.
    pub(super) fn read_of(&self, source: &Self) -> Vec<Node> {
        let reads = self.reads().into_iter();
        let read = reads.filter(|node| source.results.contains_key(node));
        read.collect()
    }

    /// Whether IREE fuses it with what reads it.
    pub(super) fn is_fused_with(&self, reader: &Self) -> bool {
        !self.is_cut && self.place == reader.place
    }

    /// This expression with what it reads of another in it: the first value with all of that, each other with a copy of what it is
    /// computed from. Results of the other that are kept are results of both.
    pub(super) fn with(&self, source: &Self, is_kept: impl Fn(Node) -> bool) -> Self {
        let mut fused = source.clone();
        let mut computed = BTreeMap::new();
        for node in self.read_of(source) {
            let Some(place) = source.results.get(&node).copied() else {
                continue;
            };
            let is_first = computed.is_empty();
            let place = if is_first { place } else { fused.copy(place) };
            computed.insert(node, place);
        }
        let first = fused.terms.len();
        fused.results.retain(|node, _| is_kept(*node));
        let results = self.results.iter();
        let results = results.map(|(node, place)| (*node, place + first));
        fused.results.extend(results);
        fused.stored.extend(&self.stored);
        let moved = |operand: &Operand| match operand {
            Operand::Read(node) => computed
                .get(node)
                .map_or(*operand, |place| Operand::Computed(*place)),
            Operand::Computed(place) => Operand::Computed(place + first),
        };
        let terms = self.terms.iter().map(|term| Term {
            weight: term.weight,
            operands: term.operands.iter().map(moved).collect(),
        });
        fused.terms.extend(terms);
        fused.compact();
        fused
    }

    /// Computes what an operation does once more.
    fn copy(&mut self, place: usize) -> usize {
        let needed = self.needed_by([place]);
        let mut places = BTreeMap::new();
        for place in needed {
            let Some(mut term) = self.terms.get(place).cloned() else {
                continue;
            };
            renumber(&mut term, &places);
            places.insert(place, self.terms.len());
            self.terms.push(term);
        }
        places.get(&place).copied().unwrap_or(place)
    }

    /// Removes what no result needs.
    fn compact(&mut self) {
        let needed = self.needed_by(self.results.values().copied());
        let places = needed.into_iter().zip(0..).collect();
        let mut place = 0..;
        self.terms.retain(|_| {
            place
                .next()
                .is_some_and(|place| BTreeMap::contains_key(&places, &place))
        });
        for term in &mut self.terms {
            renumber(term, &places);
        }
        for place in self.results.values_mut() {
            *place = places.get(place).copied().unwrap_or(*place);
        }
    }

    /// The operations that some need, and they themselves.
    fn needed_by(&self, places: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let (mut needed, mut pending) = (BTreeSet::new(), Vec::from_iter(places));
        while let Some(place) = pending.pop() {
            if !needed.insert(place) {
                continue;
            }
            let operands = self.terms.get(place).into_iter();
            let operands = operands.flat_map(|term| &term.operands);
            pending.extend(operands.filter_map(|operand| match operand {
                Operand::Computed(place) => Some(*place),
                Operand::Read(_) => None,
            }));
        }
        needed
    }
}

/// Lets an operation be applied to what operations compute whose indices have changed.
fn renumber(term: &mut Term, places: &BTreeMap<usize, usize>) {
    for operand in &mut term.operands {
        if let Operand::Computed(place) = operand {
            *place = places.get(place).copied().unwrap_or(*place);
        }
    }
}
