//! Gaussian elimination: matrices to upper triangles, a column at a time.

use crate::{
    builder::Error,
    linalg::batch::{numbers, ones, outer, related, size},
    repeat::{Place, along},
    term::Term,
};
use iree_dsl_ir::op::{ArgReduce, CompareOp, ExtremumKind, Op, ReduceKind};

/// Gaussian elimination with the largest element of each column as its pivot: rows in which what is before the diagonal was made
/// zeros, and -1 to the power of the number of exchanged rows. What is behind square matrices goes along.
pub(crate) fn eliminate<'x, V: Clone>(rows_of: &Term<'x, V>) -> Result<[Term<'x, V>; 2], Error> {
    let size = size(&rows_of.shape());
    let rows = numbers(rows_of, &size);
    let state = [rows_of.clone(), ones(rows_of)];
    let step = |place: &Place<'x, V>, state| cleared(place, &rows, with_pivot(place, &rows, state));
    along(rows_of.builder(), &size, state, step)
}

/// Matrices with the row exchanged that has the largest number of a column, among those from a place on, and their signs.
pub(crate) fn with_pivot<'x, V: Clone>(
    place: &Place<'x, V>,
    rows: &Term<'x, V>,
    [m, sign]: [Term<'x, V>; 2],
) -> [Term<'x, V>; 2] {
    let column = place.of(&m, 2);
    let passed = related(rows, CompareOp::Less, place, &column);
    let pivot = passed
        .choose(-1.0, &column.abs())
        .emit(Op::ArgReduce(LARGEST), &[]);
    exchanged(place, rows, 1, &pivot, [m, sign])
}

/// Matrices with what stands at a place along an axis, 1 or 2, and at the pivot of each exchanged, and their signs.
pub(crate) fn exchanged<'x, V: Clone>(
    place: &Place<'x, V>,
    numbers: &Term<'x, V>,
    axis: usize,
    pivot: &Term<'x, V>,
    [m, sign]: [Term<'x, V>; 2],
) -> [Term<'x, V>; 2] {
    let shape = m.shape();
    let other = 3 - axis;
    let line = place.of(&m, other).shape();
    let is_pivot = numbers
        .repeat(&line, vec![1])
        .compare(CompareOp::Equal, pivot.repeat(&line, vec![0]))
        .repeat(&shape, vec![0, axis]);
    let chosen = is_pivot.choose(&m, &m.like(0.0));
    let chosen = chosen.reduce(ReduceKind::Sum, &[axis]);
    let replaced = place.of(&m, axis).repeat(&shape, vec![0, other]);
    let m = place.replace(&is_pivot.choose(replaced, &m), axis, &chosen);
    let at = place.number(numbers).broadcast_like(pivot);
    let stays = pivot.compare(CompareOp::Equal, at);
    [m, stays.choose(&sign, &-&sign)]
}

/// Matrices whose column at a place is zeros below it, as multiples of the row there were taken from the others.
pub(crate) fn cleared<'x, V: Clone>(
    place: &Place<'x, V>,
    rows: &Term<'x, V>,
    [m, sign]: [Term<'x, V>; 2],
) -> [Term<'x, V>; 2] {
    let (row, column) = (place.of(&m, 1), place.of(&m, 2));
    let divisor = place.of(&row, 1);
    let divisor = divisor.compare(CompareOp::Equal, 0.0).choose(1.0, &divisor);
    let is_below = related(rows, CompareOp::Greater, place, &column);
    let factor = &column / divisor.repeat(&column.shape(), vec![0]);
    let factor = is_below.choose(&factor, &column.like(0.0));
    [&m - outer(&m.shape(), &factor, &row), sign]
}

/// The largest along the second axis.
pub(crate) const LARGEST: ArgReduce = ArgReduce {
    kind: ExtremumKind::Maximum,
    axis: 1,
};
