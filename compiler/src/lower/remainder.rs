//! The remainder of `f64`, which IREE has for `f32` only.
//!
//! With |x| = m·2ᵃ and |y| = n·2ᵇ for integers m and n of 53 bits, the remainder is
//! (m·2ᵃ⁻ᵇ mod n)·2ᵇ. The power of two is found modulo n by repeated squaring, so that all steps are
//! exact.

use super::{
    double::copy_sign,
    emit::{Emitter, Result, Tensor},
    types,
};
use crate::ir::Scalar;
use iree_abi::DType;
use iree_dialects::stablehlo::attributes::ComparisonDirection;

/// The bits of the fraction.
const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;

/// How many bits of the exponents' difference are left to squaring; the others fit one shift.
const SQUARINGS: u32 = 6;

/// The remainder with the sign of the dividend. Numbers too small for the full precision count as zero,
/// as in all arithmetic on the device.
pub(super) fn remainder<'c, 'b>(
    e: &Emitter<'c, 'b>,
    x: &Tensor<'c, 'b>,
    y: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let (dividend, divisor) = (e.abs(x)?, e.abs(y)?);
    let (m, a) = parts(e, &dividend)?;
    let (n, b) = parts(e, &divisor)?;
    let zero = integer(e, 0, &m)?;
    let exponent = e.maximum(&e.subtract(&a, &b)?, &zero)?;
    let modulus = Modulus::new(e, n)?;
    let power = modulus.power_of_two(e, &exponent)?;
    let rest = modulus.multiply(e, &modulus.once(e, &m)?, &power)?;

    let unit = e.number(2_f64.powi(-(FRACTION as i32)), x)?;
    let fraction = e.multiply(&e.convert(&rest, DType::F64)?, &unit)?;
    let width = integer(e, FRACTION.into(), &b)?;
    let scale = e.bitcast_convert(&e.shift_left(&b, &width)?, DType::F64)?;
    let rest = copy_sign(e, &e.multiply(&fraction, &scale)?, x)?;

    let smaller = e.compare(ComparisonDirection::Less, &dividend, &divisor)?;
    let rest = e.select(&smaller, x, &rest)?;
    let (infinity, none) = (e.number(f64::INFINITY, x)?, e.number(0.0, x)?);
    let finite = e.compare(ComparisonDirection::Less, &dividend, &infinity)?;
    let divides = e.compare(ComparisonDirection::Greater, &divisor, &none)?;
    let nan = e.number(f64::NAN, x)?;
    e.select(&e.and(&finite, &divides)?, &rest, &nan)
}

/// The significand with its leading one, and the biased exponent, of a number that is not negative.
fn parts<'c, 'b>(
    e: &Emitter<'c, 'b>,
    x: &Tensor<'c, 'b>,
) -> Result<(Tensor<'c, 'b>, Tensor<'c, 'b>)> {
    let bits = e.bitcast_convert(x, DType::I64)?;
    let one = 1 << FRACTION;
    let fraction = e.and(&bits, &integer(e, one - 1, &bits)?)?;
    let significand = e.or(&fraction, &integer(e, one, &bits)?)?;
    let width = integer(e, FRACTION.into(), &bits)?;
    let exponent = e.shift_right_logical(&bits, &width)?;
    Ok((significand, exponent))
}

fn integer<'c, 'b>(
    e: &Emitter<'c, 'b>,
    number: i128,
    like: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let ty = types::with_dtype(&like.ty, DType::I64);
    e.splat(Scalar::Integer(number), &ty)
}

/// Arithmetic modulo a number of 53 bits.
struct Modulus<'c, 'b> {
    integer: Tensor<'c, 'b>,
    float: Tensor<'c, 'b>,
    /// More than what an estimated quotient can be wrong by.
    margin: Tensor<'c, 'b>,
}

impl<'c, 'b> Modulus<'c, 'b> {
    fn new(e: &Emitter<'c, 'b>, modulus: Tensor<'c, 'b>) -> Result<Self> {
        Ok(Self {
            float: e.convert(&modulus, DType::F64)?,
            margin: e.multiply(&modulus, &integer(e, 4, &modulus)?)?,
            integer: modulus,
        })
    }

    /// Takes the modulus away once, if it fits.
    fn once(&self, e: &Emitter<'c, 'b>, number: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        let less = e.subtract(number, &self.integer)?;
        let fits = e.compare(ComparisonDirection::GreaterOrEqual, number, &self.integer)?;
        e.select(&fits, &less, number)
    }

    /// The product of two numbers below the modulus. The quotient is estimated in floating point; the
    /// difference of the wrapped products is then small and exact.
    fn multiply(
        &self,
        e: &Emitter<'c, 'b>,
        lhs: &Tensor<'c, 'b>,
        rhs: &Tensor<'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        let (lhs_float, rhs_float) = (e.convert(lhs, DType::F64)?, e.convert(rhs, DType::F64)?);
        let quotient = e.divide(&e.multiply(&lhs_float, &rhs_float)?, &self.float)?;
        let quotient = e.convert(&quotient, DType::I64)?;
        let product = e.multiply(lhs, rhs)?;
        let difference = e.subtract(&product, &e.multiply(&quotient, &self.integer)?)?;
        e.remainder(&e.add(&difference, &self.margin)?, &self.integer)
    }

    /// Two to the power of an exponent below 2048.
    fn power_of_two(
        &self,
        e: &Emitter<'c, 'b>,
        exponent: &Tensor<'c, 'b>,
    ) -> Result<Tensor<'c, 'b>> {
        let (zero, one) = (integer(e, 0, exponent)?, integer(e, 1, exponent)?);
        let squarings = integer(e, SQUARINGS.into(), exponent)?;
        let leading = e.shift_right_logical(exponent, &squarings)?;
        let mut power = e.shift_left(&one, &leading)?;
        for bit in (0..SQUARINGS).rev() {
            power = self.multiply(e, &power, &power)?;
            let doubled = self.once(e, &e.add(&power, &power)?)?;
            let mask = integer(e, 1 << bit, exponent)?;
            let is_set = e.and(exponent, &mask)?;
            let is_set = e.compare(ComparisonDirection::NotEqual, &is_set, &zero)?;
            power = e.select(&is_set, &doubled, &power)?;
        }
        Ok(power)
    }
}
