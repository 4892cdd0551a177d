//! How far the results of another device may be from those of the interpreter, computed along with them.
//!
//! A bound is a distance for each element. Operations that only move elements move their distances with them; functions
//! add their units in the last place to what becomes of the interval that their operand is in; sums add a part of the
//! magnitudes that grows with their length. What is decided by numbers that are nearer to each other than they are
//! known is *undecided*: its distance is infinite, and so is that of all that depends on it. Nothing is said of such
//! elements. A distance is never too small as far as operations are as precise as [`precision`] says.
//!
//! Distances are tensors of `f64`, so that what an operation does to them is computed by the operation itself.

mod binary;
mod compare;
mod convert;
mod extremum;
mod linalg;
mod movement;
mod order;
mod precision;
mod products;
mod select;
mod sums;
mod unary;

pub use compare::{Comparison, Mismatch};
pub(crate) use select::either;

use crate::{
    Array, Cause, Tensor,
    op::{self, Evaluated, Operands, convert::convert},
    tensor::from_elements,
};
use iree_abi::DType;
use iree_dsl_ir::op::{Op, ReduceKind, ScatterKind, WindowKind};
use ndarray::{ArcArray, IxDyn};

/// How far each element of a tensor may be from that of another device.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Bound {
    /// All are the same.
    #[default]
    Exact,
    /// As far as this. Infinitely far is what is undecided. Of complex numbers it is the distance in the plane.
    Within(Array<f64>),
}

impl Bound {
    /// That of a tensor with these sizes of which nothing is known.
    pub(crate) fn undecided(shape: &[usize]) -> Self {
        Self::Within(ArcArray::from_elem(IxDyn(shape), f64::INFINITY))
    }

    /// Whether all elements are the same, whatever is rounded.
    pub(crate) fn is_exact(&self) -> bool {
        match self {
            Self::Exact => true,
            Self::Within(distances) => distances.iter().all(|distance| *distance == 0.0),
        }
    }

    /// The distances in a tensor with these sizes.
    fn distances(&self, shape: &[usize]) -> Array<f64> {
        match self {
            Self::Exact => ArcArray::zeros(IxDyn(shape)),
            Self::Within(distances) => distances.clone(),
        }
    }
}

/// An operation whose operands and result are known.
pub(crate) struct Step<'a> {
    pub(crate) operands: &'a Operands<'a>,
    /// Those of the operands.
    pub(crate) bounds: &'a [Bound],
    pub(crate) result: &'a Tensor,
}

/// The bound of a result.
pub(crate) fn of(op: &Op, step: &Step<'_>) -> Result<Bound, Cause> {
    match op {
        Op::Constant(_) | Op::Iota(_) | Op::Size(_) => Ok(Bound::Exact),
        Op::Unary(op) => unary::bound(*op, step),
        Op::Binary(op) => binary::bound(*op, step),
        Op::Compare(_) => compare::bound(step),
        Op::Select => select::bound(step),
        Op::Convert(dtype) => convert::bound(*dtype, step),
        Op::Bitcast(_) => convert::bits(step),
        Op::Broadcast(_)
        | Op::Reshape(_)
        | Op::Transpose(_)
        | Op::Slice(_)
        | Op::Concatenate(_)
        | Op::Pad(_)
        | Op::Reverse(_) => movement::bound(op, step, step.bounds.len()),
        Op::Gather(gather) => movement::lookup(gather, step),
        Op::DynamicSlice(_) => movement::bound(op, step, 1),
        Op::DynamicUpdateSlice => movement::bound(op, step, 2),
        Op::DotGeneral(op) => sums::contraction(op, step),
        Op::Convolution(op) => sums::convolution(op, step),
        Op::Fourier(op) => sums::fourier(*op, step),
        Op::Cholesky => linalg::factor(step),
        Op::Solve(op) => linalg::solution(*op, step),
        Op::Reduce(reduce) => match reduce.kind {
            ReduceKind::Sum => sums::reduction(op, step, step.ratio()),
            ReduceKind::Product => products::reduction(op, step, step.ratio()),
            ReduceKind::Maximum | ReduceKind::Minimum | ReduceKind::All | ReduceKind::Any => {
                extremum::reduction(reduce, step)
            }
        },
        Op::ReduceWindow(window) => match window.kind {
            WindowKind::Sum => sums::reduction(op, step, window.sizes.iter().product()),
            WindowKind::Maximum | WindowKind::Minimum => extremum::window(window, step),
        },
        Op::Cumulate(cumulate) => match cumulate.kind {
            ReduceKind::Sum => sums::reduction(op, step, step.length(cumulate.axis)),
            ReduceKind::Product => products::reduction(op, step, step.length(cumulate.axis)),
            ReduceKind::Maximum | ReduceKind::Minimum | ReduceKind::All | ReduceKind::Any => {
                extremum::cumulation(cumulate, step)
            }
        },
        Op::Scatter(scatter) => match scatter.kind {
            ScatterKind::Replace => movement::bound(op, step, 2),
            ScatterKind::Add => sums::scatter(op, step),
            ScatterKind::Multiply => products::scatter(op, step),
            ScatterKind::Maximum | ScatterKind::Minimum => extremum::scatter(scatter, step),
        },
        Op::ArgReduce(op) => extremum::place(op, step),
        Op::ArgSort(op) => order::places(op, step),
        Op::If
        | Op::While
        | Op::Call(_)
        | Op::Mlir(_)
        | Op::GlobalLoad(_)
        | Op::GlobalStore(_)
        | Op::Import(_)
        | Op::Trace(_)
        | Op::Assert(_) => Err(Cause::Lost("the bound of what runs other operations")),
    }
}

