//! Which operations IREE 3.13 makes one dispatch of, as far as it matters that it must not, and what of them it mistakes
//! for something else.
//!
//! IREE forms a group around an operation that combines elements, the *root*: a reduction or a contraction. Into it
//! go what the root is computed from, and operations at each element that read it. The group is divided among workers
//! along the axes of the root, so that each operation in it is computed where an index of the root is.

mod again;
mod beside;
mod cancelled;
mod complex;
mod constants;
mod crosswise;
mod essence;
mod extrema;
mod gathered;
mod graph;
mod kept;
mod link;
mod packed;
mod parts;
mod products;
mod repeated;
mod rows;
mod shared;
mod sources;
mod transposed;
mod twice;
mod vectors;
mod views;

use graph::{Graph, Node};
use iree_dsl_ir::{FunctionId, Module, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// What is found of the values of a function.
#[derive(Default)]
pub(super) struct Dispatches {
    /// They must be computed before anything reads them.
    pub(super) apart: BTreeSet<ValueId>,
    /// They are sums of products that must not look like contractions.
    pub(super) sums: BTreeSet<ValueId>,
    /// They are reductions that must read what was computed before.
    pub(super) alone: BTreeSet<ValueId>,
}

/// What must be computed before anything reads it, each for a reason of its own.
const CUTS: [fn(&Graph<'_>) -> BTreeSet<Node>; 18] = [
    twice::cuts,
    cancelled::cuts,
    constants::cuts,
    gathered::cuts,
    crosswise::cuts,
    vectors::cuts,
    packed::cuts,
    transposed::cuts,
    repeated::cuts,
    rows::cuts,
    views::cuts,
    parts::cuts,
    shared::cuts,
    beside::cuts,
    complex::cuts,
    again::cuts,
    kept::cuts,
    extrema::cuts,
];

/// Goes through all functions of a module.
pub(super) fn find(module: &Module) -> BTreeMap<FunctionId, Dispatches> {
    let mut all: BTreeMap<FunctionId, Dispatches> = BTreeMap::new();
    for id in uncalled(module) {
        let graph = Graph::of(module, id);
        let mut note = |node: Node, field: fn(&mut Dispatches) -> &mut BTreeSet<ValueId>| {
            let computed = graph.get(node);
            for (function, value) in computed.into_iter().flat_map(|node| &node.places) {
                field(all.entry(*function).or_default()).insert(*value);
            }
        };
        for node in CUTS.iter().flat_map(|cuts| cuts(&graph)) {
            note(node, |found| &mut found.apart);
        }
        for (node, computed) in graph.nodes() {
            let step = computed.step.as_ref();
            if step.is_some_and(|step| products::must_be_sums(&graph, step)) {
                note(node, |found| &mut found.sums);
            }
        }
        for node in complex::reductions(&graph) {
            note(node, |found| &mut found.alone);
        }
    }
    all
}

/// The functions that are not looked at where they are called.
fn uncalled(module: &Module) -> impl Iterator<Item = FunctionId> {
    let functions = module.functions.iter();
    let operations = functions.flat_map(|(_, function)| function.operations.iter());
    let called = operations.filter_map(|(_, operation)| operation.op.callee());
    let called = called.map(|call| call.callee);
    let called: BTreeSet<_> = called.collect();
    let all = module.functions.iter().map(|(id, _)| id);
    all.filter(move |id| !called.contains(id))
}
