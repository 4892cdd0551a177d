//! Products of matrices of which several values are kept: `let y = x.dot(w); (y, y.tanh())`.
//!
//! IREE 3.13 computes all of them in the dispatch of the product, in its tiles, and divides only one of them into vectors. The others
//! are vectors of a whole tile, which it refuses where tiles are large ("large vector sizes"). Where it does not, a dispatch that
//! reads the product takes no more time.
//! Defect `kept-product-has-large-vectors`.

use super::graph::{Computed, Graph, Node, Step};
use iree_abi::Dim;
use iree_dsl_ir::op::{Op, Structure};
use std::collections::BTreeSet;

/// Up to so many elements of a matrix, no tile is too large.
const SMALL: usize = 1 << 13;

/// Into how many rows or columns IREE divides a size that it does not know.
const UNKNOWN: usize = 1 << 6;

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let nodes = graph.nodes();
    let products = nodes.filter(|(_, computed)| computed.step.as_ref().is_some_and(is_large));
    let tiles = products.map(|(node, _)| Tile::of(graph, node));
    tiles.filter_map(|tile| tile.first_of_several()).collect()
}

/// Whether it is a product of matrices with many elements.
fn is_large(step: &Step<'_>) -> bool {
    let (Op::DotGeneral(op), Some(result)) = (step.op(), step.result()) else {
        return false;
    };
    let size = |dim: &Dim| dim.known().unwrap_or(UNKNOWN);
    let sizes = result.shape.dims().iter().skip(op.batch.0.len()).map(size);
    step.is_product() && sizes.fold(1_usize, usize::saturating_mul) > SMALL
}

/// A product, and what is computed from it element by element.
struct Tile<'g, 'a> {
    graph: &'g Graph<'a>,
    product: Node,
    members: BTreeSet<Node>,
    /// What comes after the product in the program and does not need it.
    beside: BTreeSet<Node>,
}

impl<'g, 'a> Tile<'g, 'a> {
    fn of(graph: &'g Graph<'a>, product: Node) -> Self {
        let mut tile = Self {
            graph,
            product,
            members: BTreeSet::from([product]),
            beside: BTreeSet::new(),
        };
        let mut pending: BTreeSet<Node> = tile.users(product).collect();
        while let Some(node) = pending.pop_first() {
            if tile.takes(node) && tile.members.insert(node) {
                pending.extend(tile.users(node));
            }
        }
        tile
    }

    fn users(&self, node: Node) -> impl Iterator<Item = Node> + use<'g, 'a> {
        self.graph.users(node)
    }

    /// Whether an operation can be computed as soon as a tile is.
    fn takes(&mut self, node: Node) -> bool {
        let step = self.graph.step(node);
        let step = step.filter(|step| matches!(step.op().structure(), Structure::Elementwise));
        let Some(step) = step else { return false };
        let mut operands = step.operands.iter();
        operands.all(|operand| self.members.contains(operand) || self.is_beside(*operand))
    }

    /// Whether a value does not need the product.
    fn is_beside(&mut self, node: Node) -> bool {
        let (mut seen, mut pending) = (BTreeSet::new(), vec![node]);
        while let Some(node) = pending.pop() {
            if node == self.product {
                return false;
            }
            // Each value comes after those that it is computed from.
            if node > self.product && !self.beside.contains(&node) && seen.insert(node) {
                let step = self.graph.step(node);
                pending.extend(step.into_iter().flat_map(|step| &step.operands));
            }
        }
        self.beside.extend(seen);
        true
    }

    /// The first value that several others are computed from, if more than one is kept.
    fn first_of_several(&self) -> Option<Node> {
        let is_kept = |node: &&Node| {
            let is_stored = self.graph.get(**node).is_some_and(|it| it.is_stored);
            is_stored || self.users(**node).any(|user| !self.members.contains(&user))
        };
        if self.members.iter().filter(is_kept).count() < 2 {
            return None;
        }
        let next = |node: &Node| {
            let is_again = self.graph.get(*node).is_none_or(Computed::is_used_again);
            if is_again {
                None
            } else {
                self.users(*node).next()
            }
        };
        std::iter::successors(Some(self.product), next).last()
    }
}
