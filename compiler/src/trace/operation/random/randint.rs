//! Integers between bounds, by the remainder of twice as many random bits as they have themselves.

use super::{
    super::{
        super::{
            statics::Static,
            tracer::Tracer,
            value::{Tensor, Value, ValueLeaf},
        },
        OperationCall,
        build::one_type,
        formula::Formula,
        term::Term,
    },
    bits::{random_bits, unsigned},
    key,
    uniform::bound,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
use iree_dsl_ir::op::CompareOp;

pub(crate) fn randint(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = one_type(tracer, &call)?;
    if !ty.dtype.is_integer() {
        let message = format!("`{}` makes integers, found `{}`", call.name, ty.dtype);
        return Some(tracer.error(Code::DTypeMismatch, call.span, message));
    }
    let key = key::argument(tracer, &call)?;
    let bounds = match known_bounds(&call) {
        Some(bounds) => Bounds::Known(check_known(tracer, ty.dtype, bounds, &call)?),
        None => Bounds::Computed(bound(tracer, &ty, &call, 1)?, bound(tracer, &ty, &call, 2)?),
    };
    let formula = Formula::new(tracer, &call);
    let range = match bounds {
        Bounds::Known(bounds) => known_range(&formula, &ty, bounds),
        Bounds::Computed(low, high) => computed_range(&ty, formula.term(low), formula.term(high)),
    };
    let key = key::words(&formula.term(key));
    let drawn = drawn(&ty);
    let offsets = offsets(&formula, key, &range, &drawn.shape);
    let numbers = range.low + offsets.convert(drawn.dtype);
    numbers.convert(ty.dtype).value()
}

enum Bounds {
    Known([i128; 2]),
    Computed(Tensor, Tensor),
}

/// Where the integers start and how many there are, in the type that they are drawn in.
struct Range<'x> {
    low: Term<'x>,
    /// Without a sign; 0 stands for all integers of the type.
    size: Term<'x>,
    /// What the higher bits count for; `None` for nothing.
    weight: Option<Term<'x>>,
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

fn known_bounds(call: &OperationCall<'_>) -> Option<[i128; 2]> {
    let bound = |position| match call.argument(position)? {
        (Value::Leaf(ValueLeaf::Static(number)), _) => number.as_integer(),
        _ => None,
    };
    Some([bound(1)?, bound(2)?])
}

fn check_known(
    tracer: &mut Tracer<'_>,
    dtype: DType,
    [low, high]: [i128; 2],
    call: &OperationCall<'_>,
) -> Option<[i128; 2]> {
    let (least, end) = limits(dtype);
    if low < high && low >= least && high <= end {
        return Some([low, high]);
    }
    let (message, help) = match low < high {
        true => (
            format!("not every integer from {low} to before {high} is a `{dtype}`"),
            format!("`{dtype}` holds the integers from {least} to before {end}"),
        ),
        false => (
            format!("there is no integer from {low} to before {high}"),
            "the first bound is included, the second is not".to_owned(),
        ),
    };
    tracer.report(Diagnostic::new(Code::Literal, call.span, message).help(help));
    None
}

fn known_range<'x>(
    formula: &'x Formula<'_, '_>,
    ty: &TensorType,
    [low, high]: [i128; 2],
) -> Range<'x> {
    let ty = drawn(ty);
    let bits = 8 * ty.dtype.size();
    let size = (high - low) % (1 << bits);
    let count = TensorType::new(unsigned(bits), ty.shape.clone());
    Range {
        low: formula.constant(Static::integer(low), &ty),
        size: formula.constant(Static::integer(size), &count),
        weight: match weight(size, bits) {
            0 => None,
            weight => Some(formula.constant(Static::integer(weight), &count)),
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

fn limits(dtype: DType) -> (i128, i128) {
    let bits = 8 * dtype.size();
    match dtype.class() {
        DTypeClass::Signed => (-(1 << (bits - 1)), 1 << (bits - 1)),
        _ => (0, 1 << bits),
    }
}

/// Bounds that the program computes. Where the second is not above the first, the first is all there is.
fn computed_range<'x>(ty: &TensorType, low: Term<'x>, high: Term<'x>) -> Range<'x> {
    let drawn = drawn(ty).dtype;
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
fn offsets<'x>(
    formula: &'x Formula<'_, '_>,
    key: [Term<'x>; 2],
    range: &Range<'x>,
    shape: &Shape,
) -> Term<'x> {
    let keys = key::split_key(formula, key, &Dim::Static(2));
    let width = 8 * range.size.dtype().size();
    let draw = |index| {
        let key = key::words(&keys.item(index));
        random_bits(formula, key, width, shape) % &range.size
    };
    let lower = draw(1);
    match &range.weight {
        Some(weight) => (draw(0) * weight + lower) % &range.size,
        None => lower,
    }
}
