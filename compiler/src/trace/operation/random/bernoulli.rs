use super::{
    super::{
        super::{
            deferred::Axes,
            statics::{Static, StaticType},
            tracer::Tracer,
            types::{Type, TypeLeaf},
            value::{Tensor, Value, ValueLeaf},
        },
        OperationCall, OperationForm,
        build::one_type,
        find,
        formula::formula,
    },
    key,
};
use crate::diagnostic::Code;
use iree_abi::{DType, Shape};
use iree_dsl_library::random;

/// `true` where a uniform number of the type of the probability is less than it.
pub(crate) fn bernoulli(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let probability = probability(tracer, &call)?;
    if call.generics.is_empty() && call.expected.is_none() && probability.ty.shape.rank() == 0 {
        let truth = StaticType::Element(DType::Bool);
        let operation = find(call.name, OperationForm::Function)?;
        return Some(call.deferred(operation, Some(truth), Axes::All));
    }
    let shape = shape(tracer, &probability, &call)?;
    let key = key::argument(tracer, &call)?;
    let operands = [&key, &probability];
    let truths = formula(tracer, &call, operands, |[key, probability]| {
        random::bernoulli(&key, &probability.broadcast(&shape))
    })?;
    Some(truths.into())
}

fn probability(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let half = || (Static::float(0.5, StaticType::Float).into(), call.span);
    let (value, span) = call.argument(1).unwrap_or_else(half);
    let dtype = match &value {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => tensor.ty.dtype,
        Value::Leaf(ValueLeaf::Static(Static {
            ty: StaticType::Element(dtype),
            ..
        })) => *dtype,
        _ => DType::F32,
    };
    if dtype.is_float() {
        return tracer.tensor_of((value, span), dtype, call.name);
    }
    let message = format!(
        "the probability of `{}` must be a real number, found `{dtype}`",
        call.name
    );
    tracer.error(Code::DTypeMismatch, span, message);
    None
}

/// The shape of the result: the one that is written or expected, else that of the probabilities.
fn shape(tracer: &mut Tracer<'_>, probability: &Tensor, call: &OperationCall<'_>) -> Option<Shape> {
    let expects_tensor = matches!(call.expected, Some(Type::Leaf(TypeLeaf::Tensor(_))));
    if call.generics.is_empty() && !expects_tensor && probability.ty.shape.rank() > 0 {
        return Some(probability.ty.shape.clone());
    }
    let ty = one_type(tracer, call)?;
    if ty.dtype == DType::Bool {
        return Some(ty.shape);
    }
    let message = format!("`{}` makes truth values, found `{}`", call.name, ty.dtype);
    tracer.error(Code::DTypeMismatch, call.span, message);
    None
}
