//! Functions of `f64` that IREE has for `f32` only, written with those that it has.

use super::emit::{Emitter, Result, Tensor};
use crate::ir::Scalar;
use iree_abi::DType;
use iree_dialects::stablehlo::attributes::ComparisonDirection;
use std::f64::consts::{FRAC_PI_2, PI};

/// The hyperbolic tangent: 1 - 2 / (e²ˣ + 1), and near zero its [continued
/// fraction](https://dlmf.nist.gov/4.39), since the difference would cancel.
pub(super) fn tanh<'c, 'b>(e: &Emitter<'c, 'b>, x: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let magnitude = e.abs(x)?;
    let (one, two) = (e.number(1.0, x)?, e.number(2.0, x)?);
    let exponential = e.exponential(&e.multiply(&two, &magnitude)?)?;
    let quotient = e.divide(&two, &e.add(&exponential, &one)?)?;
    let large = copy_sign(e, &e.subtract(&one, &quotient)?, x)?;

    let square = e.multiply(x, x)?;
    let mut denominator = e.number(17.0, x)?;
    for odd in (1..=15).rev().step_by(2) {
        let odd = e.number(f64::from(odd), x)?;
        denominator = e.add(&odd, &e.divide(&square, &denominator)?)?;
    }
    let small = e.divide(x, &denominator)?;

    let half = e.number(0.5, x)?;
    let is_large = e.compare(ComparisonDirection::Greater, &magnitude, &half)?;
    e.select(&is_large, &large, &small)
}

/// The sine and the cosine. The angle is reduced by multiples of π/2 in three parts (the method of
/// Cody and Waite), which keeps full precision up to about 10⁶.
pub(super) fn sin_cos<'c, 'b>(
    e: &Emitter<'c, 'b>,
    x: &Tensor<'c, 'b>,
) -> Result<(Tensor<'c, 'b>, Tensor<'c, 'b>)> {
    let per_quarter = e.number(FRAC_PI_2.recip(), x)?;
    let quarters = round(e, &e.multiply(x, &per_quarter)?)?;
    // The first part has 33 bits, so that its multiples are exact.
    let first = f64::from_bits(FRAC_PI_2.to_bits() & !0xf_ffff);
    let parts = [first, FRAC_PI_2 - first, FRAC_PI_2_BELOW];
    let mut rest = x.clone();
    for part in parts {
        let part = e.number(part, x)?;
        rest = e.subtract(&rest, &e.multiply(&quarters, &part)?)?;
    }
    let sine = e.multiply(&rest, &taylor(e, &rest, 1)?)?;
    let cosine = taylor(e, &rest, 0)?;

    // How many quarters there are, from -2 to 2, up to whole turns.
    let (four, fourth) = (e.number(4.0, x)?, e.number(0.25, x)?);
    let whole = round(e, &e.multiply(&quarters, &fourth)?)?;
    let quarter = e.subtract(&quarters, &e.multiply(&four, &whole)?)?;
    let size = e.abs(&quarter)?;
    let odd = e.compare(ComparisonDirection::Equal, &size, &e.number(1.0, x)?)?;
    let opposite = e.compare(ComparisonDirection::Equal, &size, &e.number(2.0, x)?)?;
    let last = e.compare(ComparisonDirection::Equal, &quarter, &e.number(-1.0, x)?)?;
    let upper = e.or(&opposite, &last)?;

    let sine_magnitude = e.select(&odd, &cosine, &sine)?;
    let cosine_magnitude = e.select(&odd, &sine, &cosine)?;
    let sine = e.select(&upper, &e.negate(&sine_magnitude)?, &sine_magnitude)?;
    let negative = e.xor(&odd, &upper)?;
    let cosine = e.select(&negative, &e.negate(&cosine_magnitude)?, &cosine_magnitude)?;
    Ok((sine, cosine))
}

/// The nearest integer, ties to even; numbers from 2⁵¹ on are left alone. Machines without an instruction
/// for it would need a library that IREE does not have.
fn round<'c, 'b>(e: &Emitter<'c, 'b>, x: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let magic = e.number(1.5 * 2_f64.powi(52), x)?;
    let rounded = e.subtract(&e.add(x, &magic)?, &magic)?;
    let limit = e.number(2_f64.powi(51), x)?;
    let fits = e.compare(ComparisonDirection::Less, &e.abs(x)?, &limit)?;
    e.select(&fits, &rounded, x)
}

