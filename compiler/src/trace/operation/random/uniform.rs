use super::{
    super::{
        super::{
            tracer::Tracer,
            value::{Tensor, Value},
        },
        OperationCall,
        build::one_type,
        formula::formula,
    },
    key,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::TensorType;
use iree_dsl_library::random;

pub(crate) fn uniform(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = built_reals(tracer, &call)?;
    let key = key::argument(tracer, &call)?;
    let numbers = match call.arguments.len() {
        1 => formula(tracer, &call, [&key], |[key]| random::uniform(&key, &ty))?,
        2 => return Some(one_bound(tracer, &call)),
        _ => {
            let (low, high) = bounds(tracer, &ty, &call)?;
            formula(tracer, &call, [&key, &low, &high], |[key, low, high]| {
                random::uniform_between(&key, &low, &high)
            })?
        }
    };
    Some(numbers.into())
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

/// The bounds of the numbers that a call makes, for each of them.
pub(super) fn bounds(
    tracer: &mut Tracer<'_>,
    ty: &TensorType,
    call: &OperationCall<'_>,
) -> Option<(Tensor, Tensor)> {
    let mut bound = |position| {
        let (value, span) = call.argument(position)?;
        let bound = tracer.tensor_of((value, span), ty.dtype, call.name)?;
        tracer.broadcast_to(bound, &ty.shape, call.name, span)
    };
    Some((bound(1)?, bound(2)?))
}
