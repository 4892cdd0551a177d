//! Sums and sums of products: *n* numbers are off by no more than *n* times half a unit in the last place of the sum of
//! their magnitudes, in whatever order they are added, and the result is rounded once.

use super::{Bound, Step, at, list, magnitudes, precision};
use crate::{Array, Cause, Tensor};
use iree_abi::DType;
use iree_dsl_ir::op::{Convolution, DotGeneral, Fourier, Op};

/// What the sum of `count` numbers adds for each unit of the sum of their magnitudes.
pub(super) fn growth(dtype: DType, count: usize) -> f64 {
    (count as f64 + 1.0) * precision::epsilon(precision::accumulator(dtype)) / 2.0
}

/// Sums along axes, in windows or one after the other, of so many numbers each at most.
pub(super) fn reduction(op: &Op, step: &Step<'_>, count: usize) -> Result<Bound, Cause> {
    let operand = step.operand(0)?;
    if !precision::rounds(operand.dtype()) {
        return if_exact(step, || of_distances(op, step));
    }
    let spread = of_distances(op, step)?;
    let sizes = Tensor::F64(magnitudes(operand)?);
    let sizes = step.evaluate_distances(op, &[sizes])?;
    // More numbers are added in parts, or as `f64`.
    let count = match precision::accumulator(operand.dtype()).real() {
        DType::F32 => count.min(precision::PART),
        _ => count,
    };
    total(step, &spread, &sizes, |_| growth(operand.dtype(), count))
}

fn of_distances(op: &Op, step: &Step<'_>) -> Result<Array<f64>, Cause> {
    step.evaluate_distances(op, &[Tensor::F64(step.read(0)?)])
}

/// The bound of integers, which depends on no size.
fn if_exact(
    step: &Step<'_>,
    distances: impl FnOnce() -> Result<Array<f64>, Cause>,
) -> Result<Bound, Cause> {
    match step.is_exact() {
        true => Ok(Bound::Exact),
        false => distances().map(Bound::Within),
    }
}

/// What the distances of the numbers, the growth of a sum and the last rounding are together.
fn total(
    step: &Step<'_>,
    spread: &Array<f64>,
    sizes: &Array<f64>,
    growth: impl Fn(usize) -> f64,
) -> Result<Bound, Cause> {
    let (spread, sizes) = (list(spread), list(sizes));
    let results = list(&magnitudes(step.result)?);
    let dtype = step.result.dtype();
    step.each(|place| {
        let (spread, size) = (at(&spread, place), at(&sizes, place));
        if spread == 0.0 && size.is_infinite() {
            // Of numbers that are exact, one is infinite, and so is the sum, or it is none.
            return 0.0;
        }
        // What is too small for the full precision of its type is lost at most once for each number.
        spread + growth(place) * (size + spread) + precision::arithmetic(dtype, at(&results, place))
    })
}

/// Sums at places that operands say.
pub(super) fn scatter(op: &Op, step: &Step<'_>) -> Result<Bound, Cause> {
    let (operand, places) = (step.operand(0)?, step.bounds.iter().skip(2));
    if !places.clone().all(Bound::is_exact) {
        return Ok(Bound::undecided(step.result.shape()));
    }
    let places = step.operands.operands.get(2..).unwrap_or_default();
    let of = |operand: Array<f64>, updates: Array<f64>| {
        let operands = [&[Tensor::F64(operand), Tensor::F64(updates)], places].concat();
        step.evaluate_distances(op, &operands)
    };
    let spread = of(step.read(0)?, step.read(1)?)?;
    if !precision::rounds(operand.dtype()) {
        return Ok(Bound::Within(spread));
    }
    let updates = step.operand(1)?;
    let sizes = of(magnitudes(operand)?, magnitudes(updates)?)?;
    let ones = |tensor: &Tensor, one| Array::from_elem(tensor.shape(), one);
    let counts = list(&of(ones(operand, 1.0), ones(updates, 1.0))?);
    let growth = |place| growth(operand.dtype(), at(&counts, place) as usize);
    total(step, &spread, &sizes, growth)
}

pub(super) fn contraction(op: &DotGeneral, step: &Step<'_>) -> Result<Bound, Cause> {
    let lhs = step.operand(0)?.shape();
    let along = op.contract.0.iter().filter_map(|axis| lhs.get(*axis));
    let count = along.product();
    let wide = DotGeneral {
        dtype: DType::F64,
        ..op.clone()
    };
    products(&Op::DotGeneral(wide), step, op.dtype, count)
}

pub(super) fn convolution(op: &Convolution, step: &Step<'_>) -> Result<Bound, Cause> {
    let kernel = step.operand(1)?;
    let outputs = op.kernel.first().and_then(|axis| kernel.shape().get(*axis));
    let count = outputs.and_then(|outputs| kernel.len().checked_div(*outputs));
    let dtype = step.result.dtype();
    products(
        &Op::Convolution(op.clone()),
        step,
        dtype,
        count.unwrap_or(0),
    )
}

/// Sums of so many products each, which are kept in a type.
fn products(op: &Op, step: &Step<'_>, dtype: DType, count: usize) -> Result<Bound, Cause> {
    let of = |lhs: &Array<f64>, rhs: &Array<f64>| {
        let operands = [Tensor::F64(lhs.clone()), Tensor::F64(rhs.clone())];
        step.evaluate_distances(op, &operands)
    };
    let (near_a, near_b) = (step.read(0)?, step.read(1)?);
    if !precision::rounds(step.result.dtype()) {
        let ones = |array: &Array<f64>| Array::from_elem(array.raw_dim(), 1.0);
        return if_exact(step, || {
            let (by_a, by_b) = (of(&near_a, &ones(&near_b))?, of(&ones(&near_a), &near_b)?);
            Ok((by_a + by_b).into_shared())
        });
    }
    let (a, b) = (magnitudes(step.operand(0)?)?, magnitudes(step.operand(1)?)?);
    let sizes = of(&a, &b)?;
    let mut spread = Array::zeros(sizes.raw_dim());
    let is_exact = |distances: &Array<f64>| distances.iter().all(|distance| *distance == 0.0);
    if !is_exact(&near_b) {
        spread = spread + of(&a, &near_b)?;
    }
    if !is_exact(&near_a) {
        let most = (&b + &near_b).into_shared();
        spread = spread + of(&near_a, &most)?;
    }
    // Each product is rounded too.
    total(step, &spread, &sizes, |_| {
        growth(dtype, count.saturating_add(1))
    })
}

/// Each result is a sum of all numbers of its line, turned.
pub(super) fn fourier(op: Fourier, step: &Step<'_>) -> Result<Bound, Cause> {
    let operand = step.operand(0)?;
    let length = operand.shape().last().copied().unwrap_or(1).max(1);
    let factor = match op {
        Fourier::Forward => 1.0,
        Fourier::Inverse => length as f64,
    };
    let lines = |numbers: Array<f64>| {
        let numbers = list(&numbers);
        let sums = numbers.chunks(length).map(|line| line.iter().sum::<f64>());
        sums.collect::<Vec<_>>()
    };
    let (spread, sizes) = (lines(step.read(0)?), lines(magnitudes(operand)?));
    // The factors are functions, and rounded as such.
    let growth = growth(
        operand.dtype(),
        4usize.saturating_mul(length).saturating_add(8),
    );
    step.each(|place| {
        let (spread, size) = (at(&spread, place / length), at(&sizes, place / length));
        (spread + growth * (size + spread)) / factor
    })
}