/// What π/2 has below the precision of `f64`.
const FRAC_PI_2_BELOW: f64 = 6.123_233_995_736_766e-17;

/// The Taylor series of cos x, or of sin x / x with `first` 1, for |x| ≤ π/4.
fn taylor<'c, 'b>(e: &Emitter<'c, 'b>, x: &Tensor<'c, 'b>, first: u32) -> Result<Tensor<'c, 'b>> {
    let square = e.multiply(x, x)?;
    let one = e.number(1.0, x)?;
    let mut sum = one.clone();
    for step in (1..=9).rev() {
        let (a, b) = (2 * step + first, 2 * step + first - 1);
        let factor = e.number(-1.0 / f64::from(a * b), x)?;
        let term = e.multiply(&e.multiply(&square, &factor)?, &sum)?;
        sum = e.add(&one, &term)?;
    }
    Ok(sum)
}

/// The angle of the point (x, y), from -π to π.
pub(super) fn atan2<'c, 'b>(
    e: &Emitter<'c, 'b>,
    y: &Tensor<'c, 'b>,
    x: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let (zero, one) = (e.number(0.0, x)?, e.number(1.0, x)?);
    let (width, height) = (e.abs(x)?, e.abs(y)?);
    let (longer, shorter) = (e.maximum(&width, &height)?, e.minimum(&width, &height)?);
    let ratio = e.divide(&shorter, &longer)?;
    // 0 / 0 stands for 0, ∞ / ∞ for 1.
    let equal = e.compare(ComparisonDirection::Equal, &shorter, &longer)?;
    let none = e.compare(ComparisonDirection::Equal, &longer, &zero)?;
    let ratio = e.select(&equal, &one, &ratio)?;
    let ratio = e.select(&none, &zero, &ratio)?;

    let angle = atan_of_fraction(e, &ratio)?;
    let right = e.number(FRAC_PI_2, x)?;
    let steep = e.compare(ComparisonDirection::Greater, &height, &width)?;
    let angle = e.select(&steep, &e.subtract(&right, &angle)?, &angle)?;
    let straight = e.number(PI, x)?;
    let left = is_negative(e, x)?;
    let angle = e.select(&left, &e.subtract(&straight, &angle)?, &angle)?;
    copy_sign(e, &angle, y)
}

/// The arc tangent of a number from 0 to 1: halved twice by atan t = 2 atan (t / (1 + √(1 + t²))), then
/// its Taylor series.
fn atan_of_fraction<'c, 'b>(e: &Emitter<'c, 'b>, ratio: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let one = e.number(1.0, ratio)?;
    let mut t = ratio.clone();
    for _ in 0..2 {
        let hypotenuse = e.sqrt(&e.add(&one, &e.multiply(&t, &t)?)?)?;
        t = e.divide(&t, &e.add(&one, &hypotenuse)?)?;
    }
    let square = e.multiply(&t, &t)?;
    let mut sum = e.number(0.0, ratio)?;
    for step in (0..=12).rev() {
        let sign = if step % 2 == 0 { 4.0 } else { -4.0 };
        let coefficient = e.number(sign / f64::from(2 * step + 1), ratio)?;
        sum = e.add(&coefficient, &e.multiply(&square, &sum)?)?;
    }
    e.multiply(&t, &sum)
}

/// Whether the sign bit is set.
pub(super) fn is_negative<'c, 'b>(
    e: &Emitter<'c, 'b>,
    x: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let bits = e.bitcast_convert(x, DType::I64)?;
    let zero = e.splat(Scalar::Integer(0), &bits.ty)?;
    e.compare(ComparisonDirection::Less, &bits, &zero)
}

/// A number that is not negative with the sign of another.
pub(super) fn copy_sign<'c, 'b>(
    e: &Emitter<'c, 'b>,
    magnitude: &Tensor<'c, 'b>,
    sign: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let negative = is_negative(e, sign)?;
    e.select(&negative, &e.negate(magnitude)?, magnitude)
}