impl Step<'_> {
    fn operand(&self, index: usize) -> Result<&Tensor, Cause> {
        let operand = self.operands.operands.get(index);
        operand.ok_or(Cause::Lost("an operand"))
    }

    /// The distances of an operand.
    fn distances(&self, index: usize) -> Result<Array<f64>, Cause> {
        let bound = self.bounds.get(index).ok_or(Cause::Lost("a bound"))?;
        Ok(bound.distances(self.operand(index)?.shape()))
    }

    /// The distances of an operand that is computed with. What is too small for the full precision of its type may count
    /// as zero.
    fn read(&self, index: usize) -> Result<Array<f64>, Cause> {
        let operand = self.operand(index)?;
        let least = precision::least(operand.dtype());
        let mut distances = self.distances(index)?;
        if least > 0.0 {
            let sizes = magnitudes(operand)?;
            distances.zip_mut_with(&sizes, |distance, size| {
                if *size < least {
                    *distance += size;
                }
            });
        }
        Ok(distances)
    }

    fn is_exact(&self) -> bool {
        self.bounds.iter().all(Bound::is_exact)
    }

    /// How many elements of the first operand become one of the result.
    fn ratio(&self) -> usize {
        let operand = self.operands.operands.first().map_or(0, Tensor::len);
        operand.checked_div(self.result.len()).unwrap_or(0)
    }

    /// How long an axis of the first operand is.
    fn length(&self, axis: usize) -> usize {
        let shape = self.operands.operands.first().map(Tensor::shape);
        let size = shape.and_then(|shape| shape.get(axis));
        size.copied().unwrap_or(0)
    }

    /// The result of another operation for other operands of the same sizes.
    fn evaluate(&self, op: &Op, operands: &[Tensor]) -> Result<Tensor, Cause> {
        let operands = Operands {
            operands,
            types: self.operands.types,
            shapes: self.operands.shapes,
            sizes: self.operands.sizes,
        };
        match op::evaluate(op, &operands)? {
            Evaluated::Result(result) => Ok(result),
            Evaluated::Inner(_) | Evaluated::Effect(_) => Err(Cause::Lost("a result")),
        }
    }

    /// The same, of numbers that are distances.
    fn evaluate_distances(&self, op: &Op, operands: &[Tensor]) -> Result<Array<f64>, Cause> {
        let result = self.evaluate(op, operands)?;
        Ok(numbers(&result)?.mapv_into(known).into_shared())
    }

    /// The bound with a distance for each element of the result, from those at the same place of the operands.
    fn each(&self, distance: impl Fn(usize) -> f64) -> Result<Bound, Cause> {
        let distances = (0..self.result.len()).map(|place| known(distance(place)));
        within(self.result.shape(), distances.collect())
    }
}

/// Distances that cannot be computed are not known.
fn known(distance: f64) -> f64 {
    match distance.is_nan() {
        true => f64::INFINITY,
        false => distance,
    }
}

/// The bound with these distances, last axis fastest.
fn within(shape: &[usize], distances: Vec<f64>) -> Result<Bound, Cause> {
    match from_elements(shape, distances)? {
        Tensor::F64(distances) => Ok(Bound::Within(distances)),
        other => Err(Cause::DType(other.dtype())),
    }
}

/// The numbers of a tensor that are not complex.
fn numbers(tensor: &Tensor) -> Result<Array<f64>, Cause> {
    let wide = convert(tensor, DType::F64)?;
    let numbers = wide.array::<f64>();
    numbers.cloned().ok_or(Cause::DType(tensor.dtype()))
}

/// The absolute values of a tensor's numbers.
fn magnitudes(tensor: &Tensor) -> Result<Array<f64>, Cause> {
    if tensor.dtype().is_complex() {
        let wide = convert(tensor, DType::C128)?;
        let numbers = wide.array::<num_complex::Complex64>();
        let numbers = numbers.ok_or(Cause::DType(tensor.dtype()))?;
        return Ok(numbers.map(|number| number.norm()).into_shared());
    }
    Ok(numbers(tensor)?.mapv_into(f64::abs).into_shared())
}

/// The elements of an array, last axis fastest.
fn list(array: &Array<f64>) -> Vec<f64> {
    array.iter().copied().collect()
}

/// The element at a place of a list, of which nothing is known where there is none.
fn at(list: &[f64], place: usize) -> f64 {
    list.get(place).copied().unwrap_or(f64::NAN)
}

/// How far two numbers are from each other.
fn apart(one: f64, other: f64) -> f64 {
    match one == other || one.is_nan() && other.is_nan() {
        true => 0.0,
        false => known((one - other).abs()),
    }
}

#[cfg(test)]
mod tests;
