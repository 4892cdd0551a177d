//! Along which axes values change.

use super::{
    fixed::Fixed,
    graph::{Graph, Node, Step},
};
use iree_abi::Dim;
use iree_dsl_ir::op::Op;
use std::collections::BTreeMap;

/// For what is computed element by element, whether it changes along each axis. Other values may change along all.
pub(super) struct Changes(BTreeMap<Node, Vec<bool>>);

impl Changes {
    pub(super) fn of(graph: &Graph<'_>) -> Self {
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
        let mut along = vec![false; rank];
        if let Op::Iota(iota) = step.op() {
            *along.get_mut(iota.axis)? = true;
            return Some(along);
        }
        if !step.is_parallel() || step.operands.is_empty() {
            return None;
        }
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

    /// Whether an operand of an operation is the same along an axis with more than one place.
    pub(super) fn is_still(&self, step: &Step<'_>, position: usize, axis: usize) -> bool {
        let operand = step.operands.get(position);
        let (Some(along), Some(ty)) = (
            operand.and_then(|it| self.0.get(it)),
            step.operand(position),
        ) else {
            return false;
        };
        let is_one = ty.shape.dims().get(axis).is_some_and(Dim::is_one);
        along.get(axis) == Some(&false) && !is_one
    }
}
