//! The expressions that are there before IREE fuses what several read: of each value that only one operation reads, with that.

use super::{
    Last,
    expression::{Expression, Operand, Place, Term},
};
use crate::legalize::dispatch::graph::{Computed, Graph, Node, Step};
use iree_dsl_ir::op::{Cost, Op, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// With how many operations others a function is written out, as a rule: a sine has 400, an error function 200.
const WRITTEN_OUT: usize = 1 << 7;

/// The functions that are an operation of MLIR.
const ONE: [UnaryOp; 8] = [
    UnaryOp::Sqrt,
    UnaryOp::Exp,
    UnaryOp::ExpM1,
    UnaryOp::Ln,
    UnaryOp::Ln1p,
    UnaryOp::Sigmoid,
    UnaryOp::CountOnes,
    UnaryOp::LeadingZeros,
];

/// Those that are one only of numbers with up to 32 bits.
const ONE_IF_SHORT: [UnaryOp; 2] = [UnaryOp::Tanh, UnaryOp::Erf];

/// Expressions become one if they read at most so many values, that between them included.
const MOST: usize = 16;

/// All of a graph, by the last value of each.
pub(super) fn expressions<'a>(graph: &Graph<'a>) -> BTreeMap<Last, Expression<'a>> {
    let mut groups = Groups::of(graph);
    let all: Vec<_> = groups.all.keys().copied().collect();
    for last in all {
        while let Some(source) = groups.own(last) {
            groups.merge(last, source);
        }
    }
    let all = groups.all.iter();
    let all =
        all.filter_map(|(last, group)| Some((*last, groups.expression(graph, *last, group)?)));
    all.collect()
}

/// Values that are computed as one expression.
struct Group<'a> {
    place: Place<'a>,
    members: BTreeSet<Node>,
    /// What they are computed from.
    reads: BTreeSet<Node>,
}

#[derive(Default)]
struct Groups<'a> {
    all: BTreeMap<Last, Group<'a>>,
    /// The groups that read a value.
    users: BTreeMap<Node, BTreeSet<Last>>,
    /// The values that something else needs.
    stored: BTreeSet<Node>,
}

impl<'a> Groups<'a> {
    fn of(graph: &Graph<'a>) -> Self {
        let mut groups = Self::default();
        for (node, computed) in graph.nodes() {
            let Some(place) = place_of(computed) else {
                continue;
            };
            let users: BTreeSet<_> = computed.users.iter().copied().collect();
            let is_element = |user: &Node| graph.get(*user).and_then(place_of).is_some();
            if computed.is_stored || !users.iter().all(is_element) {
                groups.stored.insert(node);
            }
            groups.users.insert(node, users);
            let group = Group {
                place,
                members: BTreeSet::from([node]),
                reads: reads(graph, node).collect(),
            };
            groups.all.insert(node, group);
        }
        groups
    }

    /// A value that a group reads and no other does, if both together are of few values.
    fn own(&self, last: Last) -> Option<Node> {
        let reader = self.all.get(&last)?;
        let is_own = |node: &&Node| {
            let users = self.users.get(*node).map_or(0, BTreeSet::len);
            let source = self.all.get(*node);
            let values = |source: &Group<'_>| reader.reads.union(&source.reads).count();
            users == 1
                && !self.stored.contains(*node)
                && source.is_some_and(|it| reader.place == it.place && values(it) <= MOST)
        };
        reader.reads.iter().find(is_own).copied()
    }

    fn merge(&mut self, last: Last, source: Last) {
        let Some(source_group) = self.all.remove(&source) else {
            return;
        };
        let Some(group) = self.all.get_mut(&last) else {
            return;
        };
        for node in &source_group.reads {
            let users = self.users.entry(*node).or_default();
            users.remove(&source);
            users.insert(last);
        }
        group.reads.remove(&source);
        group.reads.extend(source_group.reads);
        group.members.extend(source_group.members);
    }

    fn expression(
        &self,
        graph: &Graph<'a>,
        last: Last,
        group: &Group<'a>,
    ) -> Option<Expression<'a>> {
        let places: BTreeMap<_, _> = group.members.iter().copied().zip(0..).collect();
        let operand = |node: Node| match places.get(&node) {
            Some(place) => Operand::Computed(*place),
            None => Operand::Read(node),
        };
        let terms = group.members.iter().map(|node| Term {
            weight: graph.step(*node).map_or(1, weight),
            operands: reads(graph, *node).map(operand).collect(),
        });
        Some(Expression {
            place: group.place,
            terms: terms.collect(),
            results: BTreeMap::from([(last, *places.get(&last)?)]),
            stored: self.stored.get(&last).copied().into_iter().collect(),
            is_cut: false,
        })
    }
}

/// Where an operation is, if it computes each element from those at its place.
fn place_of<'a>(computed: &Computed<'a>) -> Option<Place<'a>> {
    let step = computed.step.as_ref()?;
    let is_barrier = *step.op() == Op::Unary(UnaryOp::Barrier);
    (step.op().is_elementwise() && !is_barrier).then_some(Place {
        shape: &step.result()?.shape,
        block: computed.block,
    })
}

/// What an operation reads, but for numbers.
fn reads<'g, 'a>(graph: &'g Graph<'a>, node: Node) -> impl Iterator<Item = Node> + use<'g, 'a> {
    let operands = graph.step(node).into_iter();
    let operands = operands.flat_map(|step| step.operands.iter().copied());
    operands.filter(|node| graph.step(*node).is_none_or(|step| !step.op().is_source()))
}

fn weight(step: &Step<'_>) -> usize {
    let is_short = step.result().is_some_and(|ty| ty.dtype.size() <= 4);
    let is_one = |op| ONE.contains(op) || is_short && ONE_IF_SHORT.contains(op);
    let is_one = if let Op::Unary(op) = step.op() {
        is_one(op)
    } else {
        false
    };
    match !is_one && step.op().cost() >= Cost::Transcendental {
        true => WRITTEN_OUT,
        false => 1,
    }
}
