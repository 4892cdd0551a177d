//! Powers to integers.

use super::{
    super::{super::tracer::Tracer, OperationCall},
    Result, formula,
};
use crate::diagnostic::Code;
use iree_dsl_library::arithmetic;

pub(in super::super) fn powi(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (exponent, span) = call.argument(1)?;
    let exponent = tracer.integer((exponent, span), call.name)?;
    let x = call.tensor(tracer, 0)?;
    if exponent < 0 && x.ty.dtype.is_integer() {
        let message = format!("`powi` of integers needs an exponent from 0 on, found {exponent}");
        return Some(tracer.error(Code::Literal, span, message));
    }
    let result = formula(tracer, &call, [&x], |[x]| arithmetic::powi(&x, exponent))?;
    Some(result.into())
}
