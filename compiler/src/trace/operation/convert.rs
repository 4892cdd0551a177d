use super::{
    super::{statics::StaticType, tracer::Tracer, value::Value},
    OperationCall,
};
use crate::diagnostic::Code;

pub(super) fn cast(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let [element] = call.generics else {
        let message = "`cast` needs the element type: `x.cast::<f64>()`";
        return Some(tracer.error(Code::CannotInfer, call.span, message));
    };
    let dtype = tracer.element_type(element)?;
    let (value, _) = call.argument(0)?;
    Some(tracer.cast_value(value, StaticType::Element(dtype), call.span))
}
