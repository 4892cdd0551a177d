//! Cholesky factors, and solutions of linear systems.

use super::{Operands, array};
use crate::{
    Array, Cause, Tensor,
    arithmetic::Number,
    tensor::{from_elements, of_types},
};
use iree_dsl_ir::op::{Matrices, Solve};
use ndarray::{Array2, ArrayView2, s};
use num_complex::ComplexFloat;

/// Numbers that matrices are computed with.
pub(crate) trait Scalar: ComplexFloat<Real = f64> + From<f64> + Default {}

impl<W: ComplexFloat<Real = f64> + From<f64> + Default> Scalar for W {}

pub(super) fn cholesky(operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [a] = operands.exactly()?;
    of_types!([F16 BF16 F32 F64 C64 C128] a, a => each_factor(a))
}

pub(super) fn solve(op: Solve, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [a, b] = operands.exactly()?;
    of_types!([F16 BF16 F32 F64 C64 C128] a, a => each_solution(op, a, array(b)?))
}

fn each_factor<T: Number<Wide: Scalar>>(a: &Array<T>) -> Result<Tensor, Cause> {
    let factors = batch(a)?.into_iter().map(|a| factor(&a.view()));
    together::<T>(a.shape(), factors)
}

fn each_solution<T: Number<Wide: Scalar>>(
    op: Solve,
    a: &Array<T>,
    b: &Array<T>,
) -> Result<Tensor, Cause> {
    let systems = batch(a)?.into_iter().zip(batch(b)?);
    let solutions = systems.map(|(a, b)| solution(op, a, b));
    together::<T>(b.shape(), solutions)
}

/// The matrices in the last two axes.
pub(crate) fn batch<T: Number>(array: &Array<T>) -> Result<Vec<Array2<T::Wide>>, Cause> {
    let lost = || Cause::Lost("an axis of a matrix");
    let [batch @ .., rows, columns] = array.shape() else {
        return Err(lost());
    };
    let numbers: Vec<_> = array.iter().map(|number| number.widen()).collect();
    let size = rows * columns;
    let matrix = |index| {
        let numbers = numbers
            .get(index * size..)
            .and_then(|rest| rest.get(..size));
        let numbers = numbers.ok_or_else(lost)?.to_vec();
        Array2::from_shape_vec((*rows, *columns), numbers).map_err(|_| lost())
    };
    (0..batch.iter().product()).map(matrix).collect()
}

fn together<T: Number>(
    shape: &[usize],
    matrices: impl Iterator<Item = Array2<T::Wide>>,
) -> Result<Tensor, Cause>
where
    T::Wide: Scalar,
{
    let numbers = matrices.flat_map(|matrix| matrix.into_iter().map(T::narrow));
    from_elements(shape, numbers.collect())
}

/// l(i, j) = (a(i, j) - Σ l(i, k) l*(j, k)) / l(j, j), with k below j, and the root of that on the diagonal.
fn factor<W: Scalar>(a: &ArrayView2<'_, W>) -> Array2<W> {
    let size = a.nrows();
    let mut factor = Array2::<W>::default((size, size));
    for column in 0..size {
        let before = factor.slice(s![.., ..column]).to_owned();
        let own = before.row(column).to_owned();
        let rest = |row: usize| {
            let mut rest = at(a, row, column);
            for (one, other) in before.row(row).iter().zip(&own) {
                rest = rest - *one * other.conj();
            }
            rest
        };
        let root = <W as From<f64>>::from(rest(column).re().sqrt());
        let below: Vec<_> = (column + 1..size).map(|row| rest(row) / root).collect();
        let numbers = std::iter::once(root).chain(below);
        for (place, number) in factor
            .slice_mut(s![column.., column])
            .iter_mut()
            .zip(numbers)
        {
            *place = number;
        }
    }
    factor
}

fn solution<W: Scalar>(op: Solve, a: Array2<W>, b: Array2<W>) -> Array2<W> {
    let a = turned(a, op);
    let (a, b, is_lower) = match op.matrices {
        Matrices::General => {
            let (a, b) = eliminated(a, b);
            (a, b, false)
        }
        Matrices::Lower | Matrices::Upper | Matrices::UnitLower | Matrices::UnitUpper => {
            (a, b, op.matrices.is_lower() != op.transposed)
        }
    };
    let rows = 0..a.nrows();
    let order: Vec<_> = match is_lower {
        true => rows.collect(),
        false => rows.rev().collect(),
    };
    let mut x = b;
    for (count, row) in order.iter().enumerate() {
        for solved in order.iter().take(count) {
            let (factor, solved) = (at(&a.view(), *row, *solved), x.row(*solved).to_owned());
            let products = solved.mapv(|number| factor * number);
            x.row_mut(*row)
                .zip_mut_with(&products, |rest, product| *rest = *rest - *product);
        }
        if !op.matrices.is_unit() {
            let divisor = at(&a.view(), *row, *row);
            x.row_mut(*row).mapv_inplace(|rest| rest / divisor);
        }
    }
    x
}

/// Matrices, or their transposes where these are meant.
pub(crate) fn turned<W>(a: Array2<W>, op: Solve) -> Array2<W> {
    match op.transposed {
        true => a.reversed_axes(),
        false => a,
    }
}

/// Gaussian elimination with the largest number of each column as its pivot: an upper triangle and the right side that has the
/// same solutions.
pub(crate) fn eliminated<W: Scalar>(mut a: Array2<W>, mut b: Array2<W>) -> (Array2<W>, Array2<W>) {
    for column in 0..a.nrows() {
        let sizes = a.slice(s![column.., column]).mapv(|number| number.abs());
        let largest = sizes.iter().enumerate().rev();
        let largest = largest.max_by(|(_, one), (_, other)| one.total_cmp(other));
        let pivot = column + largest.map_or(0, |(row, _)| row);
        for m in [&mut a, &mut b] {
            for place in 0..m.ncols() {
                m.swap((column, place), (pivot, place));
            }
        }
        let divisor = at(&a.view(), column, column);
        if divisor == W::default() {
            continue;
        }
        for row in column + 1..a.nrows() {
            let factor = at(&a.view(), row, column) / divisor;
            for m in [&mut a, &mut b] {
                let products = m.row(column).mapv(|number| factor * number);
                m.row_mut(row)
                    .zip_mut_with(&products, |rest, product| *rest = *rest - *product);
            }
        }
    }
    (a, b)
}

fn at<W: Scalar>(a: &ArrayView2<'_, W>, row: usize, column: usize) -> W {
    a.get((row, column)).copied().unwrap_or_default()
}
