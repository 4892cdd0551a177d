//! Functions that no library has that we use.

pub(crate) mod complex;
mod error_function;
mod gamma;

pub(crate) use error_function::erf_inv;
pub(crate) use gamma::{digamma, trigamma};

/// 1 / (1 + e⁻ˣ), as eˣ / (1 + eˣ) for negative numbers, so that no power overflows.
pub(crate) fn sigmoid(x: f64) -> f64 {
    let power = libm::exp(-x.abs());
    match x < 0.0 {
        true => power / (1.0 + power),
        false => 1.0 / (1.0 + power),
    }
}

/// The inverse of the hyperbolic cosine. That of `libm` 0.2.16 is a number for some below 1, such as -100.
pub(crate) fn acosh(x: f64) -> f64 {
    match x < 1.0 {
        true => f64::NAN,
        false => libm::acosh(x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_below_one_is_a_hyperbolic_cosine() {
        for x in [
            0.999,
            0.0,
            -0.5,
            -1.0,
            -2.0,
            -100.0,
            -65504.0,
            -1e9,
            -1e300,
            f64::NEG_INFINITY,
        ] {
            assert!(acosh(x).is_nan(), "{x}");
        }
        assert_eq!((acosh(1.0), acosh(f64::INFINITY)), (0.0, f64::INFINITY));
    }

    #[test]
    fn sigmoids_of_large_numbers_are_small() {
        assert_eq!(sigmoid(0.0), 0.5);
        assert_eq!(sigmoid(-745.0), libm::exp(-745.0));
        assert_eq!(
            (sigmoid(f64::INFINITY), sigmoid(f64::NEG_INFINITY)),
            (1.0, 0.0)
        );
        assert!(sigmoid(f64::NAN).is_nan());
    }
}
