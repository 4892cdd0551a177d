//! Elements around a tensor and between its own.

use crate::term::Term;
use iree_abi::{Dim, Extent, Shape};
use iree_dsl_ir::op::{InferError, Op, Pad};

/// So many elements of a scalar put before and behind each axis, and between the elements along it. Where only calls tell how many,
/// the tensor is joined with parts that hold nothing else.
pub fn padded<'x, V: Clone>(
    x: &Term<'x, V>,
    value: &Term<'x, V>,
    low: &[Extent],
    high: &[Extent],
    interior: Vec<usize>,
) -> Term<'x, V> {
    for (axis, interior) in interior.iter().enumerate() {
        if *interior > 0 {
            x.require_one_along(axis);
        }
    }
    let (Some(known_low), Some(known_high)) = (known(low), known(high)) else {
        return x.failed(InferError::UnknownShape(x.shape()).into());
    };
    let pad = Pad {
        low: known_low,
        high: known_high,
        interior,
    };
    let padded = x.emit(Op::Pad(pad), &[value]);
    let ends = low.iter().zip(high).enumerate();
    ends.fold(padded, |x, (axis, ends)| joined(&x, value, axis, ends))
}

/// The numbers that are known, and nothing in place of the others.
fn known(ends: &[Extent]) -> Option<Vec<i64>> {
    let numbers = ends.iter().map(|extent| extent.known().unwrap_or(0));
    numbers.map(|number| i64::try_from(number).ok()).collect()
}

/// A tensor with as many new elements at both ends of an axis as calls tell, if they do.
fn joined<'x, V: Clone>(
    x: &Term<'x, V>,
    value: &Term<'x, V>,
    axis: usize,
    (low, high): (&Extent, &Extent),
) -> Term<'x, V> {
    let part = |count: &Extent| {
        let count = Some(count).filter(|count| count.known().is_none())?;
        let mut dims = x.shape().dims().to_vec();
        *dims.get_mut(axis)? = Dim::from_extent(count.clone())?;
        Some(value.broadcast(&Shape::new(dims)))
    };
    let (before, behind) = (part(low), part(high));
    let join = Op::Concatenate(axis);
    match (before, behind) {
        (None, None) => x.clone(),
        (Some(before), None) => before.emit(join, &[x]),
        (None, Some(behind)) => x.emit(join, &[&behind]),
        (Some(before), Some(behind)) => before.emit(join, &[x, &behind]),
    }
}

/// Padding that takes elements away, with padding that does not.
pub fn expand_cut<'x, V: Clone>(op: &Pad, x: &Term<'x, V>, value: &Term<'x, V>) -> Term<'x, V> {
    let pad = |op: Pad| match op.adds() {
        true => x.emit(Op::Pad(op), &[value]),
        false => x.clone(),
    };
    match op.cut(&x.shape()) {
        None => pad(op.clone()),
        Some((whole, part)) => pad(whole).emit(Op::Slice(part), &[]),
    }
}
