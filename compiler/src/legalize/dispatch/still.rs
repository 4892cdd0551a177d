//! Reductions along an axis along which nothing changes: `(x.insert_axis(1).broadcast_to([n, m]) * 3.0).sum_axis(1)`.
//!
//! IREE 3.13 reads nothing along that axis in the dispatch of such a reduction, and keeps all that it repeats on the stack.
//! Defect `repeated-value-is-kept-on-the-stack`.

use super::{
    fixed::Fixed,
    graph::{Graph, Node, Step},
    stack::reduces_long_rows,
};
use iree_abi::Dim;
use std::collections::{BTreeMap, BTreeSet};

/// The values that must be in memory before they are reduced.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let changes = Changes::of(graph);
    let mut apart = BTreeSet::new();
    for (_, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        if reduces_long_rows(step) && changes.is_still_along_an_axis(step) {
            apart.extend(step.operands.first());
        }
    }
    apart
}

/// For what is computed element by element, whether it changes along each axis. Other values may change along all.
struct Changes(BTreeMap<Node, Vec<bool>>);

impl Changes {
    fn of(graph: &Graph<'_>) -> Self {
        let fixed = Fixed::of(graph);
        let mut changes = Self(BTreeMap::new());
        for (node, computed) in graph.nodes() {
            let step = computed.step.as_ref();
            let rank = step.and_then(Step::result).map_or(0, |ty| ty.shape.rank());
            if fixed.contains(node) {
                changes.0.insert(node, vec![false; rank]);
            } else if let Some(along) = step.and_then(|step| changes.along(step, rank)) {
                changes.0.insert(node, along);
            }
        }
        changes
    }

    fn along(&self, step: &Step<'_>, rank: usize) -> Option<Vec<bool>> {
        if !step.is_parallel() || step.operands.is_empty() {
            return None;
        }
        let mut along = vec![false; rank];
        for (position, operand) in step.operands.iter().enumerate() {
            let changes = self.0.get(operand);
            for (axis, places) in step.link(position)?.into_iter().enumerate() {
                let is_still = changes.is_some_and(|changes| changes.get(axis) == Some(&false));
                for place in places.into_iter().filter(|_| !is_still) {
                    *along.get_mut(place)? = true;
                }
            }
        }
        Some(along)
    }

    fn is_still_along_an_axis(&self, reduction: &Step<'_>) -> bool {
        let operand = reduction.operands.first();
        let (Some(along), Some(ty)) = (operand.and_then(|it| self.0.get(it)), reduction.operand(0))
        else {
            return false;
        };
        let mut axes = reduction.op().reduced_axes().into_iter().flatten();
        let is_one = |axis| ty.shape.dims().get(axis).is_some_and(Dim::is_one);
        axes.any(|axis| along.get(*axis) == Some(&false) && !is_one(*axis))
    }
}
