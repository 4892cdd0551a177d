//! The largest and the smallest, and where they are.

use super::{Bound, Step, at, numbers, within};
use crate::{Array, Cause, Tensor};
use iree_dsl_ir::op::{
    ArgReduce, Cumulate, ExtremumKind, Op, Reduce, ReduceKind, ReduceWindow, Scatter, ScatterKind,
    WindowKind,
};
use ndarray::Axis;

/// An extremum is as far off as the furthest of what it is of. Truths are undecided if one is.
pub(super) fn reduction(op: &Reduce, step: &Step<'_>) -> Result<Bound, Cause> {
    furthest(
        step,
        &Op::Reduce(Reduce {
            kind: ReduceKind::Maximum,
            axes: op.axes.clone(),
        }),
    )
}

pub(super) fn window(op: &ReduceWindow, step: &Step<'_>) -> Result<Bound, Cause> {
    let bound = furthest(
        step,
        &Op::ReduceWindow(ReduceWindow {
            kind: WindowKind::Maximum,
            ..op.clone()
        }),
    )?;
    // The furthest of nothing is less than nothing.
    Ok(match bound {
        Bound::Exact => Bound::Exact,
        Bound::Within(distances) => {
            Bound::Within(distances.mapv(|distance| distance.max(0.0)).into_shared())
        }
    })
}

pub(super) fn cumulation(op: &Cumulate, step: &Step<'_>) -> Result<Bound, Cause> {
    furthest(
        step,
        &Op::Cumulate(Cumulate {
            kind: ReduceKind::Maximum,
            axis: op.axis,
        }),
    )
}

pub(super) fn scatter(op: &Scatter, step: &Step<'_>) -> Result<Bound, Cause> {
    if !step.bounds.iter().skip(2).all(Bound::is_exact) {
        return Ok(Bound::undecided(step.result.shape()));
    }
    furthest(
        step,
        &Op::Scatter(Scatter {
            kind: ScatterKind::Maximum,
            axes: op.axes.clone(),
        }),
    )
}

/// The largest distances, of all operands but places.
fn furthest(step: &Step<'_>, op: &Op) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let dtype = step.operand(0)?.dtype();
    let mut operands = Vec::new();
    for (index, operand) in step.operands.operands.iter().enumerate() {
        operands.push(match operand.dtype() == dtype && index < 2 {
            true => Tensor::F64(step.distances(index)?),
            false => operand.clone(),
        });
    }
    step.evaluate_distances(op, &operands).map(Bound::Within)
}

/// The place of an extremum is known if no other number may be as good.
pub(super) fn place(op: &ArgReduce, step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let sign = match op.kind {
        ExtremumKind::Maximum => 1.0,
        ExtremumKind::Minimum => -1.0,
    };
    let (numbers, distances) = (numbers(step.operand(0)?)?, step.distances(0)?);
    let axis = axis(op.axis, &numbers)?;
    let places = super::numbers(step.result)?;
    let lanes = numbers.lanes(axis).into_iter().zip(distances.lanes(axis));
    let lanes = lanes
        .zip(places.iter())
        .map(|((numbers, distances), place)| {
            let numbers: Vec<_> = numbers.iter().map(|number| sign * number).collect();
            let distances: Vec<_> = distances.iter().copied().collect();
            let best = *place as usize;
            let least = at(&numbers, best) - at(&distances, best);
            let mut others = (0..numbers.len()).filter(|other| *other != best);
            let is_decided = others.all(|other| {
                let most = at(&numbers, other) + at(&distances, other);
                let is_exact = at(&distances, other) == 0.0 && at(&distances, best) == 0.0;
                least > most || is_exact
            });
            if is_decided { 0.0 } else { f64::INFINITY }
        });
    within(step.result.shape(), lanes.collect())
}

pub(super) fn axis(axis: usize, array: &Array<f64>) -> Result<Axis, Cause> {
    match axis < array.ndim() {
        true => Ok(Axis(axis)),
        false => Err(Cause::Lost("an axis")),
    }
}
