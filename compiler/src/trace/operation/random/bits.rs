use super::{
    super::{
        super::{
            tracer::Tracer,
            value::{Tensor, Value},
        },
        OperationCall,
        build::one_type,
    },
    key,
    threefry::threefry,
    writer::Writer,
};
use crate::{
    diagnostic::Code,
    op::{Iota, Op},
};
use iree_abi::{DType, Dim, Shape, TensorType};

pub(crate) fn bits(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = one_type(tracer, &call)?;
    if !ty.dtype.is_integer() {
        let message = format!("`{}` makes integers, found `{}`", call.name, ty.dtype);
        return Some(tracer.error(Code::DTypeMismatch, call.span, message));
    }
    let key = key::words(tracer, &call)?;
    let mut writer = Writer::new(tracer, &call);
    let bits = random_bits(&mut writer, key, 8 * ty.dtype.size(), &ty.shape)?;
    writer.convert(&bits, ty.dtype).map(Value::from)
}

/// So many random bits at each place, as integers without a sign.
pub(super) fn random_bits(
    writer: &mut Writer<'_, '_>,
    key: [Tensor; 2],
    width: usize,
    shape: &Shape,
) -> Option<Tensor> {
    let count = element_count(writer, shape)?;
    let ty = TensorType::new(DType::U32, Shape::new(vec![count]));
    let index = writer.emit(Op::Iota(Iota { ty, axis: 0 }), &[])?;
    let zero = writer.integer(0, &index.ty)?;
    let [first, second] = threefry(writer, key, [&zero, &index])?;
    let bits = match width {
        64 => {
            let high = writer.convert(&first, DType::U64)?;
            let high = writer.shift_left(&high, u32::BITS)?;
            let low = writer.convert(&second, DType::U64)?;
            writer.or(&high, &low)?
        }
        width => {
            let bits = writer.xor(&first, &second)?;
            writer.convert(&bits, unsigned(width))?
        }
    };
    writer.reshape(&bits, shape)
}

/// The index that a number depends on has 32 bits.
fn element_count(writer: &mut Writer<'_, '_>, shape: &Shape) -> Option<Dim> {
    let count = shape.element_count().and_then(Dim::from_extent);
    let fits = |dim: &Dim| dim.known().is_none_or(|count| u32::try_from(count).is_ok());
    let count = count.filter(fits);
    if count.is_none() {
        let name = writer.name;
        let message = format!("`{name}` makes at most {} numbers at once", u32::MAX);
        writer
            .tracer
            .error(Code::ShapeMismatch, writer.span, message);
    }
    count
}

/// The integers without a sign that have so many bits.
pub(super) const fn unsigned(width: usize) -> DType {
    match width {
        8 => DType::U8,
        16 => DType::U16,
        32 => DType::U32,
        _ => DType::U64,
    }
}
