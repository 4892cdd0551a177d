//! Parts of products of matrices whose sizes are known at the call only.
//!
//! IREE 3.13 makes one dispatch of the unpacking of such a product, whose tiles data tiling has packed, and of what takes a part
//! of it: the part is then not divided into tiles, and takes more of the stack than there is ("large vector sizes").

use super::{
    graph::{Graph, Node, Step},
    sources::takes_part,
};
use std::collections::BTreeSet;

/// The values that must be computed before parts of them are taken.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut unpacked: BTreeSet<Node> = BTreeSet::new();
    let mut apart = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let is_unpacked = |operand: &Node| unpacked.contains(operand);
        if is_product(step) || step.is_parallel() && step.operands.iter().any(is_unpacked) {
            unpacked.insert(node);
        } else if takes_part(step) {
            apart.extend(
                step.operands
                    .iter()
                    .take(1)
                    .filter(|whole| is_unpacked(whole)),
            );
        }
    }
    apart
}

/// Whether it is a product that IREE packs, and does not know all sizes of.
fn is_product(step: &Step<'_>) -> bool {
    step.is_product() && step.is_packed() && !step.has_known_factors()
}
