use super::context::Parser;
use crate::ast::{Ident, Pattern, PatternKind, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::SpanId;
use syn::Pat;

impl Parser<'_> {
    pub(super) fn pattern(&mut self, source: &Pat) -> Pattern {
        match source {
            Pat::Ident(ident) => self.ident_pattern(ident),
            Pat::Wild(wild) => Pattern {
                kind: PatternKind::Wildcard,
                span: self.at(wild.underscore_token.spans[0]),
            },
            Pat::Paren(paren) => {
                let kind = self.pattern(&paren.pat).kind;
                let delimiter = paren.paren_token.span;
                let span = self.span(delimiter.open(), delimiter.close());
                Pattern { kind, span }
            }
            Pat::Tuple(tuple) => {
                let elements = tuple.elems.iter().map(|one| self.pattern(one)).collect();
                let delimiter = tuple.paren_token.span;
                let span = self.span(delimiter.open(), delimiter.close());
                let kind = PatternKind::Tuple(elements);
                Pattern { kind, span }
            }
            Pat::Slice(slice) => {
                let elements = slice.elems.iter().map(|one| self.pattern(one)).collect();
                let delimiter = slice.bracket_token.span;
                let span = self.span(delimiter.open(), delimiter.close());
                let kind = PatternKind::Array(elements);
                Pattern { kind, span }
            }
            Pat::Struct(fields) => self.struct_pattern(fields),
            other => self.unsupported_pattern(other),
        }
    }

    /// A pattern that may have a type behind it: `x: T`.
    pub(super) fn typed_pattern(&mut self, source: &Pat) -> (Pattern, Option<Type>) {
        match source {
            Pat::Type(typed) => {
                self.inert_attributes(&typed.attrs, &[]);
                (self.pattern(&typed.pat), Some(self.ty(&typed.ty)))
            }
            other => (self.pattern(other), None),
        }
    }

    fn ident_pattern(&mut self, source: &syn::PatIdent) -> Pattern {
        self.inert_attributes(&source.attrs, &[]);
        if let Some(by_ref) = &source.by_ref {
            let span = self.at(by_ref.span);
            self.unsupported(span, "`ref`", "leave out `ref`");
        }
        if let Some((at, _)) = &source.subpat {
            let span = self.at(at.spans[0]);
            self.unsupported(span, "`@` in a pattern", "bind the parts in a second `let`");
        }
        let name = self.ident(&source.ident);
        let last = self.last(name.span);
        let first = source.mutability.as_ref().map_or(last, |token| token.span);
        let span = self.span(first, last);
        let mutable = source.mutability.is_some();
        let kind = PatternKind::Ident { name, mutable };
        Pattern { kind, span }
    }

    fn struct_pattern(&mut self, source: &syn::PatStruct) -> Pattern {
        let Some(path) = self.plain_path(source.qself.as_ref(), &source.path) else {
            return error(self.whole(source));
        };
        let mut fields = Vec::with_capacity(source.fields.len());
        for field in &source.fields {
            self.inert_attributes(&field.attrs, &[]);
            let Some(name) = self.named_member(&field.member) else {
                continue;
            };
            fields.push((name, self.pattern(&field.pat)));
        }
        let first = self.first(path.span);
        let span = self.span(first, source.brace_token.span.close());
        let rest = source.rest.is_some();
        let kind = PatternKind::Struct { path, fields, rest };
        Pattern { kind, span }
    }

    /// A field's name, where a number is a mistake.
    pub(super) fn named_member(&mut self, source: &syn::Member) -> Option<Ident> {
        match source {
            syn::Member::Named(name) => Some(self.ident(name)),
            syn::Member::Unnamed(index) => {
                let span = self.at(index.span);
                let message = format!("a tree has no field `{}`", index.index);
                let help = "trees have named fields; `.0` belongs to tuples";
                self.report(Diagnostic::new(Code::Field, span, message).help(help));
                None
            }
        }
    }

    fn unsupported_pattern(&mut self, source: &Pat) -> Pattern {
        let (construct, help) = match source {
            Pat::Lit(_) | Pat::Const(_) => ("a constant in a pattern", "compare with `if`"),
            Pat::Range(_) => ("a range in a pattern", "compare with `if`"),
            Pat::Or(_) => ("`|` in a pattern", "compare with `if`"),
            Pat::Guard(_) => ("a guard in a pattern", "compare with `if`"),
            Pat::Path(_) => ("a path as a pattern", "bind a name and compare with `if`"),
            Pat::Reference(_) => ("`&` in a pattern", "leave out `&`"),
            Pat::Rest(_) => ("`..` among elements", "write `_` for each of them"),
            Pat::TupleStruct(_) => (
                "a tuple struct",
                "destructure a tree by its fields: `Tree { a, b }`",
            ),
            Pat::Macro(_) => ("a macro as a pattern", "write the pattern out"),
            Pat::Type(_) => (
                "a type inside a pattern",
                "write the type behind the whole pattern",
            ),
            _ => (
                "this pattern",
                "patterns are names, `_`, tuples, arrays and trees",
            ),
        };
        let span = self.whole(source);
        self.unsupported(span, construct, help);
        error(span)
    }
}

fn error(span: SpanId) -> Pattern {
    Pattern {
        kind: PatternKind::Error,
        span,
    }
}
