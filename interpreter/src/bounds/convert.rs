//! Other element types for the same numbers or the same bits.

use super::{Bound, Step, at, list, numbers, precision};
use crate::{Cause, op::convert::convert, tensor::from_elements};
use iree_abi::DType;

pub(super) fn bound(dtype: DType, step: &Step<'_>) -> Result<Bound, Cause> {
    let operand = step.operand(0)?;
    if operand.dtype() == dtype {
        return Ok(step.bounds.first().cloned().unwrap_or_default());
    }
    if operand.dtype().is_complex() {
        return rounded(dtype, step, &list(&super::magnitudes(step.result)?));
    }
    match precision::rounds(dtype) {
        true => rounded(dtype, step, &list(&super::magnitudes(step.result)?)),
        false => decided(dtype, step),
    }
}

/// Numbers that the type does not hold are rounded.
fn rounded(dtype: DType, step: &Step<'_>, sizes: &[f64]) -> Result<Bound, Cause> {
    let before = list(&super::magnitudes(step.operand(0)?)?);
    let distances = list(&step.read(0)?);
    step.each(|place| {
        let size = at(sizes, place);
        let lost = match size == at(&before, place) {
            true => 0.0,
            false => precision::arithmetic(dtype, size),
        };
        at(&distances, place) + lost
    })
}

/// Integers and truth values are known if both ends of the interval become the same.
fn decided(dtype: DType, step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let operand = step.operand(0)?;
    let distances = list(&step.distances(0)?);
    if !precision::rounds(operand.dtype()) {
        return step.each(|place| at(&distances, place));
    }
    let x = numbers(operand)?;
    let end = |sign: f64| {
        let ends = x.iter().zip(&distances);
        let ends = ends.map(|(x, distance)| x + sign * distance);
        let ends = from_elements(x.shape(), ends.collect())?;
        Ok::<_, Cause>(list(&numbers(&convert(&ends, dtype)?)?))
    };
    let (low, high) = (end(-1.0)?, end(1.0)?);
    let x = list(&x);
    step.each(|place| {
        let (low, high, distance) = (at(&low, place), at(&high, place), at(&distances, place));
        // Between numbers of both signs is zero, which is the one that is no truth.
        let passes_zero = dtype == DType::Bool && at(&x, place).abs() <= distance;
        match distance == 0.0 || low == high && distance.is_finite() && !passes_zero {
            true => 0.0,
            false => f64::INFINITY,
        }
    })
}

/// The bits of what is rounded are anything.
pub(super) fn bits(step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let distances = list(&step.distances(0)?);
    step.each(|place| match at(&distances, place) == 0.0 {
        true => 0.0,
        false => f64::INFINITY,
    })
}
