//! Determinants of matrices in the last two axes, with slopes that hold for singular ones too.

use crate::{
    builder::Error,
    diagonal::{diagonal, eye},
    linalg::{
        batch::{batch, numbers, ones, related, restored, size},
        elimination::{LARGEST, cleared, exchanged, with_pivot},
    },
    repeat::{Place, along},
    sequence::number,
    term::Term,
};
use iree_abi::{DType, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{CompareOp, Op, Pad, ReduceKind},
};

/// The most rows of which each minor is written out.
const SMALL: usize = 3;

/// The determinants, which have not the last two axes.
pub fn determinant<'x, V: Clone>(a: &Term<'x, V>) -> Term<'x, V> {
    let matrices = batch(a);
    let determinant = match size(&matrices.shape()).known() {
        Some(known @ ..=SMALL) => expanded(&matrices, 0, &Vec::from_iter(0..known)),
        _ => eliminated(&matrices).unwrap_or_else(|error| a.failed(error)),
    };
    let shape = a.shape();
    let stacked = shape.rank().saturating_sub(2);
    let shape = Shape::new(shape.dims().iter().take(stacked).cloned().collect());
    restored(&determinant, &shape, a.dtype())
}

/// The determinants of the rows from one on and some columns, by the minors of that row.
fn expanded<'x, V: Clone>(m: &Term<'x, V>, row: usize, columns: &[usize]) -> Term<'x, V> {
    let element = |column: usize| Place::Known(column).of(&Place::Known(row).of(m, 1), 1);
    if let [only] = columns {
        return element(*only);
    }
    let products = columns.iter().enumerate().map(|(index, column)| {
        let others = columns.iter().copied().filter(|other| other != column);
        let minor = expanded(m, row + 1, &Vec::from_iter(others));
        let product = element(*column) * minor;
        if index % 2 == 0 { product } else { -product }
    });
    let sum = products.reduce(|sum, product| sum + product);
    sum.unwrap_or_else(|| ones(m))
}

/// The determinants by elimination with the largest element of all as the next pivot. Two rows of the identity are added, and the
/// last two rows that are left are written out. Thus where a pivot is zero, all that is left is, and first and second derivatives
/// are those of a polynomial, whatever the rank is.
fn eliminated<'x, V: Clone>(matrices: &Term<'x, V>) -> Result<Term<'x, V>, Error> {
    let lost = || Error::Lost("a size");
    let rows = size(&matrices.shape());
    let count = rows.extent().ok_or_else(lost)?;
    let m = bordered(matrices, &count);
    let all = size(&m.shape());
    let end = all.extent().ok_or_else(lost)?;
    let lines = numbers(&m, &all);
    let step = |place: &Place<'x, V>, state| {
        let state = with_column(place, &lines, state);
        cleared(place, &lines, with_pivot(place, &lines, state))
    };
    let [m, sign] = along(m.builder(), &rows, [m.clone(), ones(&m)], step)?;
    let last = m.part(1, count.clone(), end.clone());
    let last = expanded(&last.part(2, count.clone(), end), 0, &[0, 1]);
    let pivots = diagonal(&m).part(1, Extent::from(0), count);
    Ok(pivots.reduce(ReduceKind::Product, &[1]) * sign * last)
}

/// Matrices of as many rows with two rows and columns of the identity behind theirs.
fn bordered<'x, V: Clone>(matrices: &Term<'x, V>, count: &Extent) -> Term<'x, V> {
    let pad = Pad {
        low: vec![0; 3],
        high: vec![0, 2, 2],
        interior: vec![0; 3],
    };
    let scalar = TensorType::new(matrices.dtype(), Shape::new(Vec::new()));
    let zero = matrices.make_splat(Scalar::Float(0.0), &scalar);
    let padded = matrices.emit(Op::Pad(pad), &[&zero]);
    let lines = numbers(&padded, &size(&padded.shape()));
    let count = number(padded.builder(), count, DType::I32).broadcast_like(&lines);
    let is_given = lines
        .compare(CompareOp::Less, count)
        .repeat(&padded.shape(), vec![1]);
    is_given.choose(&padded, &eye(padded.builder(), &padded.tensor_type()))
}

/// Matrices with the column exchanged that has the largest number, among those from a place on and in rows from it on, and their
/// signs.
fn with_column<'x, V: Clone>(
    place: &Place<'x, V>,
    lines: &Term<'x, V>,
    [m, sign]: [Term<'x, V>; 2],
) -> [Term<'x, V>; 2] {
    let row = place.of(&m, 1);
    let passed = related(lines, CompareOp::Less, place, &row);
    let sizes = passed.repeat(&m.shape(), vec![0, 1]).choose(-1.0, &m.abs());
    let largest = sizes.reduce(ReduceKind::Maximum, &[1]);
    let pivot = passed
        .choose(-1.0, &largest)
        .emit(Op::ArgReduce(LARGEST), &[]);
    exchanged(place, lines, 2, &pivot, [m, sign])
}
