use super::{
    super::{statics::StaticType, tracer::Tracer, value::Value},
    OperationCall,
};
use crate::diagnostic::Code;
use iree_abi::DType;
use iree_dsl_ir::op::Op;

pub(super) fn cast(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let [element] = call.generics else {
        let message = "`cast` needs the element type: `x.cast::<f64>()`";
        return Some(tracer.error(Code::CannotInfer, call.span, message));
    };
    let dtype = tracer.element_type(element)?;
    let (value, _) = call.argument(0)?;
    Some(tracer.cast_value(value, StaticType::Element(dtype), call.span))
}

pub(super) fn to_bits(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let operand = call.tensor(tracer, 0)?;
    let dtype = match operand.ty.dtype {
        DType::F16 | DType::BF16 => DType::U16,
        DType::F32 => DType::U32,
        DType::F64 => DType::U64,
        other => {
            let message = format!("`to_bits` is not defined for `{other}`");
            return Some(tracer.error(Code::DTypeMismatch, call.span, message));
        }
    };
    Some(tracer.emit_named(Op::Bitcast(dtype), &[&operand], call.name, call.span))
}

pub(super) fn from_bits(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let [element] = call.generics else {
        let message = "`from_bits` needs the element type: `x.from_bits::<f32>()`";
        return Some(tracer.error(Code::CannotInfer, call.span, message));
    };
    let dtype = tracer.element_type(element)?;
    let operand = call.tensor(tracer, 0)?;
    let found = operand.ty.dtype;
    let bits = match dtype {
        DType::F16 | DType::BF16 => DType::U16,
        DType::F32 => DType::U32,
        DType::F64 => DType::U64,
        _ => found,
    };
    if !dtype.is_float() || found != bits {
        let message = match dtype.is_float() {
            true => format!("the bits of `{dtype}` are a `{bits}`, found `{found}`"),
            false => format!("`from_bits` gives floating-point numbers, not `{dtype}`"),
        };
        return Some(tracer.error(Code::DTypeMismatch, call.span, message));
    }
    Some(tracer.emit_named(Op::Bitcast(dtype), &[&operand], call.name, call.span))
}
