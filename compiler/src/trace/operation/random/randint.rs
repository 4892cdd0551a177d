//! Integers between bounds, by the remainder of twice as many random bits as they have themselves.

use super::{
    super::{
        super::{
            tracer::Tracer,
            value::{Tensor, Value, ValueLeaf},
        },
        OperationCall,
        build::one_type,
    },
    bits::{random_bits, unsigned},
    key,
    uniform::bound,
    writer::Writer,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    op::CompareOp,
};
use iree_abi::{DType, DTypeClass, TensorType};

pub(crate) fn randint(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = one_type(tracer, &call)?;
    if !ty.dtype.is_integer() {
        let message = format!("`{}` makes integers, found `{}`", call.name, ty.dtype);
        return Some(tracer.error(Code::DTypeMismatch, call.span, message));
    }
    let key = key::words(tracer, &call)?;
    let range = match known_bounds(&call) {
        Some(bounds) => known_range(tracer, &ty, bounds, &call)?,
        None => computed_range(tracer, &ty, &call)?,
    };
    let mut writer = Writer::new(tracer, &call);
    let offset = offsets(&mut writer, key, &range)?;
    let offset = writer.convert(&offset, range.low.ty.dtype)?;
    let number = writer.add(&range.low, &offset)?;
    writer.convert(&number, ty.dtype).map(Value::from)
}

/// Where the integers start and how many there are, in the type that they are drawn in.
struct Range {
    low: Tensor,
    /// Without a sign; 0 stands for all integers of the type.
    size: Tensor,
    /// What the higher bits count for; `None` for nothing.
    weight: Option<Tensor>,
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

fn known_range(
    tracer: &mut Tracer<'_>,
    ty: &TensorType,
    [low, high]: [i128; 2],
    call: &OperationCall<'_>,
) -> Option<Range> {
    let (least, end) = limits(ty.dtype);
    if low >= high || low < least || high > end {
        return empty_or_outside(tracer, ty.dtype, [low, high], call);
    }
    let ty = drawn(ty);
    let bits = 8 * ty.dtype.size();
    let size = (high - low) % (1 << bits);
    let weight = weight(size, bits);
    let mut writer = Writer::new(tracer, call);
    let count = TensorType::new(unsigned(bits), ty.shape.clone());
    Some(Range {
        low: writer.integer(low, &ty)?,
        size: writer.integer(size, &count)?,
        weight: match weight {
            0 => None,
            weight => Some(writer.integer(weight, &count)?),
        },
    })
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

fn empty_or_outside(
    tracer: &mut Tracer<'_>,
    dtype: DType,
    [low, high]: [i128; 2],
    call: &OperationCall<'_>,
) -> Option<Range> {
    let (least, end) = limits(dtype);
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

/// Bounds that the program computes. Where the second is not above the first, the first is all there is.
fn computed_range(
    tracer: &mut Tracer<'_>,
    ty: &TensorType,
    call: &OperationCall<'_>,
) -> Option<Range> {
    let bounds = [bound(tracer, ty, call, 1)?, bound(tracer, ty, call, 2)?];
    let ty = drawn(ty);
    let bits = 8 * ty.dtype.size();
    let mut writer = Writer::new(tracer, call);
    let [low, high] = bounds;
    let low = writer.convert(&low, ty.dtype)?;
    let high = writer.convert(&high, ty.dtype)?;
    let size = writer.subtract(&high, &low)?;
    let size = writer.convert(&size, unsigned(bits))?;
    let empty = writer.compare(CompareOp::LessEqual, &high, &low)?;
    let one = writer.integer(1, &size.ty)?;
    let size = writer.select(&empty, &one, &size)?;
    let root = writer.integer(1 << (bits / 2), &size.ty)?;
    let root = writer.remainder(&root, &size)?;
    let square = writer.multiply(&root, &root)?;
    let weight = Some(writer.remainder(&square, &size)?);
    Some(Range { low, size, weight })
}

/// A number below the size, from twice as many bits as it has.
fn offsets(writer: &mut Writer<'_, '_>, key: [Tensor; 2], range: &Range) -> Option<Tensor> {
    let keys = key::split_key(writer, key, 2)?;
    let mut draw = |index| {
        let key = writer.item(&keys, index)?;
        let key = key::unpack(writer, &key)?;
        let width = 8 * range.size.ty.dtype.size();
        let bits = random_bits(writer, key, width, &range.size.ty.shape)?;
        writer.remainder(&bits, &range.size)
    };
    let lower = draw(1)?;
    let Some(weight) = &range.weight else {
        return Some(lower);
    };
    let higher = draw(0)?;
    let higher = writer.multiply(&higher, weight)?;
    let sum = writer.add(&higher, &lower)?;
    writer.remainder(&sum, &range.size)
}
