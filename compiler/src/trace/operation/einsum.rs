//! Einstein's notation.

use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::traced,
};
use crate::{diagnostic::Code, span::SpanId};
use iree_dsl_library::einsum::{self as library, Notation};

type Result = Option<Value>;

pub(super) fn einsum(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (notation, span) = call.argument(0)?;
    let Tree::Leaf(ValueLeaf::Text(text)) = &notation else {
        let message = format!(
            "`{}` takes the axes first, as a string such as \"bqd,bkd->bqk\", found `{}`",
            call.name,
            notation.ty()
        );
        return Some(tracer.error(Code::Option, span, message));
    };
    let tensors: Option<Vec<_>> = (1..call.arguments.len())
        .map(|position| call.tensor(tracer, position))
        .collect();
    let tensors = tensors?;
    let ranks = tensors.iter().map(|tensor| tensor.ty.shape.rank());
    let notation = Notation::parse(text).and_then(|notation| notation.expand(ranks));
    let notation = match notation {
        Ok(notation) => notation,
        Err(error) => return Some(tracer.error(Code::Option, span, error.to_string())),
    };
    let factors = factors(tracer, &call, tensors, &notation, span)?;
    if let Err(error) = notation.check(factors.iter().map(|factor| &factor.ty.shape)) {
        return Some(tracer.error(Code::ShapeMismatch, span, error.to_string()));
    }
    let sum = traced(tracer, &call, |formula| {
        let factors = factors.iter().map(|factor| formula.term(factor));
        library::einsum(factors.collect(), &notation)
    });
    sum.map(Value::from)
}

/// The operands of one element type, if there are as many and with as many axes as the notation says.
fn factors(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    tensors: Vec<Tensor>,
    notation: &Notation,
    span: SpanId,
) -> Option<Vec<Tensor>> {
    let (expected, found) = (notation.operands.len(), tensors.len());
    if expected != found {
        let expected = super::super::resolve::count(expected, "operand");
        let message = format!("the notation is for {expected}, found {found}");
        tracer.error(Code::ArgumentCount, span, message);
        return None;
    }
    let mut factors: Vec<Tensor> = Vec::with_capacity(found);
    let named = notation.operands.iter().zip(tensors).enumerate();
    for (position, (letters, tensor)) in named {
        let dtype = factors.first().map(|first| first.ty.dtype);
        let tensor = match dtype {
            Some(dtype) => tracer.with_dtype(tensor, dtype, call.name, call.span)?,
            None => tensor,
        };
        if letters.len() != tensor.ty.shape.rank() {
            let named: String = letters.iter().collect();
            let axes = super::super::resolve::axes(letters.len());
            let message = format!(
                "`{named}` names {axes}, but operand {} is a `{}`",
                position + 1,
                tensor.ty
            );
            tracer.error(Code::ShapeMismatch, span, message);
            return None;
        }
        factors.push(tensor);
    }
    Some(factors)
}
