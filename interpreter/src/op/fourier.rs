//! Discrete Fourier transforms.

use super::Operands;
use crate::{
    Array, Cause, Tensor,
    arithmetic::ComplexNumber,
    tensor::{from_elements, of_types},
};
use iree_dsl_ir::op::Fourier;
use num_complex::{Complex, Complex64};
use std::f64::consts::FRAC_PI_2;

pub(super) fn evaluate(op: Fourier, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    of_types!([C64 C128] operand, array => along_last(op, array))
}

fn along_last<T: ComplexNumber>(op: Fourier, array: &Array<T>) -> Result<Tensor, Cause> {
    let length = array.shape().last().copied().unwrap_or(1);
    let numbers: Vec<_> = array.iter().map(|number| number.widen()).collect();
    let (sign, factor) = match op {
        Fourier::Forward => (-1.0, 1.0),
        Fourier::Inverse => (1.0, length as f64),
    };
    // Of an empty axis there are no lines.
    let lines = numbers.chunks(length.max(1));
    let lines = lines.flat_map(|line| transform(line, sign));
    let results = lines.map(|number| T::narrow(number / factor));
    from_elements(array.shape(), results.collect())
}

/// X(k) = Σ x(j) e^(sign 2πi jk/n). For n = p m with the least prime p, the transforms of length m of each pth number,
/// put together: X(k) = Σ e^(sign 2πi rk/n) Y(r, k mod m), with r from 0 to p - 1.
fn transform(numbers: &[Complex64], sign: f64) -> Vec<Complex64> {
    let length = numbers.len();
    if length <= 1 {
        return numbers.to_vec();
    }
    let prime = (2..length).find(|divisor| length.is_multiple_of(*divisor));
    let prime = prime.unwrap_or(length);
    let part = |first| numbers.iter().skip(first).step_by(prime).copied();
    let parts: Vec<_> = (0..prime)
        .map(|first| transform(&part(first).collect::<Vec<_>>(), sign))
        .collect();
    let number = |k: usize| {
        let terms = parts.iter().enumerate().map(|(r, part)| {
            let number = part.get(k % part.len()).copied().unwrap_or_default();
            number * unit(r as u128 * k as u128, length as u128, sign)
        });
        terms.sum()
    };
    (0..length).map(number).collect()
}

/// e^(sign 2πi turn/turns), exact at quarters of a turn.
fn unit(turn: u128, turns: u128, sign: f64) -> Complex64 {
    let (quarters, rest) = (4 * turn / turns % 4, 4 * turn % turns);
    let angle = FRAC_PI_2 * (rest as f64 / turns as f64);
    let (cosine, sine) = (libm::cos(angle), libm::sin(angle));
    let (re, im) = match quarters {
        0 => (cosine, sine),
        1 => (-sine, cosine),
        2 => (-cosine, -sine),
        _ => (sine, -cosine),
    };
    Complex::new(re, sign * im)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each length against the sum that defines it.
    #[test]
    fn every_length_is_the_sum() {
        for length in 0..40_usize {
            let number = |j: usize| Complex::new((j * j % 7) as f64 - 3.0, (j % 5) as f64);
            let numbers: Vec<_> = (0..length).map(number).collect();
            let expected = (0..length).map(|k| {
                let term = |j: usize| number(j) * unit((j * k) as u128, length as u128, -1.0);
                (0..length).map(term).sum::<Complex64>()
            });
            for (found, expected) in transform(&numbers, -1.0).iter().zip(expected) {
                assert!((found - expected).norm() < 1e-12, "{length}");
            }
        }
    }
}
