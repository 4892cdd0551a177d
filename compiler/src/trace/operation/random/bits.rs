use super::{
    super::{
        super::{tracer::Tracer, value::Value},
        OperationCall,
        build::one_type,
        formula::formula,
    },
    key,
};
use crate::diagnostic::Code;
use iree_dsl_library::random;

pub(crate) fn bits(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let ty = one_type(tracer, &call)?;
    if !ty.dtype.is_integer() {
        let message = format!("`{}` makes integers, found `{}`", call.name, ty.dtype);
        return Some(tracer.error(Code::DTypeMismatch, call.span, message));
    }
    let key = key::argument(tracer, &call)?;
    let bits = formula(tracer, &call, [&key], |[key]| random::bits(&key, &ty))?;
    Some(bits.into())
}
