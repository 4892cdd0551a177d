use super::context::Parser;
use crate::ast::{Type, TypeKind};
use crate::span::SpanId;
use syn::punctuated::Punctuated;
use syn::{PathArguments, ReturnType, TypeParamBound};

const FUNCTION_HELP: &str = "a function as a parameter has the type `impl Fn(A) -> B`";

impl Parser<'_> {
    pub(super) fn ty(&mut self, source: &syn::Type) -> Type {
        match source {
            syn::Type::Path(path) => match self.plain_path(path.qself.as_ref(), &path.path) {
                Some(path) => Type {
                    span: path.span,
                    kind: TypeKind::Path(path),
                },
                None => self.type_error(source),
            },
            syn::Type::Group(group) => self.ty(&group.elem),
            syn::Type::Paren(paren) => {
                let kind = self.ty(&paren.elem).kind;
                let delimiter = paren.paren_token.span;
                let span = self.span(delimiter.open(), delimiter.close());
                Type { kind, span }
            }
            syn::Type::Tuple(tuple) => {
                let elements = tuple.elems.iter().map(|element| self.ty(element)).collect();
                let delimiter = tuple.paren_token.span;
                let span = self.span(delimiter.open(), delimiter.close());
                let kind = TypeKind::Tuple(elements);
                Type { kind, span }
            }
            syn::Type::Array(array) => {
                let element = Box::new(self.ty(&array.elem));
                let length = Box::new(self.expr(&array.len));
                let delimiter = array.bracket_token.span;
                let span = self.span(delimiter.open(), delimiter.close());
                let kind = TypeKind::Array(element, length);
                Type { kind, span }
            }
            syn::Type::Infer(infer) => Type {
                kind: TypeKind::Infer,
                span: self.at(infer.underscore_token.spans[0]),
            },
            syn::Type::Reference(reference) => self.reference_type(reference),
            syn::Type::ImplTrait(function) => self.function_type(function),
            other => self.unsupported_type(other),
        }
    }

    /// The declared type of a result; `None` for the unit type.
    pub(super) fn result_type(&mut self, source: &ReturnType) -> Option<Type> {
        match source {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => match self.ty(ty) {
                Type {
                    kind: TypeKind::Tuple(elements),
                    ..
                } if elements.is_empty() => None,
                ty => Some(ty),
            },
        }
    }

    fn reference_type(&mut self, source: &syn::TypeReference) -> Type {
        if let Some(lifetime) = &source.lifetime {
            let span = self.at(lifetime.ident.span());
            self.unsupported(span, "a lifetime", "leave it out");
        }
        if let Some(mutability) = &source.mutability {
            let span = self.span(source.and_token.spans[0], mutability.span);
            let help = "take the value and return the new one";
            self.unsupported(span, "a `&mut` reference", help);
        }
        let inner = self.ty(&source.elem);
        let last = self.last(inner.span);
        let span = self.span(source.and_token.spans[0], last);
        Type {
            kind: TypeKind::Reference(Box::new(inner)),
            span,
        }
    }

    fn function_type(&mut self, source: &syn::TypeImplTrait) -> Type {
        let Some(arguments) = function_bound(&source.bounds) else {
            let span = self.whole(source);
            self.unsupported(span, "this `impl` type", FUNCTION_HELP);
            return error(span);
        };
        let inputs = arguments.inputs.iter();
        let parameters = inputs.map(|input| self.ty(&input.ty)).collect();
        let result = self.result_type(&arguments.output).map(Box::new);
        let last = match &result {
            Some(result) => self.last(result.span),
            None => arguments.paren_token.span.close(),
        };
        let span = self.span(source.impl_token.span, last);
        let kind = TypeKind::Function { parameters, result };
        Type { kind, span }
    }

    fn unsupported_type(&mut self, source: &syn::Type) -> Type {
        let (construct, help) = match source {
            syn::Type::FnPtr(_) => ("a function pointer", FUNCTION_HELP),
            syn::Type::TraitObject(_) => ("a trait object", FUNCTION_HELP),
            syn::Type::Slice(_) => (
                "a slice type",
                "give the length: `[T; N]`, or `Tensor<f32, N>` for numbers to compute with",
            ),
            syn::Type::Ptr(_) => ("a raw pointer", "take the value itself"),
            syn::Type::Never(_) => ("the type `!`", "leave out the result type"),
            syn::Type::Macro(_) => ("a macro as a type", "write the type out"),
            _ => (
                "this type",
                "types are tensors, trees, tuples, arrays and scalars",
            ),
        };
        let span = self.whole(source);
        self.unsupported(span, construct, help);
        error(span)
    }

    fn type_error(&mut self, source: &syn::Type) -> Type {
        error(self.whole(source))
    }
}

fn error(span: SpanId) -> Type {
    Type {
        kind: TypeKind::Error,
        span,
    }
}

/// The arguments of `Fn(A) -> B`, if that is the only bound.
fn function_bound(
    bounds: &Punctuated<TypeParamBound, syn::Token![+]>,
) -> Option<&syn::ParenthesizedGenericArguments> {
    let mut bounds = bounds.iter();
    let (Some(TypeParamBound::Trait(bound)), None) = (bounds.next(), bounds.next()) else {
        return None;
    };
    let mut segments = bound.path.segments.iter();
    let (Some(segment), None) = (segments.next(), segments.next()) else {
        return None;
    };
    match &segment.arguments {
        PathArguments::Parenthesized(arguments) if segment.ident == "Fn" => Some(arguments),
        _ => None,
    }
}
