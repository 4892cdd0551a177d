//! Functions of two numbers.

use super::{Bound, Step, apart, at, list, magnitudes, numbers, precision};
use crate::Cause;
use iree_abi::DType;
use iree_dsl_ir::op::BinaryOp;

pub(super) fn bound(op: BinaryOp, step: &Step<'_>) -> Result<Bound, Cause> {
    let dtype = step.operand(0)?.dtype();
    if !precision::rounds(dtype) {
        return either_undecided(step);
    }
    match dtype.is_complex() {
        true => complex(op, step),
        false => real(op, step),
    }
}

/// Integers and truth values are known if both operands are.
fn either_undecided(step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let (a, b) = (list(&step.distances(0)?), list(&step.distances(1)?));
    step.each(|place| at(&a, place).max(at(&b, place)))
}

/// A number and how far it may be from that of another device.
#[derive(Clone, Copy)]
struct Near {
    number: f64,
    distance: f64,
}

impl Near {
    fn ends(self) -> [f64; 2] {
        match self.distance == 0.0 {
            true => [self.number; 2],
            false => [self.number - self.distance, self.number + self.distance],
        }
    }

    fn has_zero(self) -> bool {
        self.number.abs() <= self.distance
    }
}

fn real(op: BinaryOp, step: &Step<'_>) -> Result<Bound, Cause> {
    let dtype = step.result.dtype();
    let moves = matches!(
        op,
        BinaryOp::Maximum | BinaryOp::Minimum | BinaryOp::Complex
    );
    let distances = |index| match moves {
        true => step.distances(index),
        false => step.read(index),
    };
    let near = |index| -> Result<_, Cause> {
        Ok((
            list(&numbers(step.operand(index)?)?),
            list(&distances(index)?),
        ))
    };
    let (a, b) = (near(0)?, near(1)?);
    let y = list(&magnitudes(step.result)?);
    let near = |(numbers, distances): &(Vec<f64>, Vec<f64>), place| Near {
        number: at(numbers, place),
        distance: at(distances, place),
    };
    let signed = match dtype.is_complex() {
        true => Vec::new(),
        false => list(&numbers(step.result)?),
    };
    step.each(|place| {
        let (a, b, y) = (near(&a, place), near(&b, place), at(&y, place));
        if a.distance.max(b.distance) == f64::INFINITY {
            return f64::INFINITY;
        }
        match op {
            BinaryOp::Power | BinaryOp::Atan2 => by_corners(op, dtype, a, b, at(&signed, place)),
            _ => arithmetic(op, dtype, a, b, y),
        }
    })
}

/// What arithmetic does to distances; `size` is the absolute value of the result.
fn arithmetic(op: BinaryOp, dtype: DType, a: Near, b: Near, size: f64) -> f64 {
    let rounded = precision::arithmetic(dtype, size);
    let both = a.distance + b.distance;
    match op {
        BinaryOp::Add | BinaryOp::Subtract => both + rounded,
        BinaryOp::Multiply => {
            let of = |near: Near, other: Near| match other.distance == 0.0 {
                true => 0.0,
                false => near.number.abs() * other.distance,
            };
            of(a, b) + of(b, a) + a.distance * b.distance + rounded
        }
        BinaryOp::Divide if both == 0.0 => rounded,
        BinaryOp::Divide if b.has_zero() => f64::INFINITY,
        BinaryOp::Divide => {
            (a.distance + size * b.distance) / (b.number.abs() - b.distance) + rounded
        }
        BinaryOp::Remainder if both == 0.0 => rounded,
        BinaryOp::Remainder => {
            let quotient = (a.number / b.number).trunc();
            let is_known = a.ends().iter().all(|a| {
                let mut ends = b.ends().into_iter();
                ends.all(|b| (a / b).trunc() == quotient)
            });
            match is_known && !b.has_zero() {
                true => a.distance + quotient.abs() * b.distance + rounded,
                false => f64::INFINITY,
            }
        }
        BinaryOp::Maximum | BinaryOp::Minimum => a.distance.max(b.distance),
        BinaryOp::Complex => both,
        BinaryOp::Power
        | BinaryOp::Atan2
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => f64::INFINITY,
    }
}

/// Functions that go one way along each operand, so that the corners of where the operands are say all.
fn by_corners(op: BinaryOp, dtype: DType, a: Near, b: Near, y: f64) -> f64 {
    let rounded = precision::function(dtype, y);
    if a.distance == 0.0 && b.distance == 0.0 {
        return rounded;
    }
    let is_broken = match op {
        BinaryOp::Power => a.has_zero() && b.ends().iter().any(|b| *b < 0.0),
        // The first is the second coordinate. Left of zero the angle jumps.
        _ => a.has_zero() && b.number <= b.distance,
    };
    if is_broken {
        return f64::INFINITY;
    }
    let function = match op {
        BinaryOp::Power => libm::pow,
        _ => libm::atan2,
    };
    let corners = a
        .ends()
        .into_iter()
        .flat_map(|a| b.ends().map(|b| function(a, b)));
    let distances = corners.map(|corner| apart(corner, y));
    distances.fold(0.0, f64::max) + rounded
}

fn complex(op: BinaryOp, step: &Step<'_>) -> Result<Bound, Cause> {
    let dtype = step.result.dtype();
    let near = |index| -> Result<_, Cause> {
        Ok((
            list(&magnitudes(step.operand(index)?)?),
            list(&step.read(index)?),
        ))
    };
    let (a, b) = (near(0)?, near(1)?);
    let y = list(&magnitudes(step.result)?);
    let near = |(numbers, distances): &(Vec<f64>, Vec<f64>), place| Near {
        number: at(numbers, place),
        distance: at(distances, place),
    };
    step.each(|place| arithmetic(op, dtype, near(&a, place), near(&b, place), at(&y, place)))
}
