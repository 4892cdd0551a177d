//! Products of matrices of which several values are kept: `let y = x.dot(w); (y, y.tanh())`.
//!
//! IREE 3.13 computes all of them in the dispatch of the product, in its tiles, and divides only one of them into vectors. The others
//! are vectors of a whole tile, which it refuses where tiles are large ("large vector sizes"). Where it does not, a dispatch that
//! reads the product takes no more time.
//! Where a product sums up several axes of what is kept, it is kept in two ways.
//! Defects `kept-product-has-large-vectors` and `factor-is-packed-along-two-axes`.

use super::graph::{Graph, Node, Step};
use iree_abi::Dim;
use iree_dsl_ir::op::{Op, Structure};
use std::collections::BTreeSet;

/// Up to so many elements of a matrix, several values of a tile fit on the stack.
const SMALL: usize = 1 << 11;

/// Into how many rows or columns IREE divides a size that it does not know.
const UNKNOWN: usize = 1 << 6;

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let nodes = graph.nodes();
    let products = nodes.filter(|(_, computed)| computed.step.as_ref().is_some_and(is_large));
    let tiles = products.map(|(node, _)| Tile::of(graph, node));
    tiles.filter_map(|tile| tile.last_of_all()).collect()
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

/// A product, and what is computed from it element by element, also with other axes.
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
        let step = step.filter(|step| {
            matches!(
                step.op().structure(),
                Structure::Elementwise | Structure::Reshape(_)
            )
        });
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

    /// In how many ways a value is kept: as it is, and with axes that a product sums up as one.
    fn ways(&self, node: Node) -> usize {
        let is_stored = self.graph.get(node).is_some_and(|it| it.is_stored);
        let is_outside = |user: &Node| !self.members.contains(user);
        let is_kept = is_stored || self.users(node).any(|user| is_outside(&user));
        let is_flat = self.users(node).any(|user| self.sums_several(user));
        // A product alone packs the value as it is and as one.
        let is_whole = is_stored
            || self
                .users(node)
                .filter(is_outside)
                .any(|user| !self.is_product(user));
        usize::from(is_kept) + usize::from(is_flat && is_whole)
    }

    fn is_product(&self, node: Node) -> bool {
        self.graph.step(node).is_some_and(Step::is_product)
    }

    /// Whether an operation is a product that sums along several axes.
    fn sums_several(&self, node: Node) -> bool {
        let op = self.graph.step(node).map(Step::op);
        matches!(op, Some(Op::DotGeneral(op)) if op.contract.0.len() > 1)
    }

    /// The last value that all are computed from that are kept, if these are several.
    fn last_of_all(&self) -> Option<Node> {
        if self
            .members
            .iter()
            .map(|node| self.ways(*node))
            .sum::<usize>()
            < 2
        {
            return None;
        }
        let (mut reach, mut last) = (self.product, self.product);
        // Each value comes after those that it is computed from.
        for node in &self.members {
            if reach <= *node {
                last = *node;
            }
            reach = reach.max(self.last_reader(*node));
        }
        Some(last)
    }

    /// The last member that reads a value; none comes after the readers of what is kept.
    fn last_reader(&self, node: Node) -> Node {
        match self.ways(node) {
            0 => self.users(node).max().unwrap_or(node),
            _ => Node::MAX,
        }
    }
}
