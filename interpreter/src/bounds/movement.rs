//! What moves elements moves their distances.

use super::{Bound, Step};
use crate::{Cause, Tensor};
use iree_dsl_ir::op::Op;

/// The bound of what an operation picks from its first operands; the others say from where.
pub(super) fn bound(op: &Op, step: &Step<'_>, moved: usize) -> Result<Bound, Cause> {
    let (moved, places) = step
        .bounds
        .split_at_checked(moved)
        .unwrap_or((step.bounds, &[]));
    if !places.iter().all(Bound::is_exact) {
        return Ok(Bound::undecided(step.result.shape()));
    }
    if moved.iter().all(Bound::is_exact) {
        return Ok(Bound::Exact);
    }
    let mut operands = step.operands.operands.to_vec();
    for (index, operand) in operands.iter_mut().enumerate().take(moved.len()) {
        *operand = Tensor::F64(step.distances(index)?);
    }
    step.evaluate_distances(op, &operands).map(Bound::Within)
}
