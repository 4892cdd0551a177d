//! Normally distributed numbers: the inverse of their distribution, of uniform numbers.

use super::{
    bits::unsigned,
    key::split,
    uniform::{between, mantissa_bits},
};
use crate::term::Term;
use iree_abi::{DType, Dim, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{CompareOp, UnaryOp},
};
use std::f64::consts::SQRT_2;

/// Numbers around 0 with a variance of 1, real or complex.
pub fn normal<'x, V: Clone>(key: &Term<'x, V>, ty: &TensorType) -> Term<'x, V> {
    match ty.dtype.is_complex() {
        true => complex(key, ty),
        false => real(key, ty),
    }
}

fn real<'x, V: Clone>(key: &Term<'x, V>, ty: &TensorType) -> Term<'x, V> {
    // The least number above -1, where the inverse of the error function has no value.
    let digits = mantissa_bits(ty.dtype) as i32;
    let low = 2_f64.powi(-digits - 1) - 1.0;
    let bounds = [low, 1.0].map(|bound| key.make_splat(Scalar::Float(bound), ty));
    quantile(&between(key, ty, bounds))
}

/// Each part has half of the variance.
fn complex<'x, V: Clone>(key: &Term<'x, V>, ty: &TensorType) -> Term<'x, V> {
    let part = TensorType::new(ty.dtype.real(), ty.shape.clone());
    let keys = split(key, &Dim::Static(2));
    let [re, im] = [0, 1].map(|index| real(&keys.item(index), &part) / SQRT_2);
    re.with_imag(im)
}

/// The number below which a normally distributed one is as often as one that is uniform from -1 to 1 is
/// below this. Narrow numbers are rounded once.
fn quantile<'x, V: Clone>(uniform: &Term<'x, V>) -> Term<'x, V> {
    let dtype = uniform.dtype();
    let wide = match dtype {
        DType::F16 | DType::BF16 => uniform.convert(DType::F32),
        _ => uniform.clone(),
    };
    (wide.apply(UnaryOp::ErfInv) * SQRT_2).convert(dtype)
}

/// Numbers as those of [`normal`], but between bounds, which are those of each of them.
pub fn truncated_normal<'x, V: Clone>(
    key: &Term<'x, V>,
    low: &Term<'x, V>,
    high: &Term<'x, V>,
) -> Term<'x, V> {
    let ty = low.tensor_type();
    let range = [low, high].map(|bound| (bound / SQRT_2).apply(UnaryOp::Erf));
    let numbers = quantile(&between(key, &ty, range));
    // Rounding must not lead out of the range.
    let (least, most) = (above(low), -above(&-high));
    numbers.max(least).min(most)
}

/// The next larger number: its bits as an integer, one more where it goes away from zero.
fn above<'x, V: Clone>(number: &Term<'x, V>) -> Term<'x, V> {
    let dtype = number.dtype();
    let bits = number.bitcast(unsigned(8 * dtype.size()));
    let (more, less) = (&bits + 1, &bits - 1);
    let is_positive = number.compare(CompareOp::Greater, 0.0);
    let next = is_positive.choose(more, &less).bitcast(dtype);
    let is_zero = number.compare(CompareOp::Equal, 0.0);
    let next = is_zero.choose(smallest(dtype), &next);
    let is_last = number.compare(CompareOp::Equal, f64::INFINITY);
    is_last.choose(number, &next)
}

/// The smallest positive number.
fn smallest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => half::f16::from_bits(1).to_f64(),
        DType::BF16 => half::bf16::from_bits(1).to_f64(),
        DType::F32 => f32::from_bits(1).into(),
        _ => f64::from_bits(1),
    }
}
