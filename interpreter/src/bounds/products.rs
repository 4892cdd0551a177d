//! Products of many numbers: between that of what they are at most, and what is lost in as many roundings.

use super::{Bound, Step, at, list, magnitudes, precision};
use crate::{Array, Cause, Tensor};
use iree_dsl_ir::op::Op;

/// Products along axes, of so many numbers each at most.
pub(super) fn reduction(op: &Op, step: &Step<'_>, count: usize) -> Result<Bound, Cause> {
    let operands = |numbers: Vec<Array<f64>>| {
        let numbers = numbers.into_iter().map(Tensor::F64);
        step.evaluate_distances(op, &numbers.collect::<Vec<_>>())
    };
    bound(step, 1, |_| count as f64, operands)
}

/// Products at places that operands say.
pub(super) fn scatter(op: &Op, step: &Step<'_>) -> Result<Bound, Cause> {
    if !step.bounds.iter().skip(2).all(Bound::is_exact) {
        return Ok(Bound::undecided(step.result.shape()));
    }
    let places = step.operands.operands.get(2..).unwrap_or_default();
    let count = step.operand(1)?.len() as f64 + 1.0;
    bound(
        step,
        2,
        |_| count,
        |numbers| {
            let numbers: Vec<_> = numbers.into_iter().map(Tensor::F64).collect();
            step.evaluate_distances(op, &[&numbers, places].concat())
        },
    )
}

/// The bound from the products of magnitudes, of those of the first operands.
fn bound(
    step: &Step<'_>,
    factors: usize,
    count: impl Fn(usize) -> f64,
    multiply: impl Fn(Vec<Array<f64>>) -> Result<Array<f64>, Cause>,
) -> Result<Bound, Cause> {
    let dtype = step.result.dtype();
    if !precision::rounds(dtype) {
        return match step.is_exact() {
            true => Ok(Bound::Exact),
            false => Ok(Bound::undecided(step.result.shape())),
        };
    }
    let (mut sizes, mut most) = (Vec::new(), Vec::new());
    for index in 0..factors {
        let size = magnitudes(step.operand(index)?)?;
        most.push((&size + &step.read(index)?).into_shared());
        sizes.push(size);
    }
    let (product, most) = (list(&multiply(sizes)?), list(&multiply(most)?));
    let unit = precision::epsilon(precision::accumulator(dtype));
    let results = list(&magnitudes(step.result)?);
    step.each(|place| {
        let (product, most) = (at(&product, place), at(&most, place));
        // What is lost on the way is lost by later factors too, so nothing is known of what may have been too small.
        let lost = if most > 0.0 && most < precision::least(dtype) {
            most
        } else {
            0.0
        };
        let rounded = precision::arithmetic(dtype, at(&results, place));
        (most - product) + 2.0 * count(place) * unit * most + lost + rounded
    })
}
