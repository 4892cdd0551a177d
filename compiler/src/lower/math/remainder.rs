//! The remainder of `f64`, which IREE has for `f32` only.
//!
//! With |x| = m·2ᵃ and |y| = n·2ᵇ for integers m and n of 53 bits, the remainder is
//! (m·2ᵃ⁻ᵇ mod n)·2ᵇ. The power of two is found modulo n by repeated squaring, so that all steps are
//! exact.

use super::number::Number;
use iree_abi::DType;

/// The bits of the fraction.
const FRACTION: i64 = f64::MANTISSA_DIGITS as i64 - 1;

/// How many bits of the exponents' difference are left to squaring; the others fit one shift.
const SQUARINGS: i64 = 6;

/// The remainder with the sign of the dividend. Numbers too small for the full precision count as zero,
/// as in all arithmetic on the device.
pub(super) fn remainder<'m, 'c, 'b>(
    x: &Number<'m, 'c, 'b>,
    y: &Number<'m, 'c, 'b>,
) -> Number<'m, 'c, 'b> {
    let (dividend, divisor) = (x.abs(), y.abs());
    let (m, a) = parts(&dividend);
    let (n, b) = parts(&divisor);
    let modulus = Modulus::new(n);
    let power = modulus.power_of_two(&(a - &b).max(0));
    let rest = modulus.multiply(&modulus.once(&m), &power);
    let fraction = rest.convert(DType::F64) * 2_f64.powi(-(FRACTION as i32));
    let rest = fraction * (b << FRACTION).to_float();
    let rest = rest.negate_where(&x.is_negative());
    let rest = dividend.is_less(&divisor).choose(x, &rest);
    let defined = dividend.is_less(f64::INFINITY) & divisor.is_greater(0.0);
    defined.choose(rest, &x.like(f64::NAN))
}

/// The significand with its leading one, and the biased exponent, of a number that is not negative.
fn parts<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> (Number<'m, 'c, 'b>, Number<'m, 'c, 'b>) {
    let bits = x.bits();
    let one = 1_i64 << FRACTION;
    ((&bits & (one - 1)) | one, bits.shift_right(FRACTION))
}

/// Arithmetic modulo a number of 53 bits.
struct Modulus<'m, 'c, 'b> {
    integer: Number<'m, 'c, 'b>,
    float: Number<'m, 'c, 'b>,
    /// More than what an estimated quotient can be wrong by.
    margin: Number<'m, 'c, 'b>,
}

impl<'m, 'c, 'b> Modulus<'m, 'c, 'b> {
    fn new(modulus: Number<'m, 'c, 'b>) -> Self {
        Self {
            float: modulus.convert(DType::F64),
            margin: &modulus * 4,
            integer: modulus,
        }
    }

    /// Takes the modulus away once, if it fits.
    fn once(&self, number: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
        let fits = number.is_at_least(&self.integer);
        fits.choose(number - &self.integer, number)
    }

    /// The product of two numbers below the modulus. The quotient is estimated in floating point; the
    /// difference of the wrapped products is then small and exact.
    fn multiply(&self, lhs: &Number<'m, 'c, 'b>, rhs: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
        let estimate = lhs.convert(DType::F64) * rhs.convert(DType::F64) / &self.float;
        let difference = lhs * rhs - estimate.convert(DType::I64) * &self.integer;
        (difference + &self.margin).native_remainder(&self.integer)
    }

    /// Two to the power of an exponent below 2048.
    fn power_of_two(&self, exponent: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
        let leading = exponent.shift_right(SQUARINGS);
        let mut power = exponent.like(1) << leading;
        for bit in (0..SQUARINGS).rev() {
            power = self.multiply(&power, &power);
            let doubled = self.once(&(&power + &power));
            let is_set = (exponent & (1 << bit)).differs(0);
            power = is_set.choose(doubled, &power);
        }
        power
    }
}
