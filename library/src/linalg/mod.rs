//! Linear algebra of matrices in the last two axes, whatever the axes before them are.
//!
//! Everything is computed in batches, with one axis before rows and columns, and numbers of 16 bits as `f32`.

mod batch;
mod determinant;
mod elimination;

pub use determinant::determinant;

use crate::{
    builder::Error,
    complex,
    diagonal::eye,
    linalg::{
        batch::{batch, numbers, outer, related, restored, size},
        elimination::eliminate,
    },
    repeat::{Place, along},
    term::Term,
};
use iree_abi::{Dim, Extent, Shape};
use iree_dsl_ir::op::{CompareOp, Matrices, Op, Solve};

/// Lower triangles whose products with their conjugate transposes are matrices.
pub fn cholesky<'x, V: Clone>(a: &Term<'x, V>) -> Term<'x, V> {
    a.emit(Op::Cholesky, &[])
}

/// The operation [`Cholesky`](Op::Cholesky) in others: one column of the factor after the other, whose products are taken from
/// the rest.
pub fn expand_cholesky<'x, V: Clone>(a: &Term<'x, V>) -> Term<'x, V> {
    let rest = batch(a);
    let shape = rest.shape();
    let rows = numbers(&rest, &size(&shape));
    let step = |place: &Place<'x, V>, [rest, factor]: [Term<'x, V>; 2]| {
        let column = real_diagonal(&place.of(&rest, 2), place, &rows);
        let root = root(&place.of(&column, 1)).repeat(&column.shape(), vec![0]);
        let is_above = related(&rows, CompareOp::Less, place, &column);
        let column = is_above.choose(column.like(0.0), &(column / root));
        let factor = place.replace(&factor, 2, &column);
        let products = outer(&shape, &column, &conjugate(&column));
        [rest - products, factor]
    };
    let first = [rest.clone(), rest.like(0.0)];
    let last = along(rest.builder(), &size(&shape), first, step);
    restored(&second_of(&rest, last), &a.shape(), a.dtype())
}

/// The operation [`Solve`](Op::Solve) in others.
pub fn expand_solve<'x, V: Clone>(op: Solve, a: &Term<'x, V>, b: &Term<'x, V>) -> Term<'x, V> {
    let (matrices, right) = (batch(a), batch(b));
    let matrices = match op.transposed {
        true => matrices.transposed(vec![0, 2, 1]),
        false => matrices,
    };
    let kind = op.matrices;
    let x = match kind {
        Matrices::General => solve_any(&matrices, &right),
        Matrices::Lower | Matrices::Upper | Matrices::UnitLower | Matrices::UnitUpper => {
            let is_lower = kind.is_lower() != op.transposed;
            substitute(&matrices, &right, is_lower, kind.is_unit())
        }
    };
    restored(&x, &b.shape(), b.dtype())
}

/// Solutions of systems, of which one with a matrix alone may have a vector on the right side.
pub fn solution<'x, V: Clone>(op: Solve, a: &Term<'x, V>, b: &Term<'x, V>) -> Term<'x, V> {
    let shape = b.shape();
    let column = match shape.dims() {
        [rows] => b.reshape(&Shape::new(vec![rows.clone(), Dim::Static(1)])),
        _ => b.clone(),
    };
    a.emit(Op::Solve(op), &[&column]).reshape(&shape)
}

/// What times matrices is the identity.
pub fn inverse<'x, V: Clone>(a: &Term<'x, V>) -> Term<'x, V> {
    let identity = eye(a.builder(), &a.tensor_type());
    let op = Solve::of(Matrices::General, false);
    a.emit(Op::Solve(op), &[&identity])
}

/// Solves systems of any matrices, which elimination makes upper triangles.
fn solve_any<'x, V: Clone>(matrices: &Term<'x, V>, right: &Term<'x, V>) -> Term<'x, V> {
    let whole = matrices.emit(Op::Concatenate(2), &[right]);
    let ends = size(&matrices.shape()).extent().and_then(|size| {
        let columns = right.shape().dims().get(2).and_then(Dim::extent)?;
        Some((size.clone(), size.plus(&columns)?))
    });
    let eliminated = eliminate(&whole).and_then(|[upper, _]| {
        let (size, end) = ends.ok_or(Error::Lost("a size"))?;
        Ok((
            upper.part(2, Extent::from(0), size.clone()),
            upper.part(2, size, end),
        ))
    });
    match eliminated {
        Ok((upper, right)) => substitute(&upper, &right, false, false),
        Err(error) => matrices.failed(error),
    }
}

/// Solves systems of triangles: one row of the solution after the other, whose products are taken from the rest. What is left of
/// rows that are solved is not read.
fn substitute<'x, V: Clone>(
    a: &Term<'x, V>,
    b: &Term<'x, V>,
    is_lower: bool,
    is_unit: bool,
) -> Term<'x, V> {
    let (shape, size) = (b.shape(), size(&a.shape()));
    let step = |place: &Place<'x, V>, [rest, x]: [Term<'x, V>; 2]| {
        let mirrored = place.mirrored(&size);
        let place = if is_lower { place } else { &mirrored };
        let (row, column) = (place.of(&rest, 1), place.of(a, 2));
        let row = match is_unit {
            true => row,
            false => &row / place.of(&column, 1).repeat(&row.shape(), vec![0]),
        };
        let x = place.replace(&x, 1, &row);
        [rest - outer(&shape, &column, &row), x]
    };
    let first = [b.clone(), b.like(0.0)];
    second_of(b, along(b.builder(), &size, first, step))
}

/// A column of which only the real part counts on the diagonal.
fn real_diagonal<'x, V: Clone>(
    column: &Term<'x, V>,
    place: &Place<'x, V>,
    rows: &Term<'x, V>,
) -> Term<'x, V> {
    if !column.dtype().is_complex() {
        return column.clone();
    }
    let is_on = related(rows, CompareOp::Equal, place, column);
    let real = column.real().with_imag(0.0);
    is_on.choose(real, column)
}

/// The root of what stands on a diagonal, which is real.
fn root<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    match x.dtype().is_complex() {
        true => x.real().sqrt().with_imag(0.0),
        false => x.sqrt(),
    }
}

fn conjugate<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    match x.dtype().is_complex() {
        true => complex::conj(x),
        false => x.clone(),
    }
}

/// The second of two terms, or why there is none.
fn second_of<'x, V: Clone>(
    beside: &Term<'x, V>,
    terms: Result<[Term<'x, V>; 2], Error>,
) -> Term<'x, V> {
    match terms {
        Ok([_, second]) => second,
        Err(error) => beside.failed(error),
    }
}
