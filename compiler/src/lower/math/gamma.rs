//! The logarithm of the gamma function, and its derivatives.

use super::{
    angle::{cos_pi, sin_pi},
    formula::Unary,
    number::Number,
    rounding::floor,
    series::{centered, chebyshev},
};
use iree_dsl_ir::op::UnaryOp;
use std::f64::consts::PI;

/// The operations of the representation that have a formula here.
pub(super) const FORMULAS: &[Unary] = &[
    Unary::real(UnaryOp::Lgamma, lgamma),
    Unary::real(UnaryOp::Digamma, digamma),
    Unary::real(UnaryOp::Trigamma, trigamma),
];

/// ln Γ(x) / ((x - 1) (x - 2)) for x from 1 to 2.
const LN_GAMMA: &[f64] = &[
    0.491_415_393_029_387_14,
    -0.076_114_161_670_435_85,
    0.008_432_324_965_932_778,
    -0.001_079_493_726_328_608,
    0.000_149_007_480_036_929_63,
    -2.151_239_988_855_678_4e-5,
    3.197_932_986_086_218_6e-6,
    -4.851_693_012_139_927e-7,
    7.471_487_821_163_16e-8,
    -1.163_829_670_017_051_8e-8,
    1.829_400_437_118_668e-9,
    -2.896_918_060_712_960_7e-10,
    4.615_701_406_209_09e-11,
    -7.392_810_230_497_983e-12,
    1.189_428_000_833_308_5e-12,
    -1.921_206_867_652_280_5e-13,
    3.113_975_526_387_164e-14,
    -5.062_843_298_448_611_4e-15,
    8.254_150_281_631_144e-16,
    -1.349_057_898_757_484_4e-16,
    2.209_876_116_782_623e-17,
    -3.627_412_954_923_976_6e-18,
    5.965_430_068_821_522e-19,
];

/// ψ(x) / (x - ROOT) for x from 1 to 2.
const DIGAMMA: &[f64] = &[
    0.983_570_260_441_567,
    -0.227_064_086_334_644_4,
    0.033_368_899_023_930_11,
    -0.005_320_077_271_596_548,
    0.000_878_865_693_782_050_5,
    -0.000_147_734_926_506_060_44,
    2.506_054_346_835_914_6e-5,
    -4.272_103_402_999_332_4e-6,
    7.302_769_272_465_923e-7,
    -1.250_288_681_355_959_4e-7,
    2.142_500_932_235_947_2e-8,
    -3.673_295_918_565_179e-9,
    6.299_717_236_108_931e-10,
    -1.080_593_028_883_266e-10,
    1.853_735_192_053_638e-11,
    -3.180_235_365_825_53e-12,
    5.456_147_570_322_795e-13,
    -9.360_993_131_036_438e-14,
    1.606_064_636_295_075e-14,
    -2.755_543_137_743_881_5e-15,
    4.727_736_178_601_912e-16,
    -8.111_484_203_465_09e-17,
    1.391_707_769_474_154e-17,
    -2.387_790_108_218_862_5e-18,
];

/// The positive zero of ψ, and what it has below the precision of `f64`.
const ROOT: f64 = 1.461_632_144_968_362_2;
const ROOT_BELOW: f64 = 9.549_995_429_965_697e-17;

/// From here on the asymptotic series are precise.
const LARGE: u32 = 10;

/// ln |Γ(x)|. Negative numbers by [reflection](https://dlmf.nist.gov/5.5#ii).
pub(super) fn lgamma<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let reflected = x.is_less(0.0);
    let positive = reflected.choose(1.0 - x, x);
    let result = ln_gamma(&positive);
    let sine = sin_pi(x).abs();
    let other = -(sine * (1.0 / PI)).ln() - &result;
    // Beyond the precision all numbers are integers, where there are poles.
    let result = reflected.choose(other, &result);
    let pole = x.is_less(0.5) & floor(x).equals(x) | x.equals(f64::NEG_INFINITY);
    pole.choose(f64::INFINITY, &result)
}

/// ln Γ(x) for x ≥ 0.
fn ln_gamma<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (mut base, mut factor) = (x.clone(), x.like(1.0));
    for _ in 2..LARGE {
        let above = base.is_greater(2.0);
        base = above.choose(&base - 1.0, &base);
        factor = above.choose(&factor * &base, &factor);
    }
    let below = x.is_less(1.0);
    let base = below.choose(x + 1.0, &base);
    let logarithm = below.choose(-x.ln(), &factor.ln());
    let place = centered(&base, 1.0, 2.0);
    let near = (&base - 1.0) * (&base - 2.0) * chebyshev(&place, LN_GAMMA) + logarithm;
    x.is_greater(f64::from(LARGE)).choose(stirling(x), &near)
}

