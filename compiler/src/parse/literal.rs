use super::context::Parser;
use crate::ast::{Expr, ExprKind, Literal, LiteralKind, UnaryOperator};
use crate::span::SpanId;
use syn::Lit;

/// Types whose literals are no integers even without a point.
const FLOATS: &[&str] = &["f16", "bf16", "f32", "f64"];

impl Parser<'_> {
    pub(super) fn literal(&mut self, source: &Lit) -> Expr {
        let span = self.at(source.span());
        let (construct, help) = match source {
            Lit::Int(literal) => {
                let suffix = literal.suffix();
                return signed(literal.base10_digits(), suffix, span, |digits| {
                    number(digits, suffix)
                });
            }
            Lit::Float(literal) => {
                return signed(literal.base10_digits(), literal.suffix(), span, float);
            }
            Lit::Bool(literal) => return expr(LiteralKind::Bool(literal.value), "", span),
            Lit::Str(literal) => {
                let kind = LiteralKind::String(literal.value());
                return expr(kind, literal.suffix(), span);
            }
            Lit::ByteStr(_) => ("a byte string", "write an array of numbers: `[1u8, 2]`"),
            Lit::CStr(_) => ("a C string", "write a string without `c`"),
            Lit::Byte(_) => ("a byte literal", "write the number: `65u8`"),
            Lit::Char(_) => ("a character literal", "write a number or a string"),
            _ => (
                "this literal",
                "write a number, `true`, `false` or a string",
            ),
        };
        self.unsupported(span, construct, help);
        Expr {
            kind: ExprKind::Error,
            span,
        }
    }
}

fn expr(kind: LiteralKind, suffix: &str, span: SpanId) -> Expr {
    let suffix = (!suffix.is_empty()).then(|| suffix.to_owned());
    let kind = ExprKind::Literal(Literal { kind, suffix });
    Expr { kind, span }
}

/// The literals of generic arguments may have a sign of their own: `Tensor<f32, -1>`.
fn signed(
    digits: &str,
    suffix: &str,
    span: SpanId,
    kind: impl FnOnce(&str) -> LiteralKind,
) -> Expr {
    match digits.strip_prefix('-') {
        None => expr(kind(digits), suffix, span),
        Some(digits) => Expr {
            kind: ExprKind::Unary(
                UnaryOperator::Negate,
                Box::new(expr(kind(digits), suffix, span)),
            ),
            span,
        },
    }
}

fn number(digits: &str, suffix: &str) -> LiteralKind {
    if FLOATS.contains(&suffix) {
        float(digits)
    } else {
        LiteralKind::Integer(digits.parse().ok())
    }
}

fn float(digits: &str) -> LiteralKind {
    // Every float literal of Rust is one for `f64::from_str`, which rounds what does not fit to infinity.
    let value = digits.parse().unwrap_or(f64::NAN);
    LiteralKind::Float(value, digits.to_owned())
}
