//! One of two elements, at each place.

use super::{Bound, Step, at, list};
use crate::{Array, Cause, op::convert::convert};
use iree_abi::DType;
use num_complex::Complex64;

/// Where the choice is undecided, the element may be either.
pub(super) fn bound(step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let mask = step.operand(0)?.array::<bool>().cloned();
    let mask: Vec<bool> = mask.ok_or(Cause::Lost("a mask"))?.into_iter().collect();
    let undecided = list(&step.distances(0)?);
    let (on_true, on_false) = (list(&step.distances(1)?), list(&step.distances(2)?));
    let between = between(step)?;
    step.each(|place| {
        let (one, other) = (at(&on_true, place), at(&on_false, place));
        match mask.get(place) {
            _ if at(&undecided, place) > 0.0 => at(&between, place) + one.max(other),
            Some(true) => one,
            Some(false) | None => other,
        }
    })
}

/// How far the two elements are from each other; integers that differ, infinitely far.
fn between(step: &Step<'_>) -> Result<Vec<f64>, Cause> {
    let (one, other) = (step.operand(1)?, step.operand(2)?);
    let is_rounded = super::precision::rounds(one.dtype());
    let wide = |tensor| -> Result<Array<Complex64>, Cause> {
        let wide = convert(tensor, DType::C128)?;
        wide.array().cloned().ok_or(Cause::DType(wide.dtype()))
    };
    let (one, other) = (wide(one)?, wide(other)?);
    let pairs = one.iter().zip(&other);
    let distances = pairs.map(|(one, other)| match one == other {
        true => 0.0,
        false if is_rounded => (one - other).norm(),
        false => f64::INFINITY,
    });
    Ok(distances.collect())
}
