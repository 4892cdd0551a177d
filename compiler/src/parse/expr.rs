use super::context::Parser;
use crate::ast::{Expr, ExprKind, FieldValue, UnaryOperator};
use crate::span::SpanId;
use syn::RangeLimits;
use syn::punctuated::Punctuated;

impl Parser<'_> {
    pub(super) fn expr(&mut self, source: &syn::Expr) -> Expr {
        self.chain(source)
    }

    fn boxed(&mut self, source: &syn::Expr) -> Box<Expr> {
        Box::new(self.expr(source))
    }

    pub(super) fn exprs(&mut self, source: &Punctuated<syn::Expr, syn::Token![,]>) -> Vec<Expr> {
        source.iter().map(|one| self.expr(one)).collect()
    }

    /// An expression that does not start with another one.
    pub(super) fn atom(&mut self, source: &syn::Expr) -> Expr {
        match source {
            syn::Expr::Lit(literal) => self.literal(&literal.lit),
            syn::Expr::Path(path) => match self.plain_path(path.qself.as_ref(), &path.path) {
                Some(path) => Expr {
                    span: path.span,
                    kind: ExprKind::Path(path),
                },
                None => error(self.whole(source)),
            },
            syn::Expr::Group(group) => self.expr(&group.expr),
            syn::Expr::Paren(paren) => {
                let kind = self.expr(&paren.expr).kind;
                let span = self.delimited(paren.paren_token.span);
                Expr { kind, span }
            }
            syn::Expr::Tuple(tuple) => {
                let kind = ExprKind::Tuple(self.exprs(&tuple.elems));
                let span = self.delimited(tuple.paren_token.span);
                Expr { kind, span }
            }
            syn::Expr::Array(array) => {
                let kind = ExprKind::Array(self.exprs(&array.elems));
                let span = self.delimited(array.bracket_token.span);
                Expr { kind, span }
            }
            syn::Expr::Repeat(repeat) => {
                let value = self.boxed(&repeat.expr);
                let kind = ExprKind::Repeat(value, self.boxed(&repeat.len));
                let span = self.delimited(repeat.bracket_token.span);
                Expr { kind, span }
            }
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Reference(reference) => self.reference(reference),
            syn::Expr::Range(range) => self.range(range),
            syn::Expr::Struct(fields) => self.struct_literal(fields),
            syn::Expr::Macro(call) => self.macro_call(&call.mac),
            other => self.control(other),
        }
    }

    pub(super) fn delimited(&mut self, delimiter: proc_macro2::extra::DelimSpan) -> SpanId {
        self.span(delimiter.open(), delimiter.close())
    }

    fn unary(&mut self, source: &syn::ExprUnary) -> Expr {
        let (operator, first) = match &source.op {
            syn::UnOp::Neg(token) => (UnaryOperator::Negate, token.spans[0]),
            syn::UnOp::Not(token) => (UnaryOperator::Not, token.spans[0]),
            other => {
                let span = self.whole(other);
                let help = "leave out `*`; a power is written `x.powi(2)`";
                self.unsupported(span, "`*` before a value", help);
                return error(span);
            }
        };
        let operand = self.boxed(&source.expr);
        let last = self.last(operand.span);
        let span = self.span(first, last);
        let kind = ExprKind::Unary(operator, operand);
        Expr { kind, span }
    }

    fn reference(&mut self, source: &syn::ExprReference) -> Expr {
        let first = source.and_token.spans[0];
        if let Some(mutability) = &source.mutability {
            let span = self.span(first, mutability.span);
            let help = "pass the value, return the new one and assign it";
            self.unsupported(span, "`&mut` before a value", help);
            return error(span);
        }
        let operand = self.boxed(&source.expr);
        let last = self.last(operand.span);
        let span = self.span(first, last);
        let kind = ExprKind::Reference(operand);
        Expr { kind, span }
    }

    fn range(&mut self, source: &syn::ExprRange) -> Expr {
        let start = source.start.as_deref().map(|start| self.boxed(start));
        let end = source.end.as_deref().map(|end| self.boxed(end));
        let (inclusive, dots) = match &source.limits {
            RangeLimits::HalfOpen(token) => (false, token.spans.as_slice()),
            RangeLimits::Closed(token) => (true, token.spans.as_slice()),
        };
        let dots = self.token_span(dots);
        let first = start.as_ref().map_or(dots, |start| start.span);
        let last = end.as_ref().map_or(dots, |end| end.span);
        let (first, last) = (self.first(first), self.last(last));
        let span = self.span(first, last);
        let kind = ExprKind::Range {
            start,
            end,
            inclusive,
        };
        Expr { kind, span }
    }

    /// The range of one token of several characters.
    pub(super) fn token_span(&mut self, characters: &[proc_macro2::Span]) -> SpanId {
        match (characters.first(), characters.last()) {
            (Some(first), Some(last)) => self.span(*first, *last),
            _ => SpanId::CALL_SITE,
        }
    }

    fn struct_literal(&mut self, source: &syn::ExprStruct) -> Expr {
        let Some(path) = self.plain_path(source.qself.as_ref(), &source.path) else {
            return error(self.whole(source));
        };
        let mut fields = Vec::with_capacity(source.fields.len());
        for field in &source.fields {
            self.inert_attributes(&field.attrs, &[]);
            let Some(name) = self.named_member(&field.member) else {
                continue;
            };
            let value = self.expr(&field.expr);
            fields.push(FieldValue { name, value });
        }
        let base = source.rest.as_deref().map(|base| self.boxed(base));
        if let (Some(dots), None) = (&source.dot2_token, &base) {
            let span = self.token_span(&dots.spans);
            let help = "write `..base`, or give every field";
            self.unsupported(span, "`..` without a value", help);
        }
        let first = self.first(path.span);
        let span = self.span(first, source.brace_token.span.close());
        let kind = ExprKind::Struct { path, fields, base };
        Expr { kind, span }
    }
}

/// An expression that was reported.
pub(super) fn error(span: SpanId) -> Expr {
    Expr {
        kind: ExprKind::Error,
        span,
    }
}
