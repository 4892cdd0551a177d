//! Ranges: of integers that are known, or of those that the program computes.

use super::{
    frame::Flow,
    statics::Static,
    tracer::Tracer,
    value::{Iterations, Tensor, Value, ValueLeaf},
};
use crate::{ast::Expr, diagnostic::Code, span::SpanId};
use iree_abi::{DType, Extent, TensorType};
use iree_dsl_ir::Scalar;

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
        Ok(self.run_time_range(first, last, inclusive))
    }

    /// The integers from one to before another, or to that one, as iterations of a loop of the program. Both are
    /// `i32`, or what a tensor among them is.
    pub(crate) fn run_time_range(
        &mut self,
        first: (Value, SpanId),
        last: (Value, SpanId),
        inclusive: bool,
    ) -> Value {
        let ends = [&first.0, &last.0];
        let dtype = ends.iter().find_map(|end| match end {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor.ty.dtype),
            _ => None,
        });
        let dtype = dtype.unwrap_or(DType::I32);
        // A loop to before a number is the simpler one, but there may be none after the last.
        let (last, inclusive) = match after(&last.0, dtype).filter(|_| inclusive) {
            Some(end) => ((end, last.1), false),
            None => (last, inclusive),
        };
        let start = self.range_end(first, dtype);
        let end = self.range_end(last, dtype);
        match (start, end) {
            (Some(start), Some(end)) => Value::Leaf(ValueLeaf::Iterations(Box::new(Iterations {
                start,
                end,
                inclusive,
            }))),
            _ => Value::POISON,
        }
    }

    fn range_end(&mut self, (value, span): (Value, SpanId), dtype: DType) -> Option<Tensor> {
        let ty = TensorType::new(dtype, []);
        match value {
            Value::Leaf(ValueLeaf::Static(number)) if number.as_integer().is_some() => {
                let number = Static::integer(number.as_integer()?);
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

/// The number after one, if it is known to be of the element type.
fn after(value: &Value, dtype: DType) -> Option<Value> {
    match value {
        Value::Leaf(ValueLeaf::Static(number)) => {
            let number = number.as_integer()?;
            let next = number.checked_add(1)?;
            let fits = |number| Scalar::Integer(number).encode(dtype).is_ok();
            (fits(number) && fits(next)).then(|| Static::integer(next).into())
        }
        Value::Leaf(ValueLeaf::Size(extent)) => extent.plus(&Extent::constant(1)).map(Value::size),
        _ => None,
    }
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Leaf(ValueLeaf::Static(number)) => number.as_integer(),
        _ => None,
    }
}
