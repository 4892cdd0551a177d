//! Factors of products that are computed with reductions.
//!
//! IREE 3.13 packs a factor into tiles in the dispatch that computes it. If there is a reduction in it,
//!
//! - the axes of a batch and of its rows are one there, and the tiles are those of other rows where a batch ends;
//! - and it reduces to a single number, the dispatch is not divided among workers, which IREE refuses where it packs: what is
//!   computed from the number, or what the number is computed from, `let h = x.tanh(); ((h * h).sum(), y.dot(h))`;
//! - and it reduces long rows of the factor, `let h = x.tanh(); (h.sum_axis(1), h.dot(y))`, these are kept on the stack, where they
//!   do not fit;
//! - and it is both factors of a product that sums along several axes, it is packed twice, the second time without workers.
//!
//! A factor that is computed in the dispatch of its product and read with the product too, `let h = x.tanh(); (h.dot(y) +
//! h).tanh()`, is packed there in two ways, and IREE fails without a word.
//!
//! Defects `packed-factor-is-reduced-to-a-number`, `reduced-factor-is-kept-on-the-stack` and `factor-is-added-to-its-product`.

use super::{
    beside::read_beside,
    graph::{Graph, Node, Step},
    sources::{is_view, readers, sources},
    stack::reduces_long_lines,
};
use iree_abi::{DType, Dim};
use iree_dsl_ir::op::Op;
use std::collections::{BTreeMap, BTreeSet};

/// The values that must be computed before something is packed.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = factors_of_batches(graph);
    apart.extend(numbers(graph));
    apart.extend(beside_reductions(graph));
    apart.extend(both_factors(graph));
    apart.extend(beside_products(graph));
    apart
}

/// Factors of batches in whose dispatch is a reduction.
fn factors_of_batches(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut reduced: BTreeSet<Node> = BTreeSet::new();
    let mut apart = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let mut operands = step.operands.iter();
        let is_below = step.is_parallel() && operands.any(|operand| reduced.contains(operand));
        if step.is_reduction() || is_below {
            reduced.insert(node);
        } else if is_product(step) && is_batch(step) {
            let factors = step.operands.iter();
            apart.extend(factors.filter(|factor| reduced.contains(factor)));
        }
    }
    apart
}

/// Single numbers that reductions give, and factors are computed from.
fn numbers(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut from: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    let mut apart = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let operands = step.operands.iter().filter_map(|operand| from.get(operand));
        let mut numbers: BTreeSet<_> = operands.flatten().copied().collect();
        numbers.retain(|number| !apart.contains(number));
        if step.is_reduction() && is_number(step) {
            from.insert(node, BTreeSet::from([node]));
        } else if is_product(step) {
            apart.extend(numbers);
        } else if step.is_parallel() && !numbers.is_empty() {
            from.insert(node, numbers);
        }
    }
    apart
}

/// Factors that are computed element by element, and of which long rows are reduced besides, or all to a single number.
fn beside_reductions(graph: &Graph<'_>) -> BTreeSet<Node> {
    let steps = graph.nodes().filter_map(|(_, it)| it.step.as_ref());
    let products = steps.filter(|step| step.is_product() && multiplies_matrices(step));
    let factors = products.flat_map(|step| &step.operands);
    let packed = factors.filter_map(|factor| graph.through(*factor, is_view).last());
    let packed: BTreeSet<Node> = packed.collect();
    packed
        .into_iter()
        .filter(|node| graph.step(*node).is_some_and(Step::is_parallel))
        .filter(|node| is_reduced_besides(graph, *node))
        .collect()
}

fn is_reduced_besides(graph: &Graph<'_>, factor: Node) -> bool {
    let readers = readers(graph, factor);
    let reductions = || readers.iter().filter(|step| step.is_reduction());
    reductions().any(|step| is_number(step)) || reductions().any(|step| reduces_long_lines(step))
}

/// Whether neither factor is a vector, which is not packed.
pub(super) fn multiplies_matrices(step: &Step<'_>) -> bool {
    let Op::DotGeneral(op) = step.op() else {
        return false;
    };
    let taken = [[&op.batch.0, &op.contract.0], [&op.batch.1, &op.contract.1]];
    taken.iter().enumerate().all(|(position, taken)| {
        let dims = step.operand(position).map(|ty| ty.shape.dims());
        let mut dims = dims.unwrap_or_default().iter().enumerate();
        dims.any(|(axis, dim)| !dim.is_one() && !taken.iter().any(|axes| axes.contains(&axis)))
    })
}

/// Reductions that are multiplied by themselves along several axes.
fn both_factors(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut found = BTreeSet::new();
    for (_, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let sums_several = matches!(step.op(), Op::DotGeneral(op) if op.contract.0.len() > 1);
        if let (true, true, [lhs, rhs]) = (sums_several, is_product(step), &step.operands[..]) {
            let is_reduced = graph.step(*lhs).is_some_and(Step::is_reduction);
            found.extend((lhs == rhs && is_reduced).then_some(*lhs));
        }
    }
    found
}

/// Factors that are computed element by element, and read with their product too.
fn beside_products(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut found = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let is_packed = is_product(step) && multiplies_matrices(step) && is_single(step);
        if !is_packed {
            continue;
        }
        let factors = sources(graph, &step.operands, |step| step.is_parallel());
        let read = read_beside(graph, node);
        let again = read.intersection(&factors).copied();
        found.extend(again.filter(|value| !needs_root(graph, *value)));
    }
    found
}

/// Whether a value is computed in the dispatch of another operation.
fn needs_root(graph: &Graph<'_>, value: Node) -> bool {
    let sources = sources(graph, &[value], |step| step.is_parallel());
    let mut steps = sources.iter().filter_map(|node| graph.step(*node));
    steps.any(Step::is_root)
}

/// Whether it is computed in the one type of which IREE packs what is added to a product.
fn is_single(step: &Step<'_>) -> bool {
    step.result().is_some_and(|ty| ty.dtype == DType::F32)
}

fn is_number(step: &Step<'_>) -> bool {
    let result = step.result();
    result.is_some_and(|ty| ty.shape.dims().iter().all(Dim::is_one))
}

/// Whether it is a product of which IREE knows all sizes.
fn is_product(step: &Step<'_>) -> bool {
    step.is_product() && step.has_known_factors()
}

fn is_batch(step: &Step<'_>) -> bool {
    matches!(step.op(), Op::DotGeneral(op) if !op.batch.0.is_empty())
}
