use super::{
    super::{
        super::{tracer::Tracer, value::Value},
        OperationCall,
        build::one_type,
        formula::Formula,
        term::Term,
    },
    key,
    threefry::threefry,
};
use crate::diagnostic::Code;
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::op::{Iota, Op};

pub(crate) fn bits(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = one_type(tracer, &call)?;
    if !ty.dtype.is_integer() {
        let message = format!("`{}` makes integers, found `{}`", call.name, ty.dtype);
        return Some(tracer.error(Code::DTypeMismatch, call.span, message));
    }
    let key = key::argument(tracer, &call)?;
    let formula = Formula::new(tracer, &call);
    let key = key::words(&formula.term(key));
    let bits = random_bits(&formula, key, 8 * ty.dtype.size(), &ty.shape);
    bits.convert(ty.dtype).value()
}

/// So many random bits at each place, as integers without a sign.
pub(super) fn random_bits<'x>(
    formula: &'x Formula<'_, '_>,
    key: [Term<'x>; 2],
    width: usize,
    shape: &Shape,
) -> Term<'x> {
    let Some(count) = element_count(shape) else {
        return formula.error(Code::ShapeMismatch, |name| {
            format!("`{name}` makes at most {} numbers at once", u32::MAX)
        });
    };
    let ty = TensorType::new(DType::U32, Shape::new(vec![count]));
    let index = formula.emit(Op::Iota(Iota { ty, axis: 0 }), &[]);
    let [first, second] = threefry(key, [&index.like(0), &index]);
    let bits = match width {
        64 => {
            let high = first.convert(DType::U64) << i128::from(u32::BITS);
            high | second.convert(DType::U64)
        }
        width => (first ^ second).convert(unsigned(width)),
    };
    bits.reshape(shape)
}

/// How many numbers a shape holds, if the index that a number depends on fits in 32 bits.
fn element_count(shape: &Shape) -> Option<Dim> {
    let count = shape.element_count().and_then(Dim::from_extent);
    let fits = |dim: &Dim| dim.known().is_none_or(|count| u32::try_from(count).is_ok());
    count.filter(fits)
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
