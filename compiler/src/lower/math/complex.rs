//! Functions of complex numbers, written on the two parts. IREE has them for `Complex<f32>` only, and
//! loses precision there.

use super::{
    angle,
    exponential::{cosh, exp_m1 as real_exp_m1, sinh, tanh as real_tanh},
    formula::Unary,
    inverse::atan2,
    logarithm::ln_1p as real_ln_1p,
    number::Number,
};
use iree_dsl_ir::op::UnaryOp;

/// The operations of the representation that have a formula here.
pub(super) const FORMULAS: &[Unary] = &[
    Unary::complex(UnaryOp::Exp, exp),
    Unary::complex(UnaryOp::ExpM1, exp_m1),
    Unary::complex(UnaryOp::Ln, ln),
    Unary::complex(UnaryOp::Ln1p, ln_1p),
    Unary::complex(UnaryOp::Sqrt, sqrt),
    Unary::complex(UnaryOp::Sin, sin),
    Unary::complex(UnaryOp::Cos, cos),
    Unary::complex(UnaryOp::Tanh, tanh),
    Unary::complex(UnaryOp::Sigmoid, sigmoid),
];

/// eᵃ (cos b + i sin b).
pub(super) fn exp<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let size = a.exp();
    // An infinite size times a sine of 0 is no number.
    let im = b.equals(0.0).choose(&b, &(&size * angle::sin(&b)));
    (size * angle::cos(&b)).with_imag(&im)
}

/// (eᵃ - 1) cos b - 2 sin² ½b + i eᵃ sin b, whose real part does not cancel for small z.
pub(super) fn exp_m1<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let sine = angle::sin(&(&b * 0.5));
    let re = real_exp_m1(&a) * angle::cos(&b) - &sine * &sine * 2.0;
    re.with_imag(&exp(z).imag())
}

/// ln (1 + z); near |1 + z| = 1 as ½ ln (1 + t) with t = a (2 + a) + b² for the real part, which does not
/// cancel for small z.
pub(super) fn ln_1p<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let sum = &a + 1.0;
    let size = sum.with_imag(&b).abs();
    let near = size.is_greater(0.7) & size.is_less(1.5);
    let square = &a * (&a + 2.0) + &b * &b;
    let logarithm = near.choose(real_ln_1p(&square) * 0.5, &size.ln());
    logarithm.with_imag(&atan2(&b, &sum))
}

/// ln |z| + i arg z. Near |z| = 1 as ½ ln (1 + t) with t = (|z| - 1) (|z| + 1), which does not cancel when
/// taken from the parts.
pub(super) fn ln<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let size = z.abs();
    let (width, height) = (a.abs(), b.abs());
    let (longer, shorter) = (width.max(&height), width.min(&height));
    let square = (&longer - 1.0) * (&longer + 1.0) + &shorter * &shorter;
    let near = size.is_greater(0.7) & size.is_less(1.5);
    let logarithm = near.choose(real_ln_1p(&square) * 0.5, &size.ln());
    logarithm.with_imag(&atan2(&b, &a))
}

/// The root with a positive real part: t + i b / 2t with t = √((|z| + |a|) / 2), the parts exchanged
/// for a < 0.
pub(super) fn sqrt<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let large = ((z.abs() + a.abs()) * 0.5).sqrt();
    let small = b.abs() * 0.5 / &large;
    let small = large.equals(0.0).choose(0.0, &small);
    let right = a.is_at_least(0.0);
    let re = right.choose(&large, &small);
    let im = right.choose(small, &large);
    re.with_imag(&im.negate_where(&b.is_negative()))
}

/// sin a cosh b + i cos a sinh b.
pub(super) fn sin<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let re = angle::sin(&a) * cosh(&b);
    re.with_imag(&(angle::cos(&a) * sinh(&b)))
}

/// cos a cosh b - i sin a sinh b.
pub(super) fn cos<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let re = angle::cos(&a) * cosh(&b);
    re.with_imag(&-(angle::sin(&a) * sinh(&b)))
}

/// (t + i s c (1 - t²)) / (c² + t² s²) with t = tanh a, s = sin b, c = cos b.
pub(super) fn tanh<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let (sine, cosine) = (angle::sin(&b), angle::cos(&b));
    let t = real_tanh(&a);
    let ts = &t * &sine;
    let denominator = &cosine * &cosine + &ts * &ts;
    // 1 - t² = 4 e⁻²ᵃ / (1 + e⁻²ᵃ)², which does not cancel.
    let decay = (a.abs() * -2.0).exp();
    let sum = &decay + 1.0;
    let complement = decay * 4.0 / (&sum * &sum);
    let im = sine * cosine * complement / &denominator;
    (t / denominator).with_imag(&im)
}

/// 1 / (1 + e⁻ᶻ) for a ≥ 0, else eᶻ / (1 + eᶻ), so that no power overflows: with r = e⁻|ᵃ|, s = sin b and
/// c = cos b, (1 + r c + i r s) / |1 + r c + i r s|², or (r (r + c) + i r s) / |1 + r c + i r s|².
pub(super) fn sigmoid<'m, 'c, 'b>(z: &Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b> {
    let (a, b) = (z.real(), z.imag());
    let (sine, cosine) = (angle::sin(&b), angle::cos(&b));
    let size = (-a.abs()).exp();
    let (re, im) = (&size * &cosine + 1.0, &size * sine);
    let square = &re * &re + &im * &im;
    let left = (&size + cosine) * &size;
    let re = a.is_at_least(0.0).choose(re, &left);
    (re / &square).with_imag(&(im / square))
}
