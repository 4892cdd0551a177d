//! Numbers as sums of two, which have twice the precision.

use super::number::{Number, Operand};

/// The sum of two numbers, the second of which is below the precision of the first.
pub(super) struct DoubleWord<'m, 'c, 'b> {
    pub(super) upper: Number<'m, 'c, 'b>,
    pub(super) lower: Number<'m, 'c, 'b>,
}

impl<'m, 'c, 'b> DoubleWord<'m, 'c, 'b> {
    /// A constant in the precision of `f64`.
    pub(super) fn constant(number: f64, like: &Number<'m, 'c, 'b>) -> Self {
        let upper = match like.format().precision {
            f64::MANTISSA_DIGITS => number,
            _ => f64::from(number as f32),
        };
        Self {
            upper: like.like(upper),
            lower: like.like(number - upper),
        }
    }

    /// The exact sum of two numbers, by D. Knuth.
    pub(super) fn sum(a: &Number<'m, 'c, 'b>, b: impl Operand<'m, 'c, 'b>) -> Self {
        let b = b.beside(a);
        let upper = a + &b;
        let part = &upper - a;
        let lower = (a - (&upper - &part)) + (b - part);
        Self { upper, lower }
    }

    /// The exact product of two numbers, by T. J. Dekker.
    fn product(a: &Number<'m, 'c, 'b>, b: &Number<'m, 'c, 'b>) -> Self {
        let upper = a * b;
        let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
        let rest = &a_high * &b_high - &upper + &a_high * &b_low + &a_low * b_high;
        let lower = rest + a_low * b_low;
        Self { upper, lower }
    }

    /// A number divided by a sum.
    pub(super) fn quotient(a: &Number<'m, 'c, 'b>, b: &Self) -> Self {
        let upper = a / &b.upper;
        let product = Self::product(&upper, &b.upper);
        let rest = a - product.upper - product.lower - &upper * &b.lower;
        Self {
            lower: rest / &b.upper,
            upper,
        }
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let product = Self::product(&self.upper, &other.upper);
        product.add(&(&self.upper * &other.lower + &self.lower * &other.upper))
    }

    /// The product with a number.
    pub(super) fn scale(&self, factor: &Number<'m, 'c, 'b>) -> Self {
        let product = Self::product(&self.upper, factor);
        product.add(&(&self.lower * factor))
    }

    pub(super) fn add_word(&self, other: &Self) -> Self {
        let sum = Self::sum(&other.upper, &self.upper);
        sum.add(&(&self.lower + &other.lower))
    }

    /// The sum with a number.
    pub(super) fn add(&self, number: &Number<'m, 'c, 'b>) -> Self {
        let sum = Self::sum(&self.upper, number);
        Self::sum(&sum.upper, &(sum.lower + &self.lower))
    }

    pub(super) fn doubled(&self) -> Self {
        Self {
            upper: &self.upper * 2.0,
            lower: &self.lower * 2.0,
        }
    }
}

/// A number as two with half of its digits each, so that their products are exact.
fn halves<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> (Number<'m, 'c, 'b>, Number<'m, 'c, 'b>) {
    let high = upper_half(x);
    let low = x - &high;
    (high, low)
}

/// A number without the lower half of its digits.
pub(super) fn upper_half<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let dropped = x.format().precision.div_ceil(2);
    (x.bits() & (-1_i64 << dropped)).to_float()
}
