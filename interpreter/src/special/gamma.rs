//! The derivatives of the logarithm of the gamma function.

use std::f64::consts::PI;

/// From here on the terms of the asymptotic series that are left out are below the precision of `f64`.
const LARGE: f64 = 16.0;

/// B(2k) / 2k for k from 1, with Bernoulli's numbers B: the coefficients of the
/// [asymptotic series](https://dlmf.nist.gov/5.11.E2).
const COEFFICIENTS: [f64; 8] = [
    1.0 / 12.0,
    -1.0 / 120.0,
    1.0 / 252.0,
    -1.0 / 240.0,
    1.0 / 132.0,
    -691.0 / 32_760.0,
    1.0 / 12.0,
    -3617.0 / 8160.0,
];

/// ψ(x), NaN at its poles but for 0, where it is infinite. Its error is some units in the last place of what is added
/// up, which is the larger of ψ(x), 3 and, for negative numbers, π cot πx.
pub(crate) fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        -1.0 / x
    } else if x > 0.0 {
        positive(x)
    } else if x == x.floor() {
        f64::NAN
    } else {
        reflected(x)
    }
}

/// By [ψ(x) = ψ(1 - x) - π cot πx](https://dlmf.nist.gov/5.5.E4), of which the cotangent has the period 1.
fn reflected(x: f64) -> f64 {
    let rest = x - x.round_ties_even();
    let cotangent = match rest.abs() == 0.5 {
        true => 0.0,
        false => 1.0 / libm::tan(PI * rest),
    };
    positive(1.0 - x) - PI * cotangent
}

/// By [ψ(x) = ψ(x + 1) - 1/x](https://dlmf.nist.gov/5.5.E2) up to where the series is precise.
fn positive(x: f64) -> f64 {
    let (mut large, mut sum) = (x, 0.0);
    while large < LARGE {
        sum += 1.0 / large;
        large += 1.0;
    }
    series(large) - sum
}

fn series(x: f64) -> f64 {
    if x.is_infinite() {
        return x;
    }
    let square = 1.0 / (x * x);
    let terms = COEFFICIENTS.iter().rev();
    let tail = terms.fold(0.0, |sum, term| (sum + term) * square);
    libm::log(x) - 0.5 / x - tail
}

/// B(2k) for k from 1, the coefficients of the [asymptotic series](https://dlmf.nist.gov/5.15.E8) of ψ′.
const BERNOULLI: [f64; 8] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
];

/// ψ′(x), infinite at its poles. Its error is some units in the last place.
pub(crate) fn trigamma(x: f64) -> f64 {
    if x >= 0.0 {
        positive_slope(x)
    } else if x == x.floor() && x.is_finite() {
        f64::INFINITY
    } else {
        // ψ′(1 - x) + ψ′(x) = (π / sin πx)² (https://dlmf.nist.gov/5.15.E6), of period 1.
        let cosecant = PI / libm::sin(PI * (x - x.round_ties_even()));
        cosecant * cosecant - positive_slope(1.0 - x)
    }
}

/// By [ψ′(x) = ψ′(x + 1) + 1/x²](https://dlmf.nist.gov/5.15.E5) up to where the series is precise.
fn positive_slope(x: f64) -> f64 {
    let (mut large, mut terms) = (x, Vec::new());
    while large < LARGE {
        terms.push((1.0 / large) * (1.0 / large));
        large += 1.0;
    }
    let square = 1.0 / large * (1.0 / large);
    let coefficients = BERNOULLI.iter().rev();
    let tail = coefficients.fold(0.0, |sum, term| (sum + term) * square);
    let series = (tail + 0.5 / large + 1.0) / large;
    // The smallest first.
    terms.iter().rev().fold(series, |sum, term| sum + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From mpmath's `polygamma`.
    #[test]
    fn known_slopes() {
        for (x, y) in SLOPES {
            let found = trigamma(*x);
            assert!(
                (found - y).abs() <= 4.0 * f64::EPSILON * y,
                "{x}: {found}, not {y}"
            );
        }
        for pole in [0.0, -0.0, -1.0, -16.0] {
            assert_eq!(trigamma(pole), f64::INFINITY);
        }
        assert_eq!(trigamma(f64::INFINITY), 0.0);
        assert!(trigamma(f64::NEG_INFINITY).is_nan() && trigamma(f64::NAN).is_nan());
    }

    const SLOPES: &[(f64, f64)] = &[
        (0.0009765625, 1048577.6425893921),
        (0.25, 17.19732915450711),
        (0.5, 4.934802200544679),
        (0.75, 2.5418796476716063),
        (1.0, 1.6449340668482264),
        (1.25, 1.1973291545071107),
        (1.5, 0.9348022005446793),
        (2.0, 0.6449340668482264),
        (3.0, 0.39493406684822646),
        (4.5, 0.24872510303901038),
        (6.25, 0.17347923315893218),
        (7.5, 0.1426158966967038),
        (8.0, 0.1331370146940314),
        (9.75, 0.10800324333663186),
        (10.0, 0.10516633568168575),
        (11.0, 0.09516633568168574),
        (15.75, 0.06555030890715852),
        (20.5, 0.04998959242996099),
        (1000.0, 0.0010005001666666333),
        (4096.0, 0.00024417042974770686),
        (-0.0078125, 16385.663916382175),
        (-0.5, 8.934802200544679),
        (-1.25, 19.181879647671607),
        (-2.75, 19.433868949488463),
        (-3.0625, 259.03648456066753),
        (-10.5, 9.778757739814813),
        (-100.5, 9.859703491870086),
    ];

    /// From mpmath's `digamma`.
    #[test]
    fn known_values() {
        for (x, y) in KNOWN {
            let found = digamma(*x);
            assert!(
                (found - y).abs() <= 4.0 * f64::EPSILON * y.abs().max(3.0),
                "{x}: {found}, not {y}"
            );
        }
    }

    #[test]
    fn poles_are_nan_but_for_zero() {
        assert_eq!(
            (digamma(0.0), digamma(-0.0)),
            (f64::NEG_INFINITY, f64::INFINITY)
        );
        assert!(digamma(-3.0).is_nan() && digamma(f64::NEG_INFINITY).is_nan());
        assert!(digamma(f64::NAN).is_nan());
        assert_eq!(digamma(f64::INFINITY), f64::INFINITY);
    }

    const KNOWN: &[(f64, f64)] = &[
        (1e-10, -10000000000.577215),
        (0.01, -100.56088545786868),
        (0.5, -1.9635100260214235),
        (1.0, -0.5772156649015329),
        (1.4616321449683622, -9.241265521729427e-17),
        (1.4616321449683622, -9.241265521729427e-17),
        (1.5, 0.03648997397857652),
        (2.0, 0.42278433509846713),
        (3.7, 1.1671535393615113),
        (10.0, 2.251752589066721),
        (15.9, 2.734543070175774),
        (16.0, 2.7410133283274605),
        (100.0, 4.600161852738087),
        (10000000000.0, 23.025850929890456),
        (-0.5, 0.03648997397857652),
        (-1.25, 3.714139120213528),
        (-3.999, -998.4908138087342),
        (-10.1, 12.030052248548309),
        (-100.3, 6.895643124860435),
    ];
}
