//! Integers between bounds.

use super::{
    super::{
        super::{
            tracer::Tracer,
            value::{Value, ValueLeaf},
        },
        OperationCall,
        build::one_type,
        formula::formula,
    },
    key,
    uniform::bounds,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, DTypeClass};
use iree_dsl_library::random;

pub(crate) fn randint(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = one_type(tracer, &call)?;
    if !ty.dtype.is_integer() {
        let message = format!("`{}` makes integers, found `{}`", call.name, ty.dtype);
        return Some(tracer.error(Code::DTypeMismatch, call.span, message));
    }
    let key = key::argument(tracer, &call)?;
    let numbers = match known_bounds(&call) {
        Some(bounds) => {
            let bounds = check_known(tracer, ty.dtype, bounds, &call)?;
            formula(tracer, &call, [&key], |[key]| {
                random::randint(&key, &ty, bounds)
            })?
        }
        None => {
            let (low, high) = bounds(tracer, &ty, &call)?;
            formula(tracer, &call, [&key, &low, &high], |[key, low, high]| {
                random::randint_between(&key, &low, &high)
            })?
        }
    };
    Some(numbers.into())
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

fn limits(dtype: DType) -> (i128, i128) {
    let bits = 8 * dtype.size();
    match dtype.class() {
        DTypeClass::Signed => (-(1 << (bits - 1)), 1 << (bits - 1)),
        _ => (0, 1 << bits),
    }
}
