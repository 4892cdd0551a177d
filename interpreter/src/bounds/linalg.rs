//! Matrices that are computed with are off by little, backwards: what is found is exact for matrices that differ by what
//! rounding adds to each number. How far the results are off follows to first order, from the derivative, and is doubled for
//! the rest; nothing is said where that is not small.
//!
//! N. J. Higham, "Accuracy and stability of numerical algorithms", 2002, theorems 8.5, 9.4 and 10.3.

use super::{Bound, Step, known, list, magnitudes, precision, sums::growth, within};
use crate::{
    Array, Cause, Tensor,
    op::{
        convert::convert,
        linalg::{batch, eliminated, turned},
    },
    tensor::from_elements,
};
use iree_abi::DType;
use iree_dsl_ir::op::{Matrices, Op, Solve};
use ndarray::{Array2, ArrayView1, Axis};
use num_complex::Complex64;

/// The part of a matrix by which it may be off, as far as its inverse tells, for the first order to say how far results are off.
const SMALL: f64 = 0.1;

/// |ΔL| ≤ |L| tril(|L⁻¹| |ΔA| |L⁻¹|ᵀ), with |ΔA| ≤ γ |L| |L|ᵀ for what is rounded.
pub(super) fn factor(step: &Step<'_>) -> Result<Bound, Cause> {
    let lower = Solve::of(Matrices::Lower, false);
    let inverses = step.evaluate(&Op::Solve(lower), &[step.result.clone(), identity(step)?])?;
    let (factors, inverses) = (
        batch(&magnitudes(step.result)?)?,
        batch(&magnitudes(&inverses)?)?,
    );
    let near = batch(&step.read(0)?)?;
    let known = factors.into_iter().zip(inverses).zip(near);
    each(
        step,
        known.map(|((factor, inverse), near)| {
            let rounded = rounding(step, 2 * (factor.nrows() + 4)) * factor.dot(&factor.t());
            let lower = part(&near, Matrices::Lower);
            let off = rounded + &lower + lower.t();
            let moved = inverse.dot(&off).dot(&inverse.t());
            (is_small(&moved), factor.dot(&part(&moved, Matrices::Lower)))
        }),
    )
}

/// |ΔX| ≤ |A⁻¹| (|ΔA| |X| + |ΔB|), with |ΔA| ≤ γ |A| for what is rounded with triangles, and for others so many times the
/// largest numbers of the eliminated triangle's columns as there are rows.
pub(super) fn solution(op: Solve, step: &Step<'_>) -> Result<Bound, Cause> {
    let a = step.operand(0)?;
    let inverses = step.evaluate(&Op::Solve(op), &[a.clone(), identity(step)?])?;
    let inverses = batch(&magnitudes(&inverses)?)?;
    let read = |array: &Array<f64>| -> Result<Vec<_>, Cause> {
        let read = batch(array)?.into_iter();
        Ok(read.map(|a| turned(part(&a, op.matrices), op)).collect())
    };
    let mut sizes = match op.matrices {
        Matrices::General => growths(a, op)?,
        Matrices::Lower | Matrices::Upper | Matrices::UnitLower | Matrices::UnitUpper => {
            read(&magnitudes(a)?)?
        }
    };
    if op.matrices.is_unit() {
        // What is left of a row is rounded, though nothing divides it.
        sizes
            .iter_mut()
            .for_each(|sizes| sizes.diag_mut().fill(1.0));
    }
    let operations = match op.matrices {
        Matrices::General => 3,
        Matrices::Lower | Matrices::Upper | Matrices::UnitLower | Matrices::UnitUpper => 2,
    };
    let (near, near_right) = (read(&step.read(0)?)?, batch(&step.read(1)?)?);
    let solutions = batch(&magnitudes(step.result)?)?;
    let known = inverses
        .into_iter()
        .zip(sizes)
        .zip(near)
        .zip(near_right)
        .zip(solutions);
    each(
        step,
        known.map(|((((inverse, sizes), near), near_right), solution)| {
            let off = rounding(step, operations * (sizes.nrows() + 4)) * sizes + near;
            let moved = inverse.dot(&off);
            (
                is_small(&moved),
                moved.dot(&solution) + inverse.dot(&near_right),
            )
        }),
    )
}

/// The bounds from how far results are off to first order, and whether that says it.
fn each(
    step: &Step<'_>,
    results: impl Iterator<Item = (bool, Array2<f64>)>,
) -> Result<Bound, Cause> {
    let dtype = step.result.dtype();
    let off = results.flat_map(|(is_known, off)| {
        let of = move |off: f64| if is_known { 2.0 * off } else { f64::INFINITY };
        off.into_iter().map(of)
    });
    let sizes = list(&magnitudes(step.result)?);
    let bounds = off
        .zip(sizes)
        .map(|(off, size)| known(off + precision::arithmetic(dtype, size)));
    within(step.result.shape(), bounds.collect())
}

/// What rounding adds for each unit of the numbers of a matrix, after so many operations.
fn rounding(step: &Step<'_>, operations: usize) -> f64 {
    let dtype = step.result.dtype();
    let parts = if dtype.is_complex() { 4 } else { 1 };
    growth(dtype, operations.saturating_mul(parts))
}

/// The identity for each matrix of the first operand.
fn identity(step: &Step<'_>) -> Result<Tensor, Cause> {
    let a = step.operand(0)?;
    let size = a.shape().last().copied().unwrap_or_default();
    let places = 0..a.len();
    let one = |place: usize| match size * size {
        0 => 0.0,
        whole => f64::from(u8::from(place % whole / size == place % size)),
    };
    let numbers = from_elements(a.shape(), places.map(one).collect())?;
    convert(&numbers, a.dtype())
}

fn is_small(matrix: &Array2<f64>) -> bool {
    let mut sums = matrix.sum_axis(Axis(1)).into_iter();
    sums.all(|sum| sum < SMALL)
}

/// What of a matrix counts and is not known to be 1.
fn part(matrix: &Array2<f64>, matrices: Matrices) -> Array2<f64> {
    let mut part = matrix.clone();
    for ((row, column), number) in part.indexed_iter_mut() {
        let counts = match matrices {
            Matrices::General => true,
            Matrices::Lower => row >= column,
            Matrices::Upper => row <= column,
            Matrices::UnitLower => row > column,
            Matrices::UnitUpper => row < column,
        };
        if !counts {
            *number = 0.0;
        }
    }
    part
}

/// For each number of matrices, or of their transposes, what it counts as where they are eliminated.
fn growths(a: &Tensor, op: Solve) -> Result<Vec<Array2<f64>>, Cause> {
    let wide = convert(a, DType::C128)?;
    let wide = wide.array::<Complex64>().ok_or(Cause::DType(a.dtype()))?;
    let growth = |a: Array2<Complex64>| {
        let a = turned(a, op);
        let (rows, size) = (a.nrows(), a.raw_dim());
        let (upper, _) = eliminated(a, Array2::zeros((rows, 0)));
        let largest = |column: ArrayView1<'_, Complex64>| {
            column
                .iter()
                .fold(0.0_f64, |largest, number| largest.max(number.norm()))
        };
        let columns: Vec<_> = upper.columns().into_iter().map(largest).collect();
        let rows = rows as f64;
        Array2::from_shape_fn(size, |(_, column)| {
            rows * columns.get(column).copied().unwrap_or_default()
        })
    };
    Ok(batch(wide)?.into_iter().map(growth).collect())
}
