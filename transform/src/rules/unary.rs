use super::{Context, Dual, exactly};
use crate::{builder::Builder, error::Result, linear::Linear, tape::NodeId};
use iree_dsl_ir::{
    ValueId,
    op::{BinaryOp, CompareOp, UnaryOp},
};
use std::f64::consts::{LN_2, LN_10, PI};

/// Two by the square root of π.
const TWO_BY_ROOT_PI: f64 = std::f64::consts::FRAC_2_SQRT_PI;

pub(super) fn tangent(
    context: &mut Context,
    op: UnaryOp,
    operands: &[Dual],
    result: ValueId,
) -> Result<Option<NodeId>> {
    let [operand] = exactly(operands)?;
    let Some(tangent) = operand.tangent else {
        return Ok(None);
    };
    let ty = context.builder.ty(result)?;
    let is_complex = context.builder.ty(operand.primal)?.dtype.is_complex();
    match op {
        UnaryOp::Negate => context.same(Linear::Negate, tangent).map(Some),
        UnaryOp::Real => Ok(Some(context.apply(Linear::Real, tangent, ty))),
        UnaryOp::Imag => Ok(Some(context.apply(Linear::Imag, tangent, ty))),
        UnaryOp::Barrier => Ok(Some(tangent)),
        UnaryOp::Abs if is_complex => {
            let direction = direction(&mut context.builder, operand.primal, result)?;
            let along = context.scale(tangent, direction)?;
            Ok(Some(context.apply(Linear::Real, along, ty)))
        }
        _ => match factor(&mut context.builder, op, operand.primal, result)? {
            Some(factor) => context.scale(tangent, factor).map(Some),
            None => Ok(None),
        },
    }
}

/// The conjugate of a complex number by its absolute value; 0 at 0.
fn direction(builder: &mut Builder, z: ValueId, size: ValueId) -> Result<ValueId> {
    let is_zero = builder.is(size, CompareOp::Equal, 0.0)?;
    let ones = builder.splat_like(1.0, size)?;
    let size = builder.select(is_zero, ones, size)?;
    let (real, imaginary) = (
        builder.unary(UnaryOp::Real, z)?,
        builder.unary(UnaryOp::Imag, z)?,
    );
    let (real, imaginary) = (
        builder.divide(real, size)?,
        builder.divide(imaginary, size)?,
    );
    let imaginary = builder.negate(imaginary)?;
    builder.binary(BinaryOp::Complex, real, imaginary)
}

/// The derivative, of `y` at `x`; `None` for that of steps, which is 0.
fn factor(b: &mut Builder, op: UnaryOp, x: ValueId, y: ValueId) -> Result<Option<ValueId>> {
    Ok(Some(match op {
        UnaryOp::Abs => sign(b, x)?,
        UnaryOp::Sqrt => {
            let half = b.splat_like(0.5, y)?;
            b.divide(half, y)?
        }
        UnaryOp::Cbrt => {
            let square = b.multiply(y, y)?;
            let thrice = b.times(square, 3.0)?;
            b.reciprocal(thrice)?
        }
        UnaryOp::Exp => y,
        UnaryOp::Exp2 => b.times(y, LN_2)?,
        UnaryOp::ExpM1 => b.plus(y, 1.0)?,
        UnaryOp::Ln => b.reciprocal(x)?,
        UnaryOp::Ln1p => {
            let sum = b.plus(x, 1.0)?;
            b.reciprocal(sum)?
        }
        UnaryOp::Log2 => by(b, x, LN_2)?,
        UnaryOp::Log10 => by(b, x, LN_10)?,
        UnaryOp::Sin => b.unary(UnaryOp::Cos, x)?,
        UnaryOp::Cos => {
            let sine = b.unary(UnaryOp::Sin, x)?;
            b.negate(sine)?
        }
        UnaryOp::Sinh => b.unary(UnaryOp::Cosh, x)?,
        UnaryOp::Cosh => b.unary(UnaryOp::Sinh, x)?,
        UnaryOp::Tanh => both_sides(b, y)?,
        UnaryOp::Asinh => {
            let square = b.multiply(x, x)?;
            let sum = b.plus(square, 1.0)?;
            root_reciprocal(b, sum)?
        }
        UnaryOp::Acosh => {
            let (below, above) = (b.plus(x, -1.0)?, b.plus(x, 1.0)?);
            let product = b.multiply(below, above)?;
            root_reciprocal(b, product)?
        }
        UnaryOp::Atanh => {
            let product = both_sides(b, x)?;
            b.reciprocal(product)?
        }
        UnaryOp::Sigmoid => {
            let one = b.splat_like(1.0, y)?;
            let other = b.subtract(one, y)?;
            b.multiply(y, other)?
        }
        UnaryOp::Erf => bell(b, x, -1.0, TWO_BY_ROOT_PI)?,
        UnaryOp::Erfc => bell(b, x, -1.0, -TWO_BY_ROOT_PI)?,
        UnaryOp::ErfInv => bell(b, y, 1.0, 1.0 / TWO_BY_ROOT_PI)?,
        UnaryOp::Lgamma => b.unary(UnaryOp::Digamma, x)?,
        UnaryOp::Digamma => b.unary(UnaryOp::Trigamma, x)?,
        UnaryOp::Trigamma => tetragamma(b, x)?,
        // Steps and bits, and what counts as constant.
        UnaryOp::Floor
        | UnaryOp::RoundTiesEven
        | UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::StopGradient => return Ok(None),
        // Linear.
        UnaryOp::Negate | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Barrier => return Ok(None),
    }))
}

