//! Normally distributed numbers: the inverse of their distribution, of uniform numbers.

use super::{
    super::{
        super::{
            statics::{Static, StaticType},
            tracer::Tracer,
            value::Value,
        },
        OperationCall,
        build::one_type,
        formula::Formula,
        term::Term,
    },
    bits::unsigned,
    key,
    uniform::{between, bound, built_reals, kept, mantissa_bits},
};
use crate::diagnostic::Code;
use iree_abi::{DType, Dim, TensorType};
use iree_dsl_ir::op::{CompareOp, UnaryOp};
use std::f64::consts::SQRT_2;

pub(crate) fn normal(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = one_type(tracer, &call)?;
    if !ty.dtype.is_float() && !ty.dtype.is_complex() {
        let message = format!(
            "`{}` makes real and complex numbers, found `{}`",
            call.name, ty.dtype
        );
        return Some(tracer.error(Code::DTypeMismatch, call.span, message));
    }
    let key = key::argument(tracer, &call)?;
    let formula = Formula::new(tracer, &call);
    let key = formula.term(key);
    let numbers = match ty.dtype.is_complex() {
        true => complex(&formula, &key, &ty),
        false => real(&formula, &key, &ty),
    };
    numbers.value()
}

fn real<'x>(formula: &'x Formula<'_, '_>, key: &Term<'x>, ty: &TensorType) -> Term<'x> {
    // The least number above -1, where the inverse of the error function has no value.
    let digits = mantissa_bits(ty.dtype) as i32;
    let low = 2_f64.powi(-digits - 1) - 1.0;
    let bounds = [low, 1.0].map(|bound| {
        let bound = Static::float(bound, StaticType::Float);
        formula.constant(bound, ty)
    });
    quantile(&between(formula, key::words(key), ty, bounds))
}

/// Each part has half of the variance.
fn complex<'x>(formula: &'x Formula<'_, '_>, key: &Term<'x>, ty: &TensorType) -> Term<'x> {
    let part = TensorType::new(ty.dtype.real(), ty.shape.clone());
    let keys = key::split_key(formula, key::words(key), &Dim::Static(2));
    let [re, im] = [0, 1].map(|index| real(formula, &keys.item(index), &part) / SQRT_2);
    re.with_imag(im)
}

/// The number below which a normally distributed one is as often as one that is uniform from -1 to 1 is
/// below this. Narrow numbers are rounded once.
fn quantile<'x>(uniform: &Term<'x>) -> Term<'x> {
    let dtype = uniform.dtype();
    let wide = match dtype {
        DType::F16 => uniform.convert(DType::F32),
        DType::BF16 => kept(uniform),
        _ => uniform.clone(),
    };
    (wide.apply(UnaryOp::ErfInv) * SQRT_2).convert(dtype)
}

pub(crate) fn truncated_normal(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = built_reals(tracer, &call)?;
    let key = key::argument(tracer, &call)?;
    let bounds = [bound(tracer, &ty, &call, 1)?, bound(tracer, &ty, &call, 2)?];
    let formula = Formula::new(tracer, &call);
    let key = key::words(&formula.term(key));
    let [low, high] = bounds.map(|bound| formula.term(bound));
    let range = [&low, &high].map(|bound| {
        let scaled = bound / SQRT_2;
        let scaled = match ty.dtype {
            DType::BF16 => kept(&scaled).convert(ty.dtype),
            _ => scaled,
        };
        scaled.apply(UnaryOp::Erf)
    });
    let numbers = quantile(&between(&formula, key, &ty, range));
    // Rounding must not lead out of the range.
    let (least, most) = (above(&low), -above(&-high));
    numbers.max(least).min(most).value()
}

/// The next larger number: its bits as an integer, one more where it goes away from zero.
fn above<'x>(number: &Term<'x>) -> Term<'x> {
    let dtype = number.dtype();
    let bits = number.bitcast(unsigned(8 * dtype.size()));
    let (more, less) = (&bits + 1, &bits - 1);
    let is_positive = number.compare(CompareOp::Greater, 0.0);
    let next = is_positive.choose(more, &less).bitcast(dtype);
    let is_zero = number.compare(CompareOp::Equal, 0.0);
    let next = is_zero.choose(smallest(dtype), &next);
    let is_last = number.compare(CompareOp::Equal, f64::INFINITY);
    is_last.choose(number, &next)
}

/// The smallest positive number.
fn smallest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => half::f16::from_bits(1).to_f64(),
        DType::BF16 => half::bf16::from_bits(1).to_f64(),
        DType::F32 => f32::from_bits(1).into(),
        _ => f64::from_bits(1),
    }
}
