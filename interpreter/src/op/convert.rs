//! Other element types for the same numbers or the same bits.

use super::{Operands, map};
use crate::{
    Array, Cause, Element, Tensor,
    tensor::{each, with_element},
};
use iree_abi::{DType, TensorType};

/// Rust's `as`, rounded once.
pub(super) fn evaluate(dtype: DType, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    convert(operand, dtype)
}

/// The numbers of a tensor in another type.
pub(crate) fn convert(tensor: &Tensor, dtype: DType) -> Result<Tensor, Cause> {
    fn to<R: Element, T: Element>(array: &Array<T>) -> Tensor {
        map(array, |element| R::nearest(element.exact()))
    }
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    with_element!(dtype, R => Ok(each!(tensor, array => to::<R, _>(array))))
}

pub(super) fn bitcast(dtype: DType, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand] = operands.exactly()?;
    let ty = TensorType::new(dtype, operand.shape());
    let bits = Tensor::from_bytes(&ty, &operand.to_bytes());
    bits.map_err(|_| Cause::DType(operand.dtype()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};
    use ndarray::array;
    use num_complex::Complex32;

    fn to<T: Element>(tensor: impl Into<Tensor>) -> Vec<T> {
        let converted = convert(&tensor.into(), T::DTYPE).expect("a conversion");
        let array = converted.array::<T>().expect("of the type").clone();
        array.into_iter().collect()
    }

    #[test]
    fn real_numbers_saturate_and_integers_wrap() {
        let x = array![-1.0, 2.9, 1e9, f64::NAN, f64::INFINITY];
        assert_eq!(to::<u8>(x.clone()), [0, 2, 255, 0, 255]);
        assert_eq!(to::<i64>(x), [-1, 2, 1_000_000_000, 0, i64::MAX]);
        assert_eq!(to::<i8>(array![300_i32, -129]), [44, 127]);
        assert_eq!(to::<u64>(array![-1_i8]), [u64::MAX]);
    }

    #[test]
    fn truth_values_are_zero_and_one() {
        assert_eq!(to::<f16>(array![true, false]), [f16::ONE, f16::ZERO]);
        assert_eq!(
            to::<bool>(array![0.0, -0.0, f64::NAN, 0.1]),
            [false, false, true, true]
        );
        assert_eq!(to::<Complex32>(array![2_u8]), [Complex32::new(2.0, 0.0)]);
    }

    #[test]
    fn numbers_are_rounded_once() {
        let x = array![(1_i64 << 30) + (1 << 22) + 1];
        assert_eq!(
            to::<bf16>(x),
            [bf16::from_f64(2_f64.powi(30) + 2_f64.powi(23))]
        );
    }
}
