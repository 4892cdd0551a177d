//! Numbers without loss, and their rounding to a type, once.

use half::{bf16, f16};
use iree_abi::{to_odd_f32, to_odd_f64};

/// A number of any element type, without loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exact {
    /// An integer or a truth value.
    Integer(i128),
    /// A real number.
    Real(f64),
    /// A complex number by its parts.
    Complex(f64, f64),
}

impl Exact {
    /// Whether it is 0, which NaN is not.
    pub(crate) fn is_zero(self) -> bool {
        match self {
            Self::Integer(x) => x == 0,
            Self::Real(x) => x == 0.0,
            Self::Complex(re, im) => re == 0.0 && im == 0.0,
        }
    }

    /// The number as an integer: those that are integers by one conversion, which wraps, others by another,
    /// which saturates.
    pub(crate) fn integer<T>(self, wrap: fn(i128) -> T, saturate: fn(f64) -> T) -> T {
        match self {
            Self::Integer(x) => wrap(x),
            Self::Real(x) | Self::Complex(x, _) => saturate(x),
        }
    }

    /// The nearest number of `f32`.
    pub(crate) fn to_f32(self) -> f32 {
        match self {
            Self::Integer(x) => x as f32,
            Self::Real(x) | Self::Complex(x, _) => x as f32,
        }
    }

    /// The nearest number of `f64`.
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Self::Integer(x) => x as f64,
            Self::Real(x) | Self::Complex(x, _) => x,
        }
    }

    pub(crate) fn imaginary(self) -> f64 {
        match self {
            Self::Integer(_) | Self::Real(_) => 0.0,
            Self::Complex(_, im) => im,
        }
    }

    /// A number of `f64` that rounds to a type of at most 50 bits as this one does.
    pub(crate) fn to_odd(self) -> f64 {
        match self {
            Self::Integer(x) => to_odd_f64(x),
            Self::Real(x) | Self::Complex(x, _) => x,
        }
    }
}

/// The nearest number of `f16`. The crate `half` leaves out the last 32 bits before it rounds.
pub(crate) fn nearest_f16(x: f64) -> f16 {
    f16::from_f32(to_odd_f32(x))
}

/// The nearest number of `bf16`.
pub(crate) fn nearest_bf16(x: f64) -> bf16 {
    bf16::from_f32(to_odd_f32(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Element;

    /// Between two numbers of `f16`, and a little above and below.
    #[test]
    fn halves_are_rounded_once() {
        let tie = 1.0 + 2_f64.powi(-11);
        let above = f16::from_bits(f16::ONE.to_bits() + 1);
        assert_eq!(nearest_f16(tie), f16::ONE);
        assert_eq!(nearest_f16(tie.next_up()), above);
        assert_eq!(nearest_f16(-tie.next_up()), -above);
        assert_eq!(nearest_f16(tie.next_down()), f16::ONE);
        assert_eq!(nearest_f16(65519.999), f16::MAX);
        assert_eq!(nearest_f16(65520.0), f16::INFINITY);
        assert_eq!(nearest_f16(1e300), f16::INFINITY);
        assert_eq!(nearest_f16(1e-300).to_bits(), 0);
        assert_eq!(nearest_f16(-1e-300).to_bits(), 0x8000);
        assert!(nearest_f16(f64::NAN).is_nan());
    }

    #[test]
    fn integers_are_rounded_once() {
        let tie = (1_i128 << 62) + (1 << 54);
        let above = bf16::from_f64(2_f64.powi(62) + 2_f64.powi(55));
        let round = |x| bf16::nearest(Exact::Integer(x));
        assert_eq!(round(tie), bf16::from_f64(2_f64.powi(62)));
        assert_eq!(round(tie + 1), above);
        assert_eq!(round(-tie - 1), -above);
        assert_eq!(round(tie - 1), bf16::from_f64(2_f64.powi(62)));
        let half = |x| f16::nearest(Exact::Integer(x));
        assert_eq!(half(2049), f16::from_f32(2048.0));
        assert_eq!(half(65519), f16::MAX);
        assert_eq!(half(65520), f16::INFINITY);
    }
}
