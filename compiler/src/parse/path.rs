use super::context::Parser;
use crate::ast::{self, GenericArgument, Path, Segment};
use crate::diagnostic::{Code, Diagnostic};
use proc_macro2::Span;
use quote::ToTokens;
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
            syn::GenericArgument::Const(value) => Some(match assignment(value) {
                Some((name, value)) => {
                    let value = self.value_argument(value);
                    self.named(name, value)
                }
                None => GenericArgument::Const(self.const_argument(value)),
            }),
            syn::GenericArgument::Lifetime(lifetime) => {
                let span = self.at(lifetime.ident.span());
                self.unsupported(span, "a lifetime", "leave it out");
                None
            }
            syn::GenericArgument::AssocType(named) if named.generics.is_none() => {
                let value = GenericArgument::Type(self.ty(&named.ty));
                Some(self.named(&named.ident, value))
            }
            syn::GenericArgument::AssocConst(named) => {
                let span = self.whole(named);
                let message = "Rust reads a number or an expression after `=` in braces only";
                let help = format!("write `{{ {} }}`", named.to_token_stream());
                self.report(Diagnostic::new(Code::Syntax, span, message).help(help));
                let value = GenericArgument::Const(self.const_argument(&named.value));
                Some(self.named(&named.ident, value))
            }
            other => {
                let span = self.whole(other);
                self.unsupported(span, "this generic argument", "write `NAME = value`");
                None
            }
        }
    }

    fn named(&mut self, name: &syn::Ident, value: GenericArgument) -> GenericArgument {
        GenericArgument::Named(self.ident(name), Box::new(value))
    }

    /// What stands behind a name in braces, `{ NAME = … }`: a name may be that of a type.
    pub(super) fn value_argument(&mut self, source: &syn::Expr) -> GenericArgument {
        let value = self.const_argument(source);
        match value.kind {
            ast::ExprKind::Path(path) => GenericArgument::Type(ast::Type {
                kind: ast::TypeKind::Path(path),
                span: value.span,
            }),
            kind => GenericArgument::Const(ast::Expr { kind, ..value }),
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

/// The name and the value of `{ NAME = value }`.
fn assignment(source: &syn::Expr) -> Option<(&syn::Ident, &syn::Expr)> {
    let syn::Expr::Block(block) = source else {
        return None;
    };
    let [syn::Stmt::Expr(syn::Expr::Assign(assign), None)] = block.block.stmts.as_slice() else {
        return None;
    };
    match &*assign.left {
        syn::Expr::Path(path) => Some((path.path.get_ident()?, &*assign.right)),
        _ => None,
    }
}
