//! Normally distributed numbers.

use super::{
    super::{
        super::{tracer::Tracer, value::Value},
        OperationCall,
        build::one_type,
        formula::formula,
    },
    key,
    uniform::{bounds, built_reals},
};
use crate::diagnostic::Code;
use iree_dsl_library::random;

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
    let numbers = formula(tracer, &call, [&key], |[key]| random::normal(&key, &ty))?;
    Some(numbers.into())
}

pub(crate) fn truncated_normal(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = built_reals(tracer, &call)?;
    let key = key::argument(tracer, &call)?;
    let (low, high) = bounds(tracer, &ty, &call)?;
    let numbers = formula(tracer, &call, [&key, &low, &high], |[key, low, high]| {
        random::truncated_normal(&key, &low, &high)
    })?;
    Some(numbers.into())
}
