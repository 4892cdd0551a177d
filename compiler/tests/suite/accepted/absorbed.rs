//! Sums of what is the same number everywhere, whatever an operand is, and which IREE may see as a constant therefore.

use super::Case;
use ndarray::Array1;

/// Sums of a hundred numbers of which each has a value, with a length that is known and one that is not.
macro_rules! sums {
    ($($expression:literal is $value:literal,)*) => {
        &[$(
            sums!(@one $expression, $value, "(&self, k: Tensor<i32, 3, 100>)"),
            sums!(@one $expression, $value, "<const N: usize>(&self, k: Tensor<i32, 3, N>)"),
        )*]
    };
    (@one $expression:literal, $value:literal, $parameters:literal) => {
        Case {
            text: concat!($parameters, " -> Tensor<i32, 3> { (", $expression, ").sum_axis(1) }"),
            inputs: &[("i32", &[3, 100])],
            results: &["i32"],
            expected: |_| vec![Array1::from_elem(3, 100.0 * f64::from($value)).into_dyn()],
        }
    };
}

pub(super) const CASES: &[Case] = sums! {
    "k * 0 + 1" is 1,
    "(k & 0) - 1" is -1,
    "k | -1" is -1,
    "k / 0" is -1,
    "k / (k - k)" is -1,
    "k / full_like(k, 0)" is -1,
    "k % 1 + 2" is 2,
    "(k - k) + 3" is 3,
    "(k ^ k) | 1" is 1,
    "(k == k) as i32" is 1,
    "(k == (k & k)) as i32" is 1,
    "(k.maximum(k) - k.minimum(k)) + 1" is 1,
    "k - select(k > 0, k | k, k) + 1" is 1,
    "(k < i32::MIN) as i32 + 1" is 1,
    "((k as u32) >= 0) as i32" is 1,
    "select(k == k, 2, k)" is 2,
    "select(k > 0, 2, 2)" is 2,
    "(k.maximum(i32::MAX) == i32::MAX) as i32" is 1,
    "(k.minimum(i32::MIN) == i32::MIN) as i32" is 1,
    "k.powi(0)" is 1,
    "((k << 40) + 1)" is 1,
    "((k & 1) < 2) as i32" is 1,
    "((k & 1) / 2) + 1" is 1,
    "(((k as i8) as i32) < 300) as i32" is 1,
    "k.clamp(2, 2)" is 2,
    "(k.abs() * 0).maximum(1)" is 1,
    "((k > 0) | (k <= 0)) as i32" is 1,
    "((k > 0) & (k <= 0)) as i32 + 1" is 1,
    "!(k & !k)" is -1,
    "k.signum() / 2 + 1" is 1,
    "(k >> 40) * 0 + 1" is 1,
    "((k as bool) | true) as i32" is 1,
};
