//! Products of matrices whose results are transposed.
//!
//! IREE 3.13 writes the result of a contraction where a transpose has it, and packs factors into tiles only if the
//! contraction has one axis of each kind: of the batch, of rows, of columns, of sums. Several axes of a kind become one
//! as long as they follow each other. Where a transpose puts another between them, as attention does when it exchanges
//! heads and tokens, a product takes three times as long, and twenty times as long if its result is packed for the next.

use super::{
    graph::{Graph, Node, Step},
    link::{Along, forward},
};
use iree_dsl_ir::op::Op;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// With fewer multiplications, a product takes less time in any order than a transpose in a dispatch of its own.
const LARGE: usize = 1 << 18;

/// The values that must be computed before they are transposed.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let products = graph.nodes().filter_map(|(node, computed)| {
        let product = Product::of(computed.step.as_ref()?)?;
        product.is_large.then_some((node, product))
    });
    products
        .flat_map(|(node, product)| product.torn(graph, node))
        .collect()
}

/// A product of matrices of known sizes.
struct Product {
    is_large: bool,
    /// The axes of the result that are of a batch, rows and columns.
    kinds: [Range<usize>; 3],
    /// Each axis of the result that has more than one place.
    along: Along,
}

impl Product {
    fn of(step: &Step<'_>) -> Option<Self> {
        let Op::DotGeneral(op) = step.op() else {
            return None;
        };
        let factor = step.operand(0)?.shape.known()?;
        let result = step.result()?.shape.known()?;
        let rows = factor.len() - op.contract.0.len();
        let summed = op.contract.0.iter().filter_map(|axis| factor.get(*axis));
        let count = result.iter().chain(summed);
        let count = count.fold(1_usize, |count, size| count.saturating_mul(*size));
        let batch = op.batch.0.len();
        let dims = step.result()?.shape.dims().iter().enumerate();
        Some(Self {
            is_large: count >= LARGE,
            kinds: [0..batch, batch..rows, rows..result.len()],
            along: dims
                .map(|(axis, dim)| (!dim.is_one()).then_some(axis).into_iter().collect())
                .collect(),
        })
    }

    /// What is computed from the product element by element until a transpose takes its axes apart.
    fn torn(&self, graph: &Graph<'_>, root: Node) -> Vec<Node> {
        let mut torn = Vec::new();
        let mut reached = BTreeMap::from([(root, self.along.clone())]);
        // In the order of the program: each value comes after those that it is computed from.
        while let Some((node, along)) = reached.pop_first() {
            for (user, behind) in readers(graph, node, &along) {
                let is_transposed =
                    matches!(graph.step(user).map(Step::op), Some(Op::Transpose(_)));
                match is_transposed && !self.is_together(&behind) {
                    true => torn.push(node),
                    false => {
                        reached.insert(user, behind);
                    }
                }
            }
        }
        torn
    }

    /// Whether the axes of each kind follow each other, in their order.
    fn is_together(&self, along: &Along) -> bool {
        let mut order: Vec<usize> = along.iter().flatten().copied().collect();
        order.dedup();
        self.kinds.iter().all(|kind| {
            let here = |axis: &usize| kind.contains(axis);
            let first = order.iter().position(here).unwrap_or_default();
            let run = order.iter().skip(first).take_while(|axis| here(axis));
            let is_whole = run.clone().count() == order.iter().filter(|axis| here(axis)).count();
            is_whole && run.is_sorted()
        })
    }
}

/// What reads a value element by element, and how its axes run along with the product.
fn readers<'g>(
    graph: &'g Graph<'_>,
    node: Node,
    along: &'g Along,
) -> impl Iterator<Item = (Node, Along)> + 'g {
    let users = graph
        .get(node)
        .into_iter()
        .flat_map(|computed| &computed.users);
    users.filter_map(move |user| {
        let step = graph.step(*user).filter(|step| step.is_parallel())?;
        let position = step.operands.iter().position(|operand| *operand == node)?;
        let link = step.link(position)?;
        Some((*user, forward(&link, along, step.result()?.shape.rank())))
    })
}
