use super::{
    super::{
        super::{
            tracer::Tracer,
            value::{Tensor, Value},
        },
        OperationCall,
        build::one_type,
        formula::Formula,
        term::Term,
    },
    bits::random_bits,
    key,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, TensorType};

pub(crate) fn uniform(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = built_reals(tracer, &call)?;
    let key = key::argument(tracer, &call)?;
    let bounds = match call.arguments.len() {
        1 => None,
        2 => return Some(one_bound(tracer, &call)),
        _ => Some([bound(tracer, &ty, &call, 1)?, bound(tracer, &ty, &call, 2)?]),
    };
    let formula = Formula::new(tracer, &call);
    let key = key::words(&formula.term(key));
    let numbers = match bounds {
        Some(bounds) => {
            let bounds = bounds.map(|bound| formula.term(bound));
            between(&formula, key, &ty, bounds)
        }
        None => fractions(&formula, key, &ty),
    };
    numbers.value()
}

fn one_bound(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Value {
    let message = format!("`{}` takes two bounds or none, found one", call.name);
    let diagnostic = Diagnostic::new(Code::ArgumentCount, call.span, message);
    tracer.report(diagnostic.help("write both: `random::uniform::<f32, 3, 4>(key, 0.0, 2.0)`"))
}

/// The type of the real numbers that a call makes.
pub(super) fn built_reals(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<TensorType> {
    let ty = one_type(tracer, call)?;
    if ty.dtype.is_float() {
        return Some(ty);
    }
    let message = format!("`{}` makes real numbers, found `{}`", call.name, ty.dtype);
    tracer.error(Code::DTypeMismatch, call.span, message);
    None
}

/// A bound of the numbers that a call makes, for each of them.
pub(super) fn bound(
    tracer: &mut Tracer<'_>,
    ty: &TensorType,
    call: &OperationCall<'_>,
    position: usize,
) -> Option<Tensor> {
    let (value, span) = call.argument(position)?;
    let bound = tracer.tensor_of((value, span), ty.dtype, call.name)?;
    tracer.broadcast_to(bound, &ty.shape, call.name, span)
}

/// Uniform numbers from the first bound to before the second.
pub(super) fn between<'x>(
    formula: &'x Formula<'_, '_>,
    key: [Term<'x>; 2],
    ty: &TensorType,
    [low, high]: [Term<'x>; 2],
) -> Term<'x> {
    let fractions = fractions(formula, key, ty);
    if ty.dtype != DType::BF16 {
        return low.max(fractions * (high - &low) + &low);
    }
    let least = kept(&low);
    let range = kept(&(kept(&high) - &least).convert(ty.dtype));
    let part = kept(&(kept(&fractions) * range).convert(ty.dtype));
    low.max((part + least).convert(ty.dtype))
}

/// Numbers of `bf16` as `f32`, rounded: IREE leaves roundings out between operations.
pub(super) fn kept<'x>(numbers: &Term<'x>) -> Term<'x> {
    let bits = numbers.convert(DType::F32).bitcast(DType::U32);
    let odd = (&bits >> 16) & 1;
    let rounded = (bits + odd + 0x7fff) & 0xffff_0000;
    rounded.bitcast(DType::F32)
}

/// Uniform numbers from 0 to before 1, all multiples of the distance between 1 and the next larger number.
pub(super) fn fractions<'x>(
    formula: &'x Formula<'_, '_>,
    key: [Term<'x>; 2],
    ty: &TensorType,
) -> Term<'x> {
    let digits = mantissa_bits(ty.dtype);
    // As in JAX: what has few digits takes few bits.
    let width = if digits < 8 {
        8
    } else {
        8 * ty.dtype.size() as u32
    };
    let bits = random_bits(formula, key, width as usize, &ty.shape);
    let numerators = bits >> i128::from(width - digits);
    numerators.convert(ty.dtype) * 2_f64.powi(-(digits as i32))
}

/// The stored digits of a floating-point number.
pub(super) const fn mantissa_bits(dtype: DType) -> u32 {
    match dtype {
        DType::F16 => 10,
        DType::BF16 => 7,
        DType::F32 => 23,
        _ => 52,
    }
}
