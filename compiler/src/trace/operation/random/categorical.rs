//! Classes by their logits: where the sum of logit and Gumbel noise is largest.

use super::{
    super::{
        super::{
            statics::Static,
            tracer::Tracer,
            types::{Type, TypeLeaf},
            value::{Tensor, Value},
        },
        OperationCall,
        formula::formula,
    },
    key,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::op::InferError;
use iree_dsl_library::random;

pub(crate) fn categorical(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let logits = logits(tracer, &call)?;
    let rank = logits.ty.shape.rank();
    let last = || (Static::integer(-1).into(), call.span);
    let axis = tracer.axis(call.argument(2).unwrap_or_else(last), rank, call.name)?;
    let repeats = repeats(tracer, &logits, axis, &call)?;
    let key = key::argument(tracer, &call)?;
    let dims = [repeats.as_slice(), logits.ty.shape.dims()].concat();
    let (shape, axis) = (Shape::new(dims), repeats.len() + axis);
    let classes = formula(tracer, &call, [&key, &logits], |[key, logits]| {
        random::categorical(&key, &logits.broadcast(&shape), axis)
    })?;
    Some(classes.into())
}

fn logits(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let logits = call.tensor(tracer, 1)?;
    if logits.ty.dtype.is_float() {
        return Some(logits);
    }
    let error = InferError::DType {
        operation: "",
        dtype: logits.ty.dtype,
    };
    tracer.infer_error(&error, call.name, call.span);
    None
}

/// How often to draw from each distribution: the axes that the result has before those of the logits.
fn repeats(
    tracer: &mut Tracer<'_>,
    logits: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<Vec<Dim>> {
    let mut batch = logits.ty.shape.dims().to_vec();
    batch.remove(axis);
    let result = match (call.generics, call.expected) {
        ([], Some(Type::Leaf(TypeLeaf::Tensor(ty)))) => ty.clone(),
        ([], _) => return Some(Vec::new()),
        (generics, _) => tracer.tensor_type(generics, call.span)?,
    };
    let batch = TensorType::new(DType::I32, Shape::new(batch));
    match result.shape.dims().strip_suffix(batch.shape.dims()) {
        Some(repeats) if result.dtype == DType::I32 => Some(repeats.to_vec()),
        // What is expected only is compared with the result where it goes.
        _ if call.generics.is_empty() => Some(Vec::new()),
        _ => {
            let message = format!(
                "`{}` of `{}` makes a `{batch}`, not a `{result}`",
                call.name, logits.ty
            );
            let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
            tracer.report(
                diagnostic.help(
                    "axes may be added at the front, for several numbers of each distribution",
                ),
            );
            None
        }
    }
}