/// [Stirling's series](https://dlmf.nist.gov/5.11#i).
fn stirling<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let terms = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let reciprocal = 1.0 / x;
    let half_ln_tau = (2.0 * PI).ln() / 2.0;
    let sum = horner(&(&reciprocal * &reciprocal), &terms) * reciprocal + half_ln_tau;
    let main = (x - 0.5) * (x.ln() - 1.0) - 0.5;
    let finite = x.is_less(f64::INFINITY);
    finite.choose(main + sum, x)
}

fn horner<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>, terms: &[f64]) -> Number<'m, 'c, 'b> {
    let zero = x.like(0.0);
    let terms = terms.iter().rev();
    terms.fold(zero, |sum, term| sum * x + *term)
}

/// The derivative of ln Γ(x). Negative numbers by [reflection](https://dlmf.nist.gov/5.5#ii).
pub(super) fn digamma<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let reflected = x.is_less(0.0);
    let positive = reflected.choose(1.0 - x, x);
    let result = psi(&positive);
    let cotangent = cos_pi(x) / sin_pi(x);
    let result = reflected.choose(&result - cotangent * PI, &result);
    let pole = reflected & floor(x).equals(x);
    let result = pole.choose(f64::NAN, &result);
    let zero = x.equals(0.0);
    zero.choose(-(1.0 / x), &result)
}

/// ψ(x) for x > 0.
fn psi<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (mut base, mut sum) = (x.clone(), x.like(0.0));
    for _ in 2..LARGE {
        let above = base.is_greater(2.0);
        base = above.choose(&base - 1.0, &base);
        sum = above.choose(&sum + 1.0 / &base, &sum);
    }
    let below = x.is_less(1.0);
    let base = below.choose(x + 1.0, &base);
    let sum = below.choose(-(1.0 / x), &sum);
    let upper = match x.format().precision {
        f64::MANTISSA_DIGITS => ROOT,
        _ => f64::from(ROOT as f32),
    };
    let distance = &base - upper - (ROOT - upper + ROOT_BELOW);
    let near = distance * chebyshev(&centered(&base, 1.0, 2.0), DIGAMMA) + sum;
    x.is_greater(f64::from(LARGE)).choose(asymptotic(x), &near)
}

/// The [asymptotic series](https://dlmf.nist.gov/5.11#i) of ψ.
fn asymptotic<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let terms = [
        -1.0 / 12.0,
        1.0 / 120.0,
        -1.0 / 252.0,
        1.0 / 240.0,
        -1.0 / 132.0,
        691.0 / 32_760.0,
        -1.0 / 12.0,
    ];
    let reciprocal = 1.0 / x;
    let square = &reciprocal * &reciprocal;
    let correction = &square * horner(&square, &terms);
    x.ln() - reciprocal * 0.5 + correction
}

/// The second derivative of ln Γ(x). Negative numbers by [reflection](https://dlmf.nist.gov/5.15#E6); all poles are
/// positive on both sides.
pub(super) fn trigamma<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let reflected = x.is_less(0.0);
    let positive = reflected.choose(1.0 - x, x);
    let result = psi_1(&positive);
    let cosecant = 1.0 / sin_pi(x) * PI;
    reflected.choose(&cosecant * &cosecant - &result, &result)
}

/// ψ′(x) for x ≥ 0: [upwards](https://dlmf.nist.gov/5.15#E5) to where the asymptotic series is precise. All terms are
/// positive, so that nothing cancels.
fn psi_1<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (mut base, mut sum) = (x.clone(), x.like(0.0));
    for _ in 0..LARGE {
        let below = base.is_less(f64::from(LARGE));
        let reciprocal = 1.0 / &base;
        sum = below.choose(&sum + &reciprocal * &reciprocal, &sum);
        base = below.choose(&base + 1.0, &base);
    }
    asymptotic_1(&base) + sum
}

/// The [asymptotic series](https://dlmf.nist.gov/5.15#E8) of ψ′.
fn asymptotic_1<'m, 'c, 'b>(x: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let terms = [
        1.0 / 6.0,
        -1.0 / 30.0,
        1.0 / 42.0,
        -1.0 / 30.0,
        5.0 / 66.0,
        -691.0 / 2730.0,
        7.0 / 6.0,
        -3617.0 / 510.0,
    ];
    let reciprocal = 1.0 / x;
    let square = &reciprocal * &reciprocal;
    let correction = &square * &reciprocal * horner(&square, &terms);
    correction + square * 0.5 + reciprocal
}
