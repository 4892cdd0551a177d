//! What stands left of `=`: a place, or places in tuples, arrays and trees that a value is taken apart
//! into.

use super::context::Parser;
use crate::ast::{Expr, ExprKind, FieldValue};
use crate::span::SpanId;
use syn::punctuated::Punctuated;

impl Parser<'_> {
    /// The target of an assignment.
    pub(super) fn target(&mut self, source: &syn::Expr) -> Expr {
        match source {
            syn::Expr::Infer(wildcard) => wildcard_at(self.whole(&wildcard.underscore_token)),
            syn::Expr::Paren(paren) => {
                let kind = self.target(&paren.expr).kind;
                let span = self.delimited(paren.paren_token.span);
                Expr { kind, span }
            }
            syn::Expr::Tuple(tuple) => {
                let kind = ExprKind::Tuple(self.targets(&tuple.elems));
                let span = self.delimited(tuple.paren_token.span);
                Expr { kind, span }
            }
            syn::Expr::Array(array) => {
                let kind = ExprKind::Array(self.targets(&array.elems));
                let span = self.delimited(array.bracket_token.span);
                Expr { kind, span }
            }
            syn::Expr::Struct(fields) => self.struct_target(fields),
            syn::Expr::Range(range) if range.start.is_none() && range.end.is_none() => {
                let span = self.whole(range);
                self.unsupported(span, "`..` among elements", "write `_` for each of them");
                wildcard_at(span)
            }
            place => self.expr(place),
        }
    }

    fn targets(&mut self, source: &Punctuated<syn::Expr, syn::Token![,]>) -> Vec<Expr> {
        source.iter().map(|one| self.target(one)).collect()
    }

    fn struct_target(&mut self, source: &syn::ExprStruct) -> Expr {
        let Some(path) = self.plain_path(source.qself.as_ref(), &source.path) else {
            return super::expr::error(self.whole(source));
        };
        let mut fields = Vec::with_capacity(source.fields.len());
        for field in &source.fields {
            self.inert_attributes(&field.attrs, &[]);
            if let Some(name) = self.named_member(&field.member) {
                let value = self.target(&field.expr);
                fields.push(FieldValue { name, value });
            }
        }
        if let Some(base) = &source.rest {
            let span = self.whole(base);
            let help = "write `..` to leave the other fields out";
            self.unsupported(span, "a value behind `..` left of `=`", help);
        }
        let base = source.dot2_token.as_ref().map(|dots| {
            let span = self.token_span(&dots.spans);
            Box::new(wildcard_at(span))
        });
        let first = self.first(path.span);
        let span = self.span(first, source.brace_token.span.close());
        let kind = ExprKind::Struct { path, fields, base };
        Expr { kind, span }
    }
}

fn wildcard_at(span: SpanId) -> Expr {
    Expr {
        kind: ExprKind::Wildcard,
        span,
    }
}
