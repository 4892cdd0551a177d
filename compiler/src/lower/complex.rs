//! Functions of `Complex<f64>` that IREE has for `Complex<f32>` only, written on the two parts.

use super::{
    double::{atan2, copy_sign, sin_cos, tanh as real_tanh},
    emit::{Emitter, Result, Tensor},
};
use iree_abi::DType;
use iree_dialects::stablehlo::attributes::ComparisonDirection;

/// eᵃ (cos b + i sin b).
pub(super) fn exp<'c, 'b>(e: &Emitter<'c, 'b>, z: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let (a, b) = (e.real(z)?, e.imag(z)?);
    let size = e.exponential(&a)?;
    let (sine, cosine) = sin_cos(e, &b)?;
    let zero = e.number(0.0, &b)?;
    let real = e.compare(ComparisonDirection::Equal, &b, &zero)?;
    // An infinite size times a sine of 0 is no number.
    let im = e.select(&real, &b, &e.multiply(&size, &sine)?)?;
    e.complex(&e.multiply(&size, &cosine)?, &im, DType::C128)
}

/// ln |z| + i arg z.
pub(super) fn ln<'c, 'b>(e: &Emitter<'c, 'b>, z: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let size = e.log(&e.abs(z)?)?;
    let angle = atan2(e, &e.imag(z)?, &e.real(z)?)?;
    e.complex(&size, &angle, DType::C128)
}

/// The root with a positive real part: t + i b / 2t with t = √((|z| + |a|) / 2), the parts exchanged
/// for a < 0.
pub(super) fn sqrt<'c, 'b>(e: &Emitter<'c, 'b>, z: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let (a, b) = (e.real(z)?, e.imag(z)?);
    let (zero, half) = (e.number(0.0, &a)?, e.number(0.5, &a)?);
    let sum = e.add(&e.abs(z)?, &e.abs(&a)?)?;
    let large = e.sqrt(&e.multiply(&sum, &half)?)?;
    let small = e.divide(&e.multiply(&e.abs(&b)?, &half)?, &large)?;
    let none = e.compare(ComparisonDirection::Equal, &large, &zero)?;
    let small = e.select(&none, &zero, &small)?;
    let right = e.compare(ComparisonDirection::GreaterOrEqual, &a, &zero)?;
    let re = e.select(&right, &large, &small)?;
    let im = e.select(&right, &small, &large)?;
    e.complex(&re, &copy_sign(e, &im, &b)?, DType::C128)
}

/// (t + i s c (1 - t²)) / (c² + t² s²) with t = tanh a, s = sin b, c = cos b.
pub(super) fn tanh<'c, 'b>(e: &Emitter<'c, 'b>, z: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let (a, b) = (e.real(z)?, e.imag(z)?);
    let (sine, cosine) = sin_cos(e, &b)?;
    let t = real_tanh(e, &a)?;
    let ts = e.multiply(&t, &sine)?;
    let squares = (e.multiply(&cosine, &cosine)?, e.multiply(&ts, &ts)?);
    let denominator = e.add(&squares.0, &squares.1)?;
    // 1 - t² = 4 e⁻²ᵃ / (1 + e⁻²ᵃ)², which does not cancel.
    let (one, two) = (e.number(1.0, &a)?, e.number(-2.0, &a)?);
    let decay = e.exponential(&e.multiply(&two, &e.abs(&a)?)?)?;
    let sum = e.add(&one, &decay)?;
    let four = e.number(4.0, &a)?;
    let complement = e.divide(&e.multiply(&four, &decay)?, &e.multiply(&sum, &sum)?)?;
    let product = e.multiply(&e.multiply(&sine, &cosine)?, &complement)?;
    let re = e.divide(&t, &denominator)?;
    e.complex(&re, &e.divide(&product, &denominator)?, DType::C128)
}
