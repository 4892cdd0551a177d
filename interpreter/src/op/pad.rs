//! More elements at the ends of axes and between neighbours.

use super::{Operands, array, at, from_indices};
use crate::{Cause, Tensor, tensor::each};
use iree_dsl_ir::op::Pad;

pub(super) fn evaluate(op: &Pad, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand, value] = operands.exactly()?;
    let shape = operands.shape()?;
    each!(operand, elements => {
        let value = array(value)?.first().copied();
        let value = value.ok_or(Cause::Lost("the new element"))?;
        from_indices(shape, |index| match source(op, elements.shape(), index) {
            Some(place) => at(elements, &place),
            None => Ok(value),
        })
    })
}

/// The place in the operand of an element of the result, unless that is a new one.
fn source(op: &Pad, sizes: &[usize], index: &[usize]) -> Option<Vec<usize>> {
    let axes = index.iter().zip(sizes).zip(&op.low).zip(&op.interior);
    axes.map(|(((index, size), low), interior)| {
        place(*index, *low, interior.saturating_add(1), *size)
    })
    .collect()
}

/// The element at an index of an axis with so much before it and its elements so far apart, unless there is none.
pub(super) fn place(index: usize, low: i64, distance: usize, size: usize) -> Option<usize> {
    let behind = usize::try_from(i128::try_from(index).ok()? - i128::from(low)).ok()?;
    let place = behind.checked_div(distance)?;
    (behind % distance == 0 && place < size).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_where_they_were_moved_to() {
        // . a . . b . . c .
        let places: Vec<_> = (0..9).map(|index| place(index, 1, 3, 3)).collect();
        let expected = [
            None,
            Some(0),
            None,
            None,
            Some(1),
            None,
            None,
            Some(2),
            None,
        ];
        assert_eq!(places, expected);
        // The first two of four are cut off.
        assert_eq!(
            [0, 1, 2].map(|index| place(index, -2, 1, 4)),
            [Some(2), Some(3), None]
        );
    }
}
