//! Integers between bounds, by the remainder of twice as many random bits as they have themselves.

use super::{
    bits::{random_bits, unsigned},
    key::split,
};
use crate::term::Term;
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::{Scalar, op::CompareOp};

/// Integers from the first bound to before the second, which are numbers of their type, or one above them.
pub fn randint<'x, V: Clone>(key: &Term<'x, V>, ty: &TensorType, bounds: [i128; 2]) -> Term<'x, V> {
    let range = known_range(key, ty, bounds);
    numbers(key, range, ty)
}

/// Integers from the first bound to before the second, which are those of each of them.
pub fn randint_between<'x, V: Clone>(
    key: &Term<'x, V>,
    low: &Term<'x, V>,
    high: &Term<'x, V>,
) -> Term<'x, V> {
    let ty = low.tensor_type();
    let range = computed_range(drawn(&ty).dtype, low, high);
    numbers(key, range, &ty)
}

fn numbers<'x, V: Clone>(key: &Term<'x, V>, range: Range<'x, V>, ty: &TensorType) -> Term<'x, V> {
    let offsets = offsets(key, &range, &ty.shape);
    let numbers = range.low + offsets.convert(drawn(ty).dtype);
    numbers.convert(ty.dtype)
}

/// Where the integers start and how many there are, in the type that they are drawn in.
struct Range<'x, V> {
    low: Term<'x, V>,
    /// Without a sign; 0 stands for all integers of the type.
    size: Term<'x, V>,
    /// What the higher bits count for; `None` for nothing.
    weight: Option<Term<'x, V>>,
}

/// The type that integers are drawn in: fewer than 32 bits would favour some of them.
fn drawn(ty: &TensorType) -> TensorType {
    let dtype = if ty.dtype.size() < 4 {
        DType::I32
    } else {
        ty.dtype
    };
    TensorType::new(dtype, ty.shape.clone())
}

fn known_range<'x, V: Clone>(
    key: &Term<'x, V>,
    ty: &TensorType,
    [low, high]: [i128; 2],
) -> Range<'x, V> {
    let ty = drawn(ty);
    let bits = 8 * ty.dtype.size();
    let size = (high - low) % (1 << bits);
    let count = TensorType::new(unsigned(bits), ty.shape.clone());
    let everywhere = |number, ty| key.make_splat(Scalar::Integer(number), ty);
    Range {
        low: everywhere(low, &ty),
        size: everywhere(size, &count),
        weight: match weight(size, bits) {
            0 => None,
            weight => Some(everywhere(weight, &count)),
        },
    }
}

/// The weight of a size as JAX has it: 2 to the power of the width, modulo the size. It is computed as the
/// square of its root in integers of that width, and vanishes where that overflows.
fn weight(size: i128, bits: usize) -> i128 {
    let modulo = |number: i128| number.checked_rem(size).unwrap_or(number);
    let root = modulo(1 << (bits / 2));
    modulo((root * root) % (1 << bits))
}

/// Bounds that the program computes. Where the second is not above the first, the first is all there is.
fn computed_range<'x, V: Clone>(
    drawn: DType,
    low: &Term<'x, V>,
    high: &Term<'x, V>,
) -> Range<'x, V> {
    let bits = 8 * drawn.size();
    let (low, high) = (low.convert(drawn), high.convert(drawn));
    let size = (&high - &low).convert(unsigned(bits));
    let empty = high.compare(CompareOp::LessEqual, &low);
    let size = empty.choose(1, &size);
    let root = size.like(1 << (bits / 2)) % &size;
    let weight = Some(&root * &root % &size);
    Range { low, size, weight }
}

/// Numbers below the size, from twice as many bits as it has.
fn offsets<'x, V: Clone>(key: &Term<'x, V>, range: &Range<'x, V>, shape: &Shape) -> Term<'x, V> {
    let keys = split(key, &Dim::Static(2));
    let width = 8 * range.size.dtype().size();
    let draw = |index| random_bits(&keys.item(index), width, shape) % &range.size;
    let lower = draw(1);
    match &range.weight {
        Some(weight) => (draw(0) * weight + lower) % &range.size,
        None => lower,
    }
}
