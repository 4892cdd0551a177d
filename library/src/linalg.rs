//! Linear algebra of matrices in the last two axes, whatever the axes before them are.
//!
//! Everything is computed in batches, with one axis before rows and columns, and numbers of 16 bits as `f32`.

use crate::{
    builder::Error,
    complex,
    diagonal::{diagonal, eye},
    repeat::{Place, along},
    term::{Term, widened},
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{ArgReduce, CompareOp, ExtremumKind, InferError, Iota, Matrices, Op, ReduceKind, Solve},
};

/// Lower triangles whose products with their conjugate transposes are matrices.
pub fn cholesky<'x, V: Clone>(a: &Term<'x, V>) -> Term<'x, V> {
    a.emit(Op::Cholesky, &[])
}

/// The operation [`Cholesky`](Op::Cholesky) in others: one column of the factor after the other, whose products are taken from
/// the rest.
pub fn expand_cholesky<'x, V: Clone>(a: &Term<'x, V>) -> Term<'x, V> {
    let rest = batch(a);
    let shape = rest.shape();
    let rows = rows(&rest);
    let step = |place: &Place<'x, V>, [rest, factor]: [Term<'x, V>; 2]| {
        let column = real_diagonal(&place.of(&rest, 2), place, &rows);
        let root = root(&place.of(&column, 1)).repeat(&column.shape(), vec![0]);
        let is_above = related(&rows, CompareOp::Less, place, &column);
        let column = is_above.choose(zeros_like(&column), &(column / root));
        let factor = place.replace(&factor, 2, &column);
        let products = outer(&shape, &column, &conjugate(&column));
        [rest - products, factor]
    };
    let first = [rest.clone(), zeros_like(&rest)];
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
    let op = Solve {
        matrices: Matrices::General,
        transposed: false,
    };
    a.emit(Op::Solve(op), &[&identity])
}

/// The determinants, which have not the last two axes.
pub fn determinant<'x, V: Clone>(a: &Term<'x, V>) -> Term<'x, V> {
    let product = eliminate(&batch(a)).map(|[upper, sign]| {
        let diagonal = diagonal(&upper);
        diagonal.reduce(ReduceKind::Product, &[1]) * sign
    });
    let shape = a.shape();
    let stacked = shape.rank().saturating_sub(2);
    let shape = Shape::new(shape.dims().iter().take(stacked).cloned().collect());
    match product {
        Ok(product) => restored(&product, &shape, a.dtype()),
        Err(error) => a.failed(error),
    }
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

/// Gaussian elimination with the largest element of each column as its pivot: rows in which what is before the diagonal was made
/// zeros, and -1 to the power of the number of exchanged rows. What is behind square matrices goes along.
fn eliminate<'x, V: Clone>(rows_of: &Term<'x, V>) -> Result<[Term<'x, V>; 2], Error> {
    let shape = rows_of.shape();
    let rows = rows(rows_of);
    let step = |place: &Place<'x, V>, [m, sign]: [Term<'x, V>; 2]| {
        let at = place.number(&rows);
        let column = place.of(&m, 2);
        let lines = column.shape();
        let compared = |relation| related(&rows, relation, place, &column);
        let size = compared(CompareOp::Less).choose(-1.0, &column.abs());
        let pivot = size.emit(Op::ArgReduce(LARGEST), &[]);
        let row = rows.repeat(&lines, vec![1]);
        let is_pivot = row.compare(CompareOp::Equal, pivot.repeat(&lines, vec![0]));
        let is_pivot = is_pivot.repeat(&shape, vec![0, 1]);
        let row = is_pivot.choose(&m, &zeros_like(&m));
        let row = row.reduce(ReduceKind::Sum, &[1]);
        let exchanged = is_pivot.choose(place.of(&m, 1).repeat(&shape, vec![0, 2]), &m);
        let m = place.replace(&exchanged, 1, &row);
        let divisor = place.of(&row, 1);
        let divisor = divisor.compare(CompareOp::Equal, 0.0).choose(1.0, &divisor);
        let column = place.of(&m, 2) / divisor.repeat(&lines, vec![0]);
        let factor = compared(CompareOp::Greater).choose(&column, &zeros_like(&column));
        let stays = pivot.compare(CompareOp::Equal, at.broadcast_like(&pivot));
        [
            m - outer(&shape, &factor, &row),
            stays.choose(&sign, &-&sign),
        ]
    };
    let stacked = shape.dims().first().cloned();
    let ty = TensorType::new(rows_of.dtype(), Shape::new(stacked.into_iter().collect()));
    let sign = rows_of.make_splat(Scalar::Float(1.0), &ty);
    along(
        rows_of.builder(),
        &size(&shape),
        [rows_of.clone(), sign],
        step,
    )
}

/// The largest along the second axis.
const LARGEST: ArgReduce = ArgReduce {
    kind: ExtremumKind::Maximum,
    axis: 1,
};

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
    let first = [b.clone(), zeros_like(b)];
    second_of(b, along(b.builder(), &size, first, step))
}

/// Matrices in the last two axes as a batch.
fn batch<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let shape = x.shape();
    match (stacked(&shape), shape.rank()) {
        (Some(stacked), _) => widened(&x.reshape(&stacked)),
        (None, rank @ ..2) => x.failed(InferError::Axis { axis: 1, rank }.into()),
        (None, _) => x.failed(InferError::UnknownShape(shape).into()),
    }
}

/// What was computed of a batch, in the shape and of the element type that were given.
fn restored<'x, V: Clone>(x: &Term<'x, V>, shape: &Shape, dtype: DType) -> Term<'x, V> {
    x.reshape(shape).convert(dtype)
}

/// The products of each element of a column with each of a row, in a batch.
fn outer<'x, V: Clone>(shape: &Shape, column: &Term<'x, V>, row: &Term<'x, V>) -> Term<'x, V> {
    column.repeat(shape, vec![0, 1]) * row.repeat(shape, vec![0, 2])
}

/// The number of each row of a batch.
fn rows<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    let ty = TensorType::new(DType::I32, Shape::new(vec![size(&x.shape())]));
    x.make(Op::Iota(Iota { ty, axis: 0 }))
}

/// The number of rows in a batch.
fn size(batch: &Shape) -> Dim {
    let size = batch.dims().get(1).cloned();
    size.unwrap_or(Dim::Static(0))
}

/// Which rows are in a relation to a place, for each column of a batch.
fn related<'x, V: Clone>(
    rows: &Term<'x, V>,
    relation: CompareOp,
    place: &Place<'x, V>,
    column: &Term<'x, V>,
) -> Term<'x, V> {
    let related = rows.compare(relation, place.number(rows).broadcast_like(rows));
    related.repeat(&column.shape(), vec![1])
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

fn zeros_like<'x, V: Clone>(x: &Term<'x, V>) -> Term<'x, V> {
    x.make_splat(Scalar::zero(x.dtype()), &x.tensor_type())
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

fn stacked(shape: &Shape) -> Option<Shape> {
    let dims = shape.dims();
    let (batch, matrix) = dims.split_at(dims.len().checked_sub(2)?);
    let count = Shape::new(batch.to_vec()).element_count();
    let count = count.unwrap_or_else(|| Extent::from(1));
    Some(Shape::new([&[Dim::from_extent(count)?], matrix].concat()))
}
