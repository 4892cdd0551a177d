use super::context::Parser;
use crate::ast::{Generic, GenericArgument, GenericKind, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::SpanId;
use syn::{GenericParam, TypeParamBound};

impl Parser<'_> {
    /// Generic parameters of a kernel or, where `Dims` has no meaning, of something else than a tree.
    pub(super) fn generics(&mut self, source: &syn::Generics, is_kernel: bool) -> Vec<Generic> {
        let mut generics = self.any_generics(source);
        for generic in &mut generics {
            if let Some(default) = generic.default.take() {
                let help = "give the argument where the item is used";
                let construct = "a default of a generic parameter of anything but a tree";
                self.unsupported(default.span(), construct, help);
            }
        }
        if !is_kernel {
            self.no_dimensions(&generics);
        }
        generics
    }

    /// Generic parameters of a struct, the last of which may have defaults, as in Rust.
    pub(super) fn generics_of_tree(&mut self, source: &syn::Generics) -> Vec<Generic> {
        let generics = self.any_generics(source);
        self.no_dimensions(&generics);
        let first = generics.iter().position(|one| one.default.is_some());
        for generic in generics.iter().skip(first.unwrap_or(generics.len())) {
            if generic.default.is_none() {
                let message = format!("`{}` needs a default too", generic.name.name);
                let help = "generic parameters with defaults come last";
                let diagnostic = Diagnostic::new(Code::Syntax, generic.name.span, message);
                self.report(diagnostic.help(help));
            }
        }
        generics
    }

    fn any_generics(&mut self, source: &syn::Generics) -> Vec<Generic> {
        self.no_where_clause(source);
        let parameters = source.params.iter();
        parameters
            .filter_map(|parameter| self.generic(parameter))
            .collect()
    }

    /// Reports parameters for any number of dimensions, which the host has no types for.
    fn no_dimensions(&mut self, generics: &[Generic]) {
        let dimensions = |one: &&Generic| matches!(one.kind, GenericKind::Dimensions);
        for generic in generics.iter().filter(dimensions) {
            let help = "only kernels have such: write a `const N: usize` for each dimension";
            let construct = "`Dims` of anything but a kernel";
            self.unsupported(generic.name.span, construct, help);
        }
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
                let bounds = parameter.bounds.iter();
                let bounds = bounds.filter_map(|bound| self.bound(bound));
                let bounds: Vec<_> = bounds.collect();
                let default = parameter.default.as_ref();
                Some(Generic {
                    name: self.ident(&parameter.ident),
                    kind: match bounds.as_slice() {
                        [only] if is_dims(only) => GenericKind::Dimensions,
                        _ => GenericKind::Type(bounds),
                    },
                    default: default.map(|(_, ty)| GenericArgument::Type(self.ty(ty))),
                })
            }
            GenericParam::Const(parameter) => {
                self.inert_attributes(&parameter.attrs, &[]);
                if !is_usize(&parameter.ty) {
                    let span = self.whole(&parameter.ty);
                    let help = "write `usize`, or take a static parameter";
                    self.unsupported(span, "a constant parameter of this type", help);
                }
                let default = parameter.default.as_ref();
                Some(Generic {
                    name: self.ident(&parameter.ident),
                    kind: GenericKind::Dimension,
                    default: default.map(|(_, value)| self.value_argument(value)),
                })
            }
        }
    }

    fn bound(&mut self, source: &TypeParamBound) -> Option<Path> {
        match source {
            TypeParamBound::Trait(bound) if bound.maybe.is_none() && bound.lifetimes.is_none() => {
                Some(self.path(&bound.path))
            }
            other => {
                let span: SpanId = self.whole(other);
                let help = "the bounds are `Float`, `Int`, `Num`, `Element` and `Dims`";
                self.unsupported(span, "this bound", help);
                None
            }
        }
    }
}

fn is_dims(bound: &Path) -> bool {
    bound.as_ident().is_some_and(|name| name.name == "Dims")
}

fn is_usize(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.qself.is_none() && path.path.is_ident("usize"),
        syn::Type::Group(group) => is_usize(&group.elem),
        _ => false,
    }
}
