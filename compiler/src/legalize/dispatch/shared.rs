//! Reductions that several factors of products are computed from.
//!
//! IREE 3.13 packs the factors in the dispatch of the reduction, if it does not know all sizes: it fails without a word where it
//! has packed the one and cannot pack the other.

use super::graph::{Graph, Node};
use std::collections::{BTreeMap, BTreeSet};

/// The reductions that must be computed before what is multiplied.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut from: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    // The left and right factors of each reduction.
    let mut factors: BTreeMap<Node, BTreeSet<(usize, Node)>> = BTreeMap::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let of = |operand: &Node| from.get(operand).cloned().unwrap_or_default();
        if step.is_reduction() {
            from.insert(node, BTreeSet::from([node]));
        } else if step.is_parallel() {
            let reductions: BTreeSet<_> = step.operands.iter().flat_map(of).collect();
            if !reductions.is_empty() {
                from.insert(node, reductions);
            }
        } else if step.is_product() && !step.has_known_factors() {
            for (side, factor) in step.operands.iter().enumerate() {
                for reduction in of(factor) {
                    factors
                        .entry(reduction)
                        .or_default()
                        .insert((side, *factor));
                }
            }
        }
    }
    let several = factors.into_iter().filter(|(_, factors)| factors.len() > 1);
    several.map(|(reduction, _)| reduction).collect()
}
