use super::super::{
    statics::{Static, StaticType},
    tracer::Tracer,
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{Literal, LiteralKind},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_dsl_ir::Scalar;

impl Tracer<'_> {
    /// The value of a literal.
    pub(super) fn literal(&mut self, literal: &Literal, span: SpanId) -> Value {
        match &literal.kind {
            LiteralKind::Bool(value) => Static::bool(*value).into(),
            LiteralKind::String(text) => Value::Leaf(ValueLeaf::Text(text.as_str().into())),
            LiteralKind::Integer(value) => {
                let value = value.and_then(|value| i128::try_from(value).ok());
                let Some(value) = value else {
                    return self.error(
                        Code::Literal,
                        span,
                        "the literal is too large for every type",
                    );
                };
                self.suffixed(Static::integer(value), literal, span)
            }
            LiteralKind::Float(value, digits) => {
                if !value.is_finite() {
                    let message = format!("the literal `{digits}` is too large for every type");
                    return self.error(Code::Literal, span, message);
                }
                self.suffixed(Static::float(*value, StaticType::Float), literal, span)
            }
        }
    }

    fn suffixed(&mut self, number: Static, literal: &Literal, span: SpanId) -> Value {
        let Some(suffix) = &literal.suffix else {
            return number.into();
        };
        let Some(ty) = StaticType::from_name(suffix) else {
            let message = format!("there is no element type `{suffix}`");
            return self.error(Code::Literal, span, message);
        };
        match number.conform(ty) {
            Ok(number) => number.into(),
            Err(_) => {
                let message = format!("the literal `{number}` does not fit in `{ty}`");
                self.error(Code::Literal, span, message)
            }
        }
    }

    /// `-128i8`: the sign belongs to the literal before its range is checked.
    pub(super) fn negative_literal(&mut self, literal: &Literal, span: SpanId) -> Option<Value> {
        let LiteralKind::Integer(Some(value)) = literal.kind else {
            return None;
        };
        let suffix = literal.suffix.as_deref()?;
        let ty = StaticType::from_name(suffix)?;
        let number = Static {
            value: Scalar::Integer(i128::try_from(value).ok()?.checked_neg()?),
            ty: StaticType::Integer,
        };
        Some(match number.conform(ty) {
            Ok(number) => number.into(),
            Err(_) => {
                let message = format!("the literal `{number}` does not fit in `{ty}`");
                let help = "an unsigned type has no negative numbers";
                let diagnostic = Diagnostic::new(Code::Literal, span, message);
                match suffix.starts_with('u') {
                    true => self.report(diagnostic.help(help)),
                    false => self.report(diagnostic),
                }
            }
        })
    }
}
