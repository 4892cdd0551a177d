//! Comparisons: those of programs, and that of a result with another device's.

use super::{Bound, Step, apart, at, list, magnitudes, numbers, precision};
use crate::{Array, Cause, Tensor, op::convert::convert, tensor::each};
use iree_abi::DType;
use num_complex::Complex64;

/// A comparison is decided if the numbers are further apart than they are known.
pub(super) fn bound(step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let (a, b) = (list(&step.distances(0)?), list(&step.distances(1)?));
    if step.operand(0)?.dtype().is_complex() {
        return step.each(|place| match at(&a, place) + at(&b, place) == 0.0 {
            true => 0.0,
            false => f64::INFINITY,
        });
    }
    let (x, y) = (
        list(&numbers(step.operand(0)?)?),
        list(&numbers(step.operand(1)?)?),
    );
    step.each(|place| {
        let (x, y) = (at(&x, place), at(&y, place));
        let both = at(&a, place) + at(&b, place);
        let is_nan = (x.is_nan() || y.is_nan()) && both.is_finite();
        let is_infinite = x.is_infinite() != y.is_infinite() && both.is_finite();
        let is_apart = (x - y).abs() > both;
        match both == 0.0 || is_nan || is_infinite || is_apart {
            true => 0.0,
            false => f64::INFINITY,
        }
    })
}

/// What came of comparing a tensor with that of another device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// How many elements were compared.
    pub compared: usize,
    /// How many are undecided, and were not.
    pub undecided: usize,
    /// The first that differs.
    pub mismatch: Option<Mismatch>,
}

/// An element that differs by more than it may.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Its index.
    pub index: Vec<usize>,
    /// It on the interpreter.
    pub expected: String,
    /// It on the other device.
    pub found: String,
    /// How far they may be apart.
    pub bound: f64,
    /// How many elements differ.
    pub count: usize,
}

impl Comparison {
    /// Compares a tensor with that of another device, of the same type.
    ///
    /// # Errors
    ///
    /// If they are not of the same type.
    pub fn of(expected: &Tensor, bound: &Bound, found: &Tensor) -> Result<Self, Cause> {
        if expected.dtype() != found.dtype() {
            return Err(Cause::DType(found.dtype()));
        }
        if expected.shape() != found.shape() {
            return Err(Cause::Sizes {
                expected: expected.shape().to_vec(),
                found: found.shape().to_vec(),
            });
        }
        let distances = list(&bound.distances(expected.shape()));
        let apart = distances_between(expected, found)?;
        let beyond = beyond(expected, found)?;
        let mut comparison = Self::default();
        for (place, bound) in distances.iter().enumerate() {
            if *bound == f64::INFINITY {
                comparison.undecided += 1;
                continue;
            }
            comparison.compared += 1;
            if at(&apart, place) <= *bound || at(&beyond, place) <= *bound {
                continue;
            }
            let mismatch = comparison.mismatch.get_or_insert_with(|| Mismatch {
                index: index(expected.shape(), place),
                expected: shown(expected, place),
                found: shown(found, place),
                bound: *bound,
                count: 0,
            });
            mismatch.count += 1;
        }
        Ok(comparison)
    }
}

/// How far the elements are apart; integers that differ, infinitely far.
pub(super) fn distances_between(expected: &Tensor, found: &Tensor) -> Result<Vec<f64>, Cause> {
    if !precision::rounds(expected.dtype()) {
        let differ = |one: &[u8], other: &[u8]| if one == other { 0.0 } else { f64::INFINITY };
        let size = expected.dtype().size();
        let (one, other) = (expected.to_bytes(), found.to_bytes());
        let elements = one.chunks(size).zip(other.chunks(size));
        return Ok(elements.map(|(one, other)| differ(one, other)).collect());
    }
    let wide = |tensor| -> Result<Array<Complex64>, Cause> {
        let wide = convert(tensor, DType::C128)?;
        wide.array().cloned().ok_or(Cause::DType(wide.dtype()))
    };
    let (one, other) = (wide(expected)?, wide(found)?);
    let elements = one.iter().zip(&other);
    let is_nan = |z: &Complex64| z.re.is_nan() || z.im.is_nan();
    let distances = elements.map(|(one, other)| match is_nan(one) && is_nan(other) {
        // Of complex numbers, either part may tell it.
        true => 0.0,
        false => apart(one.re, other.re).hypot(apart(one.im, other.im)),
    });
    Ok(distances.collect())
}

/// How far numbers are from where they would become infinite, as the other's are.
fn beyond(expected: &Tensor, found: &Tensor) -> Result<Vec<f64>, Cause> {
    let dtype = expected.dtype();
    let (one, other) = (magnitudes(expected)?, magnitudes(found)?);
    let largest = precision::largest(dtype);
    let elements = one.iter().zip(&other);
    let distances = elements.map(
        |(one, other)| match (one.is_infinite(), other.is_infinite()) {
            (false, true) => largest - one,
            _ => f64::INFINITY,
        },
    );
    Ok(distances.collect())
}

fn index(shape: &[usize], place: usize) -> Vec<usize> {
    let mut rest = place;
    let axes = shape.iter().rev().map(|size| {
        let index = rest.checked_rem(*size).unwrap_or(0);
        rest = rest.checked_div(*size).unwrap_or(0);
        index
    });
    let mut index: Vec<_> = axes.collect();
    index.reverse();
    index
}

fn shown(tensor: &Tensor, place: usize) -> String {
    each!(tensor, array => array
        .iter()
        .nth(place)
        .map_or_else(String::new, |element| format!("{element:?}")))
}
