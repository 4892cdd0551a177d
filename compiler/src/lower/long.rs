//! Sums and products of so many numbers that their type does not hold what each of them adds.
//!
//! IREE 3.13 adds the numbers along an axis one after the other, each to the sum before it, or to one of a few
//! sums in a vector. Of `f32`, 16 million are then off in the second digit. The same numbers kept as `f64` take no
//! longer, as long as they come from memory.
//! Defect `long-sums-lose-digits`.

use super::contract::accumulator;
use iree_abi::{DType, TensorType};

/// How many numbers are combined in `f32` at most, one after the other.
pub(super) const MOST: usize = 1 << 12;

/// How many products of two numbers are added up in `f32` at most: matrices of `f64` are multiplied at half the
/// speed.
const MOST_PRODUCTS: usize = 1 << 16;

/// The type in which numbers of a type are combined along axes of a tensor.
pub(super) fn combined_in(ty: &TensorType, axes: &[usize]) -> DType {
    wide(ty.dtype, count(ty, axes).is_none_or(|count| count > MOST))
}

/// The type in which products are added up along axes of a factor.
pub(super) fn multiplied_in(dtype: DType, factor: &TensorType, axes: &[usize]) -> DType {
    let count = count(factor, axes);
    wide(dtype, count.is_none_or(|count| count > MOST_PRODUCTS))
}

fn wide(dtype: DType, is_long: bool) -> DType {
    match accumulator(dtype) {
        DType::F32 if is_long => DType::F64,
        DType::C64 if is_long => DType::C128,
        other => other,
    }
}

/// How many elements a tensor has along axes, if that is known.
fn count(ty: &TensorType, axes: &[usize]) -> Option<usize> {
    let mut sizes = axes.iter().map(|axis| ty.shape.dims().get(*axis)?.known());
    sizes.try_fold(1_usize, |count, size| count.checked_mul(size?))
}

/// In how many parts, each in `f32`, products are added up along axes of a factor, if that is more than one.
pub(super) fn parts(factor: &TensorType, axes: &[usize]) -> Option<usize> {
    let [axis] = axes else {
        return None;
    };
    let size = factor.shape.dims().get(*axis)?.known()?;
    let mut numbers = (1..size.ilog2()).map(|power| 1 << power);
    let parts = numbers.find(|parts| size / parts <= MOST)?;
    (size > MOST_PRODUCTS && size % parts == 0).then_some(parts)
}

/// Whether a product is of so few elements that it takes as long to read the factors.
pub(super) fn is_small(ty: &TensorType) -> bool {
    let count = count(ty, &(0..ty.shape.rank()).collect::<Vec<_>>());
    count.is_some_and(|count| count <= 64)
}
