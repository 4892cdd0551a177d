//! How shapes fit together.

use iree_abi::{Dim, Shape};

/// The shape of both.
///
/// # Errors
///
/// The first axis from the right where the sizes differ, and both sizes.
pub fn broadcast_shapes(lhs: &Shape, rhs: &Shape) -> Result<Shape, (usize, Dim, Dim)> {
    let rank = lhs.rank().max(rhs.rank());
    let one = Dim::Static(1);
    let at = |shape: &Shape, from_the_right: usize| {
        let position = shape.rank().checked_sub(from_the_right);
        let dim = position.and_then(|position| shape.dims().get(position).cloned());
        dim.unwrap_or(Dim::Static(1))
    };
    let mut dims = Vec::with_capacity(rank);
    for from_the_right in (1..=rank).rev() {
        let (left, right) = (at(lhs, from_the_right), at(rhs, from_the_right));
        dims.push(match () {
            () if left == right || right == one => left,
            () if left == one => right,
            () => return Err((from_the_right, left, right)),
        });
    }
    Ok(Shape::new(dims))
}

/// The axes of size 1 that a shape lacks to broadcast with one of higher rank, as they are inserted one after the
/// other; `None` if it never does.
pub fn missing_axes(short: &Shape, long: &Shape) -> Option<Vec<usize>> {
    if short.rank() >= long.rank() {
        return None;
    }
    let mut matched = Vec::with_capacity(short.rank());
    if !align(short.dims(), long.dims(), &mut matched) {
        return None;
    }
    let first = *matched.last()?;
    let inserted = (first..long.rank()).filter(|axis| !matched.contains(axis));
    Some(inserted.map(|axis| axis - first).collect())
}

/// Whether sizes fit some of the others in their order, the last ones if there is a choice; `matched` gets which,
/// from the right.
fn align(short: &[Dim], long: &[Dim], matched: &mut Vec<usize>) -> bool {
    let Some((size, short_rest)) = short.split_last() else {
        return true;
    };
    let Some((other, long_rest)) = long.split_last() else {
        return false;
    };
    let one = Dim::Static(1);
    if size == other || *size == one || *other == one {
        matched.push(long_rest.len());
        if align(short_rest, long_rest, matched) {
            return true;
        }
        matched.pop();
    }
    align(short, long_rest, matched)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_broadcast_as_in_numpy() {
        let of = |lhs: &[usize], rhs: &[usize]| {
            let result = broadcast_shapes(&Shape::from(lhs), &Shape::from(rhs));
            result
                .map(|shape| shape.known().unwrap())
                .map_err(|(axis, ..)| axis)
        };
        assert_eq!(of(&[3, 4], &[4]), Ok(vec![3, 4]));
        assert_eq!(of(&[3, 1], &[2, 1, 4]), Ok(vec![2, 3, 4]));
        assert_eq!(of(&[], &[0]), Ok(vec![0]));
        assert_eq!(of(&[1], &[0]), Ok(vec![0]));
        assert_eq!(of(&[3, 4], &[3, 2]), Err(1));
        assert_eq!(of(&[3, 4], &[2, 4]), Err(2));
    }
    #[test]
    fn axes_are_missing_where_sizes_fit_further_left() {
        let of =
            |short: &[usize], long: &[usize]| missing_axes(&Shape::from(short), &Shape::from(long));
        assert_eq!(of(&[3], &[3, 4]), Some(vec![1]));
        assert_eq!(of(&[2, 4], &[2, 3, 4]), Some(vec![1]));
        assert_eq!(of(&[2], &[2, 3, 4]), Some(vec![1, 2]));
        assert_eq!(of(&[3], &[2, 3, 4]), Some(vec![1]));
        assert_eq!(of(&[5], &[3, 4]), None);
        assert_eq!(of(&[4, 3], &[3, 4]), None);
        assert_eq!(of(&[4, 3], &[2, 3, 4]), None);
    }
}
