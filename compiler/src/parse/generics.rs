use super::context::Parser;
use crate::ast::{Generic, GenericKind, Path};
use crate::span::SpanId;
use proc_macro2::Span;
use syn::{GenericParam, TypeParamBound};

impl Parser<'_> {
    pub(super) fn generics(&mut self, source: &syn::Generics) -> Vec<Generic> {
        self.no_where_clause(source);
        let parameters = source.params.iter();
        parameters
            .filter_map(|parameter| self.generic(parameter))
            .collect()
    }

    /// Reports generic parameters of something that cannot have any.
    pub(super) fn no_generics(&mut self, source: &syn::Generics, construct: &str) {
        self.no_where_clause(source);
        if let (Some(open), Some(close), false) =
            (source.lt_token, source.gt_token, source.params.is_empty())
        {
            let span = self.span(open.span, close.span);
            let construct = format!("{construct} with generic parameters");
            self.unsupported(span, &construct, "write the types and dimensions out");
        }
    }

    fn no_where_clause(&mut self, source: &syn::Generics) {
        if let Some(clause) = &source.where_clause {
            let span = self.at(clause.where_token.span);
            let help = "write the bound at the parameter: `T: Float`";
            self.unsupported(span, "a `where` clause", help);
        }
    }

    fn generic(&mut self, source: &GenericParam) -> Option<Generic> {
        match source {
            GenericParam::Lifetime(lifetime) => {
                let span = self.at(lifetime.lifetime.ident.span());
                self.unsupported(span, "a lifetime", "leave it out");
                None
            }
            GenericParam::Type(parameter) => {
                self.inert_attributes(&parameter.attrs, &[]);
                self.no_default(parameter.default.as_ref().map(|(token, _)| token.spans[0]));
                let bounds = parameter.bounds.iter();
                let bounds = bounds.filter_map(|bound| self.bound(bound)).collect();
                Some(Generic {
                    name: self.ident(&parameter.ident),
                    kind: GenericKind::Type(bounds),
                })
            }
            GenericParam::Const(parameter) => {
                self.inert_attributes(&parameter.attrs, &[]);
                self.no_default(parameter.default.as_ref().map(|(token, _)| token.spans[0]));
                if !is_usize(&parameter.ty) {
                    let span = self.whole(&parameter.ty);
                    let help = "write `usize`, or take a static parameter";
                    self.unsupported(span, "a constant parameter of this type", help);
                }
                Some(Generic {
                    name: self.ident(&parameter.ident),
                    kind: GenericKind::Dimension,
                })
            }
        }
    }

    fn no_default(&mut self, token: Option<Span>) {
        if let Some(token) = token {
            let span = self.at(token);
            let help = "give the argument where the item is used";
            self.unsupported(span, "a default of a generic parameter", help);
        }
    }

    fn bound(&mut self, source: &TypeParamBound) -> Option<Path> {
        match source {
            TypeParamBound::Trait(bound) if bound.maybe.is_none() && bound.lifetimes.is_none() => {
                Some(self.path(&bound.path))
            }
            other => {
                let span: SpanId = self.whole(other);
                let help = "the bounds are `Float`, `Int`, `Num` and `Element`";
                self.unsupported(span, "this bound", help);
                None
            }
        }
    }
}

fn is_usize(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.qself.is_none() && path.path.is_ident("usize"),
        syn::Type::Group(group) => is_usize(&group.elem),
        _ => false,
    }
}
