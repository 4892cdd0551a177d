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
}
