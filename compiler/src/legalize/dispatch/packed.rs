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
//! What is added to a product in `f32` is packed likewise: `let h = b.tanh(); (x.dot(y) + h, h.dot(w))`. Where its sizes are multiples of
//! the tiles, nothing is padded and IREE accepts it, but tiles depend on the target, so that all of it is computed before.
//!
//! A factor that is computed in the dispatch of its product and read with the product too, `let h = x.tanh(); (h.dot(y) +
//! h).tanh()`, is packed there in two ways, and IREE fails without a word. Numbers of 64 bits are not packed but stored, along
//! the axis that the product sums up, which is not divided among workers: the gradient of `(x.dot(x) - x).powi(2).mean()`.
//!
//! Of a part of the columns of a matrix, `x[s![.., ..100]].dot(w)`, it packs several tiles at once, on the stack.
//!
//! Defects `packed-factor-is-reduced-to-a-number`, `reduced-factor-is-kept-on-the-stack`, `factor-is-added-to-its-product`,
//! `multiplied-matrix-is-stored` and `columns-are-packed-on-the-stack`.

use super::{
    beside::read_beside,
    graph::{Graph, Node, Step},
    sources::{beside, computed_from, is_view, readers, readers_of, sources, takes_part},
    stack::{count, reduces_long_lines},
};
use iree_abi::{DType, Dim, TensorType};
use iree_dsl_ir::op::Op;
use std::collections::{BTreeMap, BTreeSet};

/// Up to so many elements of a factor, what is packed at once fits on the stack.
const SMALL: usize = 1 << 12;

/// The values that must be computed before something is packed.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = factors_of_batches(graph);
    apart.extend(numbers(graph));
    apart.extend(beside_reductions(graph));
    apart.extend(both_factors(graph));
    apart.extend(beside_products(graph));
    apart.extend(columns(graph));
    apart
}

/// Large factors, and what is read with products, that are computed from a part of the columns of something, or are one.
fn columns(graph: &Graph<'_>) -> BTreeSet<Node> {
    let is_large = |factor: &Node| {
        let ty = graph.step(*factor).and_then(Step::result);
        ty.and_then(count).is_some_and(|count| count > SMALL)
    };
    let mut apart = BTreeSet::new();
    for (node, step) in products_of_matrices(graph) {
        if !is_product(step) || !step.is_packed() {
            continue;
        }
        let of_parts = |value: &Node| is_of_columns(graph, *value, is_batch(step));
        let factors = step.operands.iter().copied();
        apart.extend(factors.filter(|value| is_large(value) && of_parts(value)));
        if is_single(step) {
            let read = read_beside(graph, node).into_iter();
            apart.extend(read.filter(|value| is_large(value) && of_parts(value)));
        }
    }
    apart
}

/// Whether a value is computed from a part along the last axis. Of a batch, IREE reads a part that is shown in another shape in a
/// dispatch of its own.
fn is_of_columns(graph: &Graph<'_>, value: Node, is_batch: bool) -> bool {
    let inside = sources(graph, &[value], |step| match is_batch {
        true => step.op().is_elementwise(),
        false => step.is_parallel(),
    });
    let mut steps = inside.iter().filter_map(|node| graph.step(*node));
    steps.any(takes_columns)
}

/// Whether it takes a part along the last axis.
fn takes_columns(step: &Step<'_>) -> bool {
    let last = |ty: Option<&TensorType>| ty.and_then(|ty| ty.shape.dims().last().cloned());
    let is_spread =
        matches!(step.op(), Op::Slice(op) if op.stride.iter().any(|stride| *stride > 1));
    takes_part(step) && !is_spread && last(step.operand(0)) != last(step.result())
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

/// Factors that are computed element by element, and of which long rows are reduced besides, or all to a single number. Of what is
/// added to a product, only the latter are refused.
fn beside_reductions(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut found = BTreeSet::new();
    for (node, step) in products_of_matrices(graph) {
        let of_product = computed_from(graph, node);
        let mut cut = |values: BTreeSet<Node>, are_such: fn(&Step<'_>) -> bool| {
            found.extend(branches(graph, &values, are_such));
            found.extend(values.into_iter().filter(|value| {
                let is_parallel = graph.step(*value).is_some_and(Step::is_parallel);
                is_parallel && is_read_elsewhere(graph, *value, &of_product, are_such)
            }));
        };
        cut(origins(graph, step.operands.iter().copied()), |step| {
            reduces_to_number(step) || reduces_long_lines(step)
        });
        if is_single(step) {
            cut(origins(graph, beside(graph, node)), reduces_to_number);
        }
    }
    found
}

/// What values are computed from element by element, and no root before, which such steps read besides.
fn branches(
    graph: &Graph<'_>,
    values: &BTreeSet<Node>,
    are_such: fn(&Step<'_>) -> bool,
) -> Vec<Node> {
    let is_of_elements = |step: &Step<'_>| step.op().is_elementwise();
    let values = Vec::from_iter(values.iter().copied());
    let sources = sources(graph, &values, is_of_elements);
    let leads_there = |user: Node| {
        graph.step(user).is_some_and(|step| {
            are_such(step) || step.is_parallel() && readers(graph, user).into_iter().any(are_such)
        })
    };
    let is_branch = |node: &Node| {
        let mut users = graph.users(*node).filter(|user| !sources.contains(user));
        graph.step(*node).is_some_and(is_of_elements)
            && !needs_root(graph, *node)
            && users.any(leads_there)
    };
    sources.iter().copied().filter(is_branch).collect()
}

/// What values show in another shape.
fn origins(graph: &Graph<'_>, values: impl IntoIterator<Item = Node>) -> BTreeSet<Node> {
    let values = values.into_iter();
    let origins = values.filter_map(|value| graph.through(value, is_view).last());
    origins.collect()
}

/// Whether such steps read what is computed from a value, but not from a product, in whose dispatch the others are.
fn is_read_elsewhere(
    graph: &Graph<'_>,
    value: Node,
    of_product: &BTreeSet<Node>,
    are_such: fn(&Step<'_>) -> bool,
) -> bool {
    let computed = computed_from(graph, value);
    let elsewhere = computed.difference(of_product).copied();
    readers_of(graph, elsewhere).into_iter().any(are_such)
}

/// Whether it is a reduction, or a product of vectors, to a single number.
fn reduces_to_number(step: &Step<'_>) -> bool {
    (step.is_reduction() || step.is_product()) && is_number(step)
}

/// The products of which neither factor is a vector.
pub(super) fn products_of_matrices<'g, 'a>(
    graph: &'g Graph<'a>,
) -> impl Iterator<Item = (Node, &'g Step<'a>)> {
    let nodes = graph.nodes();
    let steps = nodes.filter_map(|(node, computed)| Some((node, computed.step.as_ref()?)));
    steps.filter(|(_, step)| step.is_product() && multiplies_matrices(step))
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
    for (node, step) in products_of_matrices(graph) {
        if !is_product(step) || !is_single(step) && step.is_packed() {
            continue;
        }
        let factors = sources(graph, &step.operands, |step| step.is_parallel());
        let read = read_beside(graph, node);
        let again = read.intersection(&factors).copied();
        found.extend(again.filter(|value| !step.is_packed() || !needs_root(graph, *value)));
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
