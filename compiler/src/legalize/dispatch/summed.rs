//! Products of matrices that are read again where they are repeated along an axis and reduced along that axis and another: `let p =
//! x.dot(w); ((p + y).sum(), p)` where `y` has one axis more.
//!
//! IREE 3.13 computes such a product in the dispatch of the reduction, once for each tile along the repeated axis, and adds what
//! it computes to what it had before: the product and the sum are several times what they should be. Where tiles are large, it refuses
//! them. It also refuses them where what is reduced along one axis is itself read again, as a softmax does: `(p.dot(w) + (p +
//! y)).softmax(0)`.
//! Defect `product-is-added-up-in-a-reduction`.

use super::graph::{Computed, Graph, Node, Step};
use std::collections::BTreeSet;

/// The products that must be in memory before they are repeated.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let is_product = |computed: &Computed<'_>| computed.step.as_ref().is_some_and(Step::is_product);
    let nodes = graph.nodes();
    let products = nodes.filter(|(_, computed)| is_product(computed));
    products
        .map(|(node, _)| node)
        .filter(|product| is_reduced_where_repeated(graph, *product))
        .collect()
}

/// What becomes of a product on a way from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    at: Node,
    /// Whether something else reads it, or what was computed of it.
    is_read_again: bool,
    is_repeated: bool,
}

fn is_reduced_where_repeated(graph: &Graph<'_>, product: Node) -> bool {
    let start = Way {
        at: product,
        is_read_again: false,
        is_repeated: false,
    };
    let is_used_again = |node: Node| graph.get(node).is_some_and(Computed::is_used_again);
    let (mut seen, mut pending) = (BTreeSet::new(), vec![start]);
    while let Some(way) = pending.pop() {
        if !seen.insert(way) {
            continue;
        }
        let is_read_beside = is_used_again(way.at) && is_used_again(product);
        let is_read_again = way.is_read_again || is_used_again(way.at);
        for user in graph.users(way.at) {
            let Some(step) = graph.step(user) else {
                continue;
            };
            let is_reduced =
                is_read_again && reduces_several(step) || is_read_beside && step.is_reduction();
            if way.is_repeated && is_reduced {
                return true;
            }
            if step.is_parallel() {
                pending.push(Way {
                    at: user,
                    is_read_again,
                    is_repeated: way.is_repeated || repeats(step, way.at),
                });
            }
        }
    }
    false
}

fn reduces_several(step: &Step<'_>) -> bool {
    let axes = step.op().reduced_axes();
    step.is_reduction() && axes.is_some_and(|axes| axes.len() > 1)
}

/// Whether an operation reads a value alike along an axis.
fn repeats(step: &Step<'_>, value: Node) -> bool {
    let dims = step.result().map(|ty| ty.shape.dims());
    let is_longer = |axis: &usize| {
        let dim = dims.and_then(|dims| dims.get(*axis));
        dim.is_some_and(|dim| !dim.is_one())
    };
    let operands = step.operands.iter().enumerate();
    let mut repeated = operands
        .filter(|(_, operand)| **operand == value)
        .filter_map(|(position, _)| step.repeats(position));
    repeated.any(|axes| axes.iter().any(is_longer))
}