/// 1, -1, or 0 at 0.
fn sign(b: &mut Builder, x: ValueId) -> Result<ValueId> {
    let dtype = b.ty(x)?.dtype;
    let (above, below) = (
        b.is(x, CompareOp::Greater, 0.0)?,
        b.is(x, CompareOp::Less, 0.0)?,
    );
    let (above, below) = (b.convert(above, dtype)?, b.convert(below, dtype)?);
    b.subtract(above, below)
}

/// One by `x` times a number.
fn by(b: &mut Builder, x: ValueId, number: f64) -> Result<ValueId> {
    let product = b.times(x, number)?;
    b.reciprocal(product)
}

/// (1 - x) (1 + x).
fn both_sides(b: &mut Builder, x: ValueId) -> Result<ValueId> {
    let one = b.splat_like(1.0, x)?;
    let (below, above) = (b.subtract(one, x)?, b.add(one, x)?);
    b.multiply(below, above)
}

fn root_reciprocal(b: &mut Builder, x: ValueId) -> Result<ValueId> {
    let root = b.unary(UnaryOp::Sqrt, x)?;
    b.reciprocal(root)
}

/// A number times *e* to the power of ±x².
fn bell(b: &mut Builder, x: ValueId, sign: f64, number: f64) -> Result<ValueId> {
    let square = b.multiply(x, x)?;
    let exponent = b.times(square, sign)?;
    let power = b.unary(UnaryOp::Exp, exponent)?;
    b.times(power, number)
}

/// How far [`tetragamma`] moves a number up, where the series is precise.
const SHIFT: usize = 10;

/// The Bernoulli numbers 2, 4, … of the asymptotic series of polygamma functions, Abramowitz and Stegun 6.4.11.
const BERNOULLI: [f64; 7] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
];

/// The derivative of the trigamma function. Numbers below ½ are reflected: ψ₂(x) = ψ₂(1 - x) - 2π³ cos(πx) / sin³(πx).
fn tetragamma(b: &mut Builder, x: ValueId) -> Result<ValueId> {
    let is_small = b.is(x, CompareOp::Less, 0.5)?;
    let one = b.splat_like(1.0, x)?;
    let reflected = b.subtract(one, x)?;
    let from = b.select(is_small, reflected, x)?;
    let value = tetragamma_above(b, from)?;
    // The quotient has a period of 1, and the angle of what is left of the nearest integer is precise.
    let nearest = b.unary(UnaryOp::RoundTiesEven, x)?;
    let rest = b.subtract(x, nearest)?;
    let angle = b.times(rest, PI)?;
    let (sine, cosine) = (b.unary(UnaryOp::Sin, angle)?, b.unary(UnaryOp::Cos, angle)?);
    // Where it is not used, it must not be infinite.
    let sine = b.select(is_small, sine, one)?;
    let pi = b.splat_like(PI, x)?;
    let ratio = b.divide(pi, sine)?;
    let square = b.multiply(ratio, ratio)?;
    let cube = b.multiply(square, ratio)?;
    let turned = b.multiply(cube, cosine)?;
    let turned = b.times(turned, -2.0)?;
    let small = b.add(value, turned)?;
    b.select(is_small, small, value)
}

/// The same for numbers from ½: ψ₂(x) = ψ₂(x + 1) - 2/x³, until the asymptotic series is precise.
fn tetragamma_above(b: &mut Builder, x: ValueId) -> Result<ValueId> {
    let z = b.plus(x, SHIFT as f64)?;
    let inverse = b.reciprocal(z)?;
    let square = b.multiply(inverse, inverse)?;
    let mut series = b.splat_like(0.0, x)?;
    for (index, number) in BERNOULLI.into_iter().enumerate().rev() {
        let scaled = b.multiply(series, square)?;
        series = b.plus(scaled, -number * (2 * index + 3) as f64)?;
    }
    // -1/z² - 1/z³, then the series from 1/z⁴.
    let series = b.multiply(series, square)?;
    let leading = b.plus(inverse, 1.0)?;
    let series = b.subtract(series, leading)?;
    let mut sum = b.multiply(series, square)?;
    for step in (0..SHIFT).rev() {
        let moved = b.plus(x, step as f64)?;
        let inverse = b.reciprocal(moved)?;
        let square = b.multiply(inverse, inverse)?;
        let cube = b.multiply(square, inverse)?;
        let part = b.times(cube, -2.0)?;
        sum = b.add(sum, part)?;
    }
    Ok(sum)
}
