//! Uniform numbers.

use super::bits::random_bits;
use crate::term::Term;
use iree_abi::{DType, TensorType};

/// Uniform numbers from 0 to before 1.
pub fn uniform<'x, V: Clone>(key: &Term<'x, V>, ty: &TensorType) -> Term<'x, V> {
    fractions(key, ty)
}

/// Uniform numbers from the first bound to before the second, which are those of each of them.
pub fn uniform_between<'x, V: Clone>(
    key: &Term<'x, V>,
    low: &Term<'x, V>,
    high: &Term<'x, V>,
) -> Term<'x, V> {
    let ty = low.tensor_type();
    between(key, &ty, [low.clone(), high.clone()])
}

/// Uniform numbers from the first bound to before the second.
pub(super) fn between<'x, V: Clone>(
    key: &Term<'x, V>,
    ty: &TensorType,
    [low, high]: [Term<'x, V>; 2],
) -> Term<'x, V> {
    low.max(fractions(key, ty) * (high - &low) + &low)
}

/// Uniform numbers from 0 to before 1, all multiples of the distance between 1 and the next larger number.
pub(super) fn fractions<'x, V: Clone>(key: &Term<'x, V>, ty: &TensorType) -> Term<'x, V> {
    let digits = mantissa_bits(ty.dtype);
    // As in JAX: what has few digits takes few bits.
    let width = if digits < 8 {
        8
    } else {
        8 * ty.dtype.size() as u32
    };
    let bits = random_bits(key, width as usize, &ty.shape);
    let numerators = bits >> i128::from(width - digits);
    numerators.convert(ty.dtype) * 2_f64.powi(-(digits as i32))
}

/// The stored digits of a floating-point number.
pub(super) const fn mantissa_bits(dtype: DType) -> u32 {
    match dtype {
        DType::F16 => 10,
        DType::BF16 => 7,
        DType::F32 => 23,
        _ => 52,
    }
}
