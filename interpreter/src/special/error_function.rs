//! The inverse of the error function.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// The `y` whose error function is `x`. Halley's method, from an approximation that is right to three digits, on
/// [`libm::erf`] in the middle and [`libm::erfc`] at the ends, where 1 - |x| is exact: so it is as precise as these.
pub(crate) fn erf_inv(x: f64) -> f64 {
    let size = x.abs();
    if size > 1.0 {
        return f64::NAN;
    }
    if size == 1.0 || x == 0.0 || x.is_nan() {
        return x / (1.0 - size);
    }
    let mut y = approximation(size);
    for _ in 0..4 {
        // What is missing of the error function: erf grows as erfc falls.
        let error = match size < 0.5 {
            true => libm::erf(y) - size,
            false => (1.0 - size) - libm::erfc(y),
        };
        let newton = error / (FRAC_2_SQRT_PI * libm::exp(-y * y));
        y -= newton / (1.0 + y * newton);
    }
    y.copysign(x)
}

/// Source: S. Winitzki, A handy approximation for the error function and its inverse (2008); near zero the tangent.
fn approximation(x: f64) -> f64 {
    if x < 1e-2 {
        return x / FRAC_2_SQRT_PI;
    }
    const A: f64 = 0.147;
    let logarithm = libm::log1p(-x) + libm::log1p(x);
    let half = 2.0 / (PI * A) + logarithm / 2.0;
    ((half * half - logarithm / A).sqrt() - half).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From SciPy's `erfinv`, and mpmath's near the ends.
    #[test]
    fn known_values() {
        for (x, y) in KNOWN {
            let found = erf_inv(*x);
            assert!(
                (found - y).abs() <= 4.0 * f64::EPSILON * y.abs(),
                "{x}: {found}, not {y}"
            );
            assert_eq!(erf_inv(-x), -found);
        }
    }

    #[test]
    fn the_ends_are_infinite() {
        assert_eq!(erf_inv(1.0), f64::INFINITY);
        assert_eq!(erf_inv(-1.0), f64::NEG_INFINITY);
        assert!(erf_inv(1.5).is_nan() && erf_inv(f64::NAN).is_nan());
        assert!(erf_inv(-0.0).is_sign_negative());
    }

    const KNOWN: &[(f64, f64)] = &[
        (1e-300, 8.86226925452758e-301),
        (1e-10, 8.862269254527581e-11),
        (0.003, 0.002658687040758267),
        (0.01, 0.008862501280950598),
        (0.1, 0.08885599049425769),
        (0.25, 0.2253120550121781),
        (0.4999, 0.4768250236254278),
        (0.5, 0.4769362762044699),
        (0.7, 0.7328690779592167),
        (0.9, 1.1630871536766743),
        (0.99, 1.8213863677184494),
        (0.9999999, 3.7665625816384707),
        (0.9999999999990905, 5.05125408524939),
        (0.9999999999999999, 5.8635847487551676),
    ];
}
