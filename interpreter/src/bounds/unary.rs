//! Functions of one number: what becomes of both ends of the interval that it is in.

use super::{Bound, Step, apart, at, list, magnitudes, numbers, precision};
use crate::{Array, Cause, Tensor, op::convert::convert};
use iree_abi::DType;
use iree_dsl_ir::op::{Op, UnaryOp};
use num_complex::Complex64;

pub(super) fn bound(op: UnaryOp, step: &Step<'_>) -> Result<Bound, Cause> {
    let dtype = step.operand(0)?.dtype();
    if !precision::rounds(dtype) || matches!(op, UnaryOp::StopGradient | UnaryOp::Barrier) {
        return Ok(step.bounds.first().cloned().unwrap_or_default());
    }
    match dtype.is_complex() {
        true => complex(op, step),
        false => real(op, step),
    }
}

/// What an interval becomes.
enum Rule {
    /// One as wide.
    Same,
    /// One as wide, rounded: the function is nowhere steeper than the identity.
    Gentle,
    /// One between what becomes of its ends, or at least no further from what becomes of its middle.
    Ends,
    /// The same, if it is of positive numbers. Others are too near to poles.
    PositiveEnds,
    /// A single number, or it is undecided.
    Step,
    /// There is no such function of real numbers.
    None,
}

const fn rule(op: UnaryOp) -> Rule {
    match op {
        UnaryOp::Abs | UnaryOp::Negate | UnaryOp::StopGradient | UnaryOp::Barrier => Rule::Same,
        UnaryOp::Sin | UnaryOp::Cos => Rule::Gentle,
        UnaryOp::Sqrt
        | UnaryOp::Cbrt
        | UnaryOp::Exp
        | UnaryOp::Exp2
        | UnaryOp::ExpM1
        | UnaryOp::Ln
        | UnaryOp::Ln1p
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::Sinh
        | UnaryOp::Cosh
        | UnaryOp::Tanh
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::Sigmoid
        | UnaryOp::Erf
        | UnaryOp::Erfc
        | UnaryOp::ErfInv => Rule::Ends,
        UnaryOp::Lgamma | UnaryOp::Digamma | UnaryOp::Trigamma => Rule::PositiveEnds,
        UnaryOp::Floor | UnaryOp::RoundTiesEven => Rule::Step,
        UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::Real
        | UnaryOp::Imag => Rule::None,
    }
}

fn real(op: UnaryOp, step: &Step<'_>) -> Result<Bound, Cause> {
    let (dtype, rule) = (step.result.dtype(), rule(op));
    let x = numbers(step.operand(0)?)?;
    let read = match rule {
        Rule::Same => step.distances(0)?,
        _ => step.read(0)?,
    };
    let end = |sign: f64| {
        let ends = x
            .iter()
            .zip(&read)
            .map(|(x, distance)| match *distance == 0.0 {
                true => *x,
                false => x + sign * distance,
            });
        let ends = crate::tensor::from_elements(x.shape(), ends.collect())?;
        numbers(&step.evaluate(&Op::Unary(op), &[ends])?)
    };
    let (low, high) = (list(&end(-1.0)?), list(&end(1.0)?));
    let (x, read, y) = (list(&x), list(&read), list(&numbers(step.result)?));
    let floor = precision::floor(op);
    step.each(|place| {
        let (y, distance) = (at(&y, place), at(&read, place));
        let (low, high) = (at(&low, place), at(&high, place));
        let rounded = precision::function(dtype, y.abs().max(floor));
        let ends = apart(low, y).max(apart(high, y));
        match rule {
            _ if distance == f64::INFINITY => f64::INFINITY,
            Rule::Same => distance,
            Rule::Gentle => distance + rounded,
            Rule::Ends if distance == 0.0 => rounded,
            Rule::PositiveEnds if distance == 0.0 => rounded,
            Rule::PositiveEnds if at(&x, place) <= distance => f64::INFINITY,
            Rule::Ends | Rule::PositiveEnds => ends + rounded,
            Rule::Step if low == high || distance == 0.0 => 0.0,
            Rule::Step | Rule::None => f64::INFINITY,
        }
    })
}

/// Numbers around the operand say how steep a function is.
fn complex(op: UnaryOp, step: &Step<'_>) -> Result<Bound, Cause> {
    let read = step.read(0)?;
    match op {
        UnaryOp::Negate | UnaryOp::Real | UnaryOp::Imag => return Ok(Bound::Within(read)),
        UnaryOp::Abs => {
            let (read, y) = (list(&read), list(&magnitudes(step.result)?));
            let dtype = step.operand(0)?.dtype();
            return step.each(|place| at(&read, place) + precision::function(dtype, at(&y, place)));
        }
        _ => {}
    }
    let wide = convert(step.operand(0)?, DType::C128)?;
    let z: Array<Complex64> = wide.array().cloned().ok_or(Cause::DType(wide.dtype()))?;
    let y = convert(step.result, DType::C128)?;
    let y: Array<Complex64> = y.array().cloned().ok_or(Cause::DType(wide.dtype()))?;
    let sizes = list(&magnitudes(step.result)?);
    let mut furthest = vec![0.0_f64; y.len()];
    for direction in [1.0.into(), (-1.0).into(), Complex64::I, -Complex64::I] {
        let around = z
            .iter()
            .zip(&read)
            .map(|(z, distance)| match *distance == 0.0 {
                true => *z,
                false => z + direction * distance,
            });
        let around = crate::tensor::from_elements(z.shape(), around.collect())?;
        let there: Tensor = step.evaluate(&Op::Unary(op), &[around])?;
        let there: &Array<Complex64> = there.array().ok_or(Cause::DType(wide.dtype()))?;
        for ((furthest, y), there) in furthest.iter_mut().zip(&y).zip(there) {
            let distance = apart(y.re, there.re).hypot(apart(y.im, there.im));
            *furthest = furthest.max(distance);
        }
    }
    let (dtype, read) = (step.result.dtype(), list(&read));
    step.each(|place| match at(&read, place) {
        0.0 => precision::function(dtype, at(&sizes, place)),
        _ => 2.0 * at(&furthest, place) + precision::function(dtype, at(&sizes, place)),
    })
}
