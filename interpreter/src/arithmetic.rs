//! What element types have in common as numbers.

use crate::{
    Element,
    number::{nearest_bf16, nearest_f16},
};
use half::{bf16, f16};
use iree_dsl_ir::op::ReduceKind;
use num_complex::{Complex, Complex32, Complex64};
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Numbers that are added and multiplied.
pub(crate) trait Number: Element {
    /// The type in which many of them are combined, before the result is rounded once.
    type Wide: Copy;

    const ZERO: Self::Wide;
    const ONE: Self::Wide;

    fn widen(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;
    fn add(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    fn subtract(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    fn multiply(a: Self::Wide, b: Self::Wide) -> Self::Wide;
}

/// Numbers of which one is the larger.
pub(crate) trait Ordered: Element + PartialOrd {
    fn is_nan(self) -> bool;

    /// The larger one, NaN if either is; of zeros, that without a sign.
    fn maximum(self, other: Self) -> Self;

    /// The smaller one, NaN if either is; of zeros, that with a sign.
    fn minimum(self, other: Self) -> Self;

    /// The larger or smaller one, for a kind of reduction that asks for it.
    fn extremum(kind: ReduceKind) -> Option<fn(Self, Self) -> Self> {
        match kind {
            ReduceKind::Maximum => Some(Self::maximum),
            ReduceKind::Minimum => Some(Self::minimum),
            ReduceKind::Sum | ReduceKind::Product | ReduceKind::All | ReduceKind::Any => None,
        }
    }
}

/// Integers, and truth values as those of a single bit.
pub(crate) trait Bits:
    Element + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
}

/// Integers.
pub(crate) trait Integer: Bits + Ordered {
    /// The quotient, rounded towards zero; of a division by zero, all ones.
    fn divide(self, other: Self) -> Self;
    /// The remainder with the sign of the dividend; of a division by zero, the dividend.
    fn remainder(self, other: Self) -> Self;
    /// The bits moved up; past the width, zero.
    fn shift_left(self, count: Self) -> Self;
    /// The bits moved down, filled with the sign; past the width, the sign.
    fn shift_right(self, count: Self) -> Self;
    fn negate(self) -> Self;
    /// The absolute value; the least number stays.
    fn absolute(self) -> Self;
    fn ones(self) -> Self;
    fn zeros_before(self) -> Self;
}

/// Real numbers, which are computed with as `f64`.
pub(crate) trait Real: Ordered + Number<Wide = f64> {}

/// Complex numbers, which are computed with as `Complex<f64>`.
pub(crate) trait ComplexNumber: Number<Wide = Complex64> {
    /// The type of their parts.
    type Part: Real;
}

macro_rules! integers {
    ($($ty:ty)+) => {
        $(impl Number for $ty {
            type Wide = Self;

            const ZERO: Self = 0;
            const ONE: Self = 1;

            fn widen(self) -> Self {
                self
            }

            fn narrow(wide: Self) -> Self {
                wide
            }

            fn add(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }

            fn subtract(a: Self, b: Self) -> Self {
                a.wrapping_sub(b)
            }

            fn multiply(a: Self, b: Self) -> Self {
                a.wrapping_mul(b)
            }
        }

        impl Bits for $ty {}

        impl Integer for $ty {
            fn divide(self, other: Self) -> Self {
                match other {
                    0 => !0,
                    other => self.wrapping_div(other),
                }
            }

            fn remainder(self, other: Self) -> Self {
                match other {
                    0 => self,
                    other => self.wrapping_rem(other),
                }
            }

            // A negative count is one past the width, as the unsigned number of the same bits.
            fn shift_left(self, count: Self) -> Self {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                self.checked_shl(count).unwrap_or(0)
            }

            #[allow(unused_comparisons, reason = "types without a sign have no negative numbers")]
            fn shift_right(self, count: Self) -> Self {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                let sign = if self < 0 { !0 } else { 0 };
                self.checked_shr(count).unwrap_or(sign)
            }

            fn negate(self) -> Self {
                self.wrapping_neg()
            }

            #[allow(unused_comparisons, reason = "types without a sign have no negative numbers")]
            fn absolute(self) -> Self {
                if self < 0 { self.wrapping_neg() } else { self }
            }

            fn ones(self) -> Self {
                self.count_ones() as Self
            }

            fn zeros_before(self) -> Self {
                self.leading_zeros() as Self
            }
        })+

        whole! { $($ty)+ }
    };
}

/// Types of which each value is equal to itself.
macro_rules! whole {
    ($($ty:ty)+) => {
        $(impl Ordered for $ty {
            fn is_nan(self) -> bool {
                false
            }

            fn maximum(self, other: Self) -> Self {
                self.max(other)
            }

            fn minimum(self, other: Self) -> Self {
                self.min(other)
            }
        })+
    };
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

whole! { bool }

impl Bits for bool {}

macro_rules! reals {
    ($($ty:ty: $narrow:expr;)+) => {
        $(impl Number for $ty {
            type Wide = f64;

            const ZERO: f64 = 0.0;
            const ONE: f64 = 1.0;

            fn widen(self) -> f64 {
                self.into()
            }

            fn narrow(wide: f64) -> Self {
                $narrow(wide)
            }

            fn add(a: f64, b: f64) -> f64 {
                a + b
            }

            fn subtract(a: f64, b: f64) -> f64 {
                a - b
            }

            fn multiply(a: f64, b: f64) -> f64 {
                a * b
            }
        }

        impl Real for $ty {}

        impl Ordered for $ty {
            fn is_nan(self) -> bool {
                Self::is_nan(self)
            }

            fn maximum(self, other: Self) -> Self {
                let is_first = self > other || self == other && self.is_sign_positive();
                if is_first || Self::is_nan(self) { self } else { other }
            }

            fn minimum(self, other: Self) -> Self {
                let is_first = self < other || self == other && self.is_sign_negative();
                if is_first || Self::is_nan(self) { self } else { other }
            }
        })+
    };
}

reals! {
    f16: nearest_f16;
    bf16: nearest_bf16;
    f32: |wide: f64| wide as f32;
    f64: |wide: f64| wide;
}

macro_rules! complex {
    ($($ty:ty: $part:ty;)+) => {
        $(impl Number for $ty {
            type Wide = Complex64;

            const ZERO: Complex64 = Complex::new(0.0, 0.0);
            const ONE: Complex64 = Complex::new(1.0, 0.0);

            fn widen(self) -> Complex64 {
                Complex::new(self.re.into(), self.im.into())
            }

            fn narrow(wide: Complex64) -> Self {
                Complex::new(wide.re as $part, wide.im as $part)
            }

            fn add(a: Complex64, b: Complex64) -> Complex64 {
                a + b
            }

            fn subtract(a: Complex64, b: Complex64) -> Complex64 {
                a - b
            }

            fn multiply(a: Complex64, b: Complex64) -> Complex64 {
                a * b
            }
        }

        impl ComplexNumber for $ty {
            type Part = $part;
        })+
    };
}

complex! {
    Complex32: f32;
    Complex64: f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_of_nan_and_a_number_is_nan() {
        assert!(Ordered::maximum(f64::NAN, 1.0).is_nan());
        assert!(Ordered::maximum(1.0, f64::NAN).is_nan());
        assert!(Ordered::minimum(f16::NAN, f16::ONE).is_nan());
        assert!(Ordered::minimum(f16::ONE, f16::NAN).is_nan());
        assert_eq!(Ordered::maximum(-1.0_f32, 2.0), 2.0);
        assert!(Ordered::maximum(-0.0_f32, 0.0).is_sign_positive());
        assert!(Ordered::minimum(0.0_f32, -0.0).is_sign_negative());
    }

    #[test]
    fn nothing_stops_at_a_division() {
        assert_eq!(Integer::divide(7_i8, 0), -1);
        assert_eq!(Integer::divide(7_u8, 0), 255);
        assert_eq!(Integer::divide(i8::MIN, -1), i8::MIN);
        assert_eq!(Integer::remainder(-7_i8, 0), -7);
        assert_eq!(Integer::remainder(i8::MIN, -1), 0);
        assert_eq!(Integer::divide(-7_i8, 2), -3);
        assert_eq!(Integer::remainder(-7_i8, 2), -1);
    }

    #[test]
    fn shifts_go_past_the_width() {
        assert_eq!(Integer::shift_left(1_i8, 7), i8::MIN);
        assert_eq!(Integer::shift_left(1_i8, 8), 0);
        assert_eq!(Integer::shift_left(1_i8, -1), 0);
        assert_eq!(Integer::shift_right(-2_i8, 100), -1);
        assert_eq!(Integer::shift_right(-2_i8, -1), -1);
        assert_eq!(Integer::shift_right(200_u8, 100), 0);
        assert_eq!(Integer::shift_right(1_u64 << 63, u64::MAX), 0);
    }
}
