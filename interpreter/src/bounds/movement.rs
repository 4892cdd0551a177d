//! What moves elements moves their distances.

use super::{Bound, Step};
use crate::{Array, Cause, Tensor};
use iree_dsl_ir::op::{Gather, Op};
use ndarray::IxDyn;

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

/// The bound of elements that are looked up: what comes from a place that is not known is undecided, the rest is not.
pub(super) fn lookup(op: &Gather, step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let mut operands = step.operands.operands.to_vec();
    let mut distances = match (step.bounds.first(), operands.first_mut()) {
        (Some(Bound::Within(distances)), Some(operand)) => {
            *operand = Tensor::F64(distances.clone());
            step.evaluate_distances(&Op::Gather(op.clone()), &operands)?
        }
        _ => Bound::Exact.distances(step.result.shape()),
    };
    let is_unsure = |index: &usize| {
        step.bounds
            .get(*index)
            .is_some_and(|bound| !bound.is_exact())
    };
    for index in (1..operands.len()).filter(is_unsure) {
        let places = along(op, &step.distances(index)?, distances.ndim())?;
        let places = places.broadcast(distances.raw_dim());
        let places = places.ok_or(Cause::Lost("the shape of places"))?;
        distances.zip_mut_with(&places, |distance, place| {
            if *place != 0.0 {
                *distance = f64::INFINITY;
            }
        });
    }
    Ok(Bound::Within(distances))
}

/// What places have, with an axis of one element for each axis of the result that is not theirs.
fn along(op: &Gather, places: &Array<f64>, rank: usize) -> Result<Array<f64>, Cause> {
    let first = op.axes.first().copied().unwrap_or_default();
    let mut sizes = vec![1; first.min(rank)];
    sizes.extend(places.shape());
    sizes.resize(rank, 1);
    let places = places.to_shape(IxDyn(&sizes));
    let places = places.map_err(|_| Cause::Lost("the shape of places"))?;
    Ok(places.into_owned().into_shared())
}
