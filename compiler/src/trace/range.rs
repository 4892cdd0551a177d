//! Ranges: of integers that are known, or of those that the program computes.

use super::{
    frame::Flow,
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{BinaryOperator, Expr},
    diagnostic::Code,
    span::SpanId,
};
use iree_abi::{DType, TensorType};

impl Tracer<'_> {
    /// `a..b`, `a..=b`.
    pub(crate) fn range(
        &mut self,
        start: Option<&Expr>,
        end: Option<&Expr>,
        inclusive: bool,
        span: SpanId,
    ) -> Flow {
        let (Some(start), Some(end)) = (start, end) else {
            let message = "a range to loop over needs both ends";
            return Ok(self.error(Code::Unsupported, span, message));
        };
        let first = (self.expr(start, None)?, start.span);
        let last = (self.expr(end, None)?, end.span);
        if let (Some(first), Some(last)) = (integer(&first.0), integer(&last.0)) {
            let last = if inclusive {
                last.saturating_add(1)
            } else {
                last
            };
            return Ok(Value::Leaf(ValueLeaf::Range(first, last)));
        }
        let last = match inclusive {
            true => {
                let one = super::statics::Static::integer(1).into();
                let next = self.binary_value(BinaryOperator::Add, last.clone(), (one, span), span);
                (next, last.1)
            }
            false => last,
        };
        Ok(self.run_time_range(first, last))
    }

    /// The integers from one to before another, as rounds of a loop of the program. Both are `i32`, or
    /// what a tensor among them is.
    pub(crate) fn run_time_range(
        &mut self,
        first: (Value, SpanId),
        last: (Value, SpanId),
    ) -> Value {
        let ends = [&first.0, &last.0];
        let dtype = ends.iter().find_map(|end| match end {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor.ty.dtype),
            _ => None,
        });
        let dtype = dtype.unwrap_or(DType::I32);
        let first = self.range_end(first, dtype);
        let last = self.range_end(last, dtype);
        match (first, last) {
            (Some(first), Some(last)) => {
                Value::Leaf(ValueLeaf::Rounds(Box::new(first), Box::new(last)))
            }
            _ => Value::POISON,
        }
    }

    fn range_end(&mut self, (value, span): (Value, SpanId), dtype: DType) -> Option<Tensor> {
        let ty = TensorType::new(dtype, []);
        match value {
            Value::Leaf(ValueLeaf::Static(number)) if number.as_integer().is_some() => {
                let number = super::statics::Static::integer(number.as_integer()?);
                self.constant(number, dtype, &ty.shape, span)
            }
            Value::Leaf(ValueLeaf::Size(extent)) => self.size_tensor(extent, dtype, span),
            Value::Leaf(ValueLeaf::Tensor(tensor)) if tensor.ty == ty && dtype.is_integer() => {
                Some(tensor)
            }
            value => {
                if !value.is_poisoned() {
                    let message = format!(
                        "the end of a range must be an integer, found `{}`",
                        value.ty()
                    );
                    self.error(Code::TypeMismatch, span, message);
                }
                None
            }
        }
    }
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Leaf(ValueLeaf::Static(number)) => number.as_integer(),
        _ => None,
    }
}
