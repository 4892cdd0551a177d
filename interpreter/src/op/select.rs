//! One of two elements, at each place.

use super::{Operands, array};
use crate::{Array, Cause, Element, Tensor, tensor::each};
use ndarray::Zip;

pub(super) fn evaluate(operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [mask, on_true, on_false] = operands.exactly()?;
    let mask = array(mask)?;
    each!(on_true, on_true => choose(mask, on_true, array(on_false)?))
}

fn choose<T: Element>(
    mask: &Array<bool>,
    on_true: &Array<T>,
    on_false: &Array<T>,
) -> Result<Tensor, Cause> {
    for other in [on_true.shape(), on_false.shape()] {
        if mask.shape() != other {
            return Err(Cause::Sizes {
                expected: mask.shape().to_vec(),
                found: other.to_vec(),
            });
        }
    }
    let arrays = Zip::from(mask).and(on_true).and(on_false);
    let chosen = arrays.map_collect(|mask, on_true, on_false| match mask {
        true => *on_true,
        false => *on_false,
    });
    Ok(Tensor::from(chosen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn each_place_chooses_for_itself() {
        let mask = array![true, false].into_dyn().into_shared();
        let of = |numbers: [f32; 2]| array![numbers[0], numbers[1]].into_dyn().into_shared();
        let chosen = choose(&mask, &of([1.0, 2.0]), &of([3.0, f32::NAN])).expect("equal sizes");
        assert!(matches!(chosen, Tensor::F32(x) if x[0] == 1.0 && x[1].is_nan()));
    }
}
