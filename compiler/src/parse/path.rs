use super::context::Parser;
use crate::ast::{self, GenericArgument, Path, Segment};
use proc_macro2::Span;
use syn::PathArguments;

impl Parser<'_> {
    pub(super) fn path(&mut self, source: &syn::Path) -> Path {
        let first = source.segments.first().map(|first| first.ident.span());
        let first = first.unwrap_or_else(Span::call_site);
        if let Some(colons) = &source.leading_colon {
            let span = self.whole(colons);
            self.unsupported(span, "a leading `::`", "leave out `::`");
        }
        let mut last = first;
        let mut segments = Vec::with_capacity(source.segments.len());
        for segment in &source.segments {
            let name = self.ident(&segment.ident);
            let (arguments, end) = self.path_arguments(&segment.arguments);
            last = end.unwrap_or_else(|| segment.ident.span());
            segments.push(Segment { name, arguments });
        }
        let span = self.span(first, last);
        Path { segments, span }
    }

    /// A path without `<T as Trait>`.
    pub(super) fn plain_path(
        &mut self,
        qualifier: Option<&syn::QSelf>,
        source: &syn::Path,
    ) -> Option<Path> {
        if let Some(qualifier) = qualifier {
            let span = self.span(qualifier.lt_token.span, qualifier.gt_token.span);
            self.unsupported(span, "a qualified path", "name the item itself");
            return None;
        }
        Some(self.path(source))
    }

    /// The generic arguments of a path's segment, and where they end.
    fn path_arguments(&mut self, source: &PathArguments) -> (Vec<GenericArgument>, Option<Span>) {
        match source {
            PathArguments::None => (Vec::new(), None),
            PathArguments::AngleBracketed(angles) => {
                (self.generic_arguments(angles), Some(angles.gt_token.span))
            }
            PathArguments::Parenthesized(arguments) => {
                let span = self.whole(arguments);
                let help = "a function as a parameter has the type `impl Fn(A) -> B`";
                self.unsupported(span, "a path with parentheses", help);
                (Vec::new(), Some(self.last(span)))
            }
        }
    }

    pub(super) fn generic_arguments(
        &mut self,
        source: &syn::AngleBracketedGenericArguments,
    ) -> Vec<GenericArgument> {
        let arguments = source.args.iter();
        arguments
            .filter_map(|one| self.generic_argument(one))
            .collect()
    }

    fn generic_argument(&mut self, source: &syn::GenericArgument) -> Option<GenericArgument> {
        match source {
            syn::GenericArgument::Type(ty) => Some(GenericArgument::Type(self.ty(ty))),
            syn::GenericArgument::Const(value) => {
                Some(GenericArgument::Const(self.const_argument(value)))
            }
            syn::GenericArgument::Lifetime(lifetime) => {
                let span = self.at(lifetime.ident.span());
                self.unsupported(span, "a lifetime", "leave it out");
                None
            }
            other => {
                let span = self.whole(other);
                self.unsupported(span, "a named generic argument", "leave out the name");
                None
            }
        }
    }

    /// `{2 * N}` is `2 * N`.
    fn const_argument(&mut self, source: &syn::Expr) -> ast::Expr {
        let value = self.expr(source);
        match value.kind {
            ast::ExprKind::Block(ast::Block {
                statements,
                value: Some(inner),
                ..
            }) if statements.is_empty() => ast::Expr {
                kind: inner.kind,
                span: value.span,
            },
            kind => ast::Expr {
                kind,
                span: value.span,
            },
        }
    }
}
