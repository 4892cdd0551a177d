//! Types of the host as tokens.

use super::Context;
use crate::ast::ModuleId;
use crate::interface::{HostArgument, HostElement, HostLength, HostType};
use iree_abi::DType;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

impl Context<'_> {
    /// The type of a result or of a tree's field.
    pub(super) fn value_type(&self, ty: &HostType) -> TokenStream {
        let root = self.root;
        match ty {
            HostType::Array { element, rank } => {
                let (element, dimension) = (self.element(element), self.dimension(*rank));
                quote!(#root::DeviceArray<#element, #dimension>)
            }
            HostType::Tree {
                module,
                name,
                arguments,
            } => self.tree_type(*module, name, arguments),
            HostType::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.value_type(element));
                quote!((#(#elements,)*))
            }
            HostType::List(element, length) => {
                let (element, length) = (self.value_type(element), self.length(length));
                quote!([#element; #length])
            }
            HostType::Parameter(name) => parameter(name),
            // A guess that most uses of a result agree with.
            HostType::Unknown => {
                let float = primitive("f32");
                quote!(#root::DeviceArray<#float, #root::ndarray::IxDyn>)
            }
        }
    }

    /// The type of a procedure's parameter, which accepts whatever converts.
    pub(super) fn parameter_type(&self, ty: &HostType) -> TokenStream {
        match ty {
            HostType::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.parameter_type(element));
                quote!((#(#elements,)*))
            }
            HostType::List(element, length) => {
                let (element, length) = (self.parameter_type(element), self.length(length));
                quote!([#element; #length])
            }
            HostType::Unknown => quote!(impl ::core::marker::Sized),
            _ => {
                let argument = self.argument_type(ty, &quote!('a));
                quote!(impl ::core::convert::Into<#argument>)
            }
        }
    }

    /// The type of a part of a tree where it is made from arrays of the host.
    pub(super) fn upload_type(&self, ty: &HostType) -> TokenStream {
        match ty {
            HostType::Array { .. } => {
                let argument = self.argument_type(ty, &quote!('a));
                quote!(impl ::core::convert::Into<#argument>)
            }
            HostType::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.upload_type(element));
                quote!((#(#elements,)*))
            }
            HostType::List(element, length) => {
                let (element, length) = (self.upload_type(element), self.length(length));
                quote!([#element; #length])
            }
            HostType::Tree { .. } | HostType::Parameter(_) | HostType::Unknown => {
                self.value_type(ty)
            }
        }
    }

    /// What the argument for an array or a tree is converted to.
    pub(super) fn argument_type(&self, ty: &HostType, lifetime: &TokenStream) -> TokenStream {
        let root = self.root;
        if let HostType::Array { element, rank } = ty {
            let (element, dimension) = (self.element(element), self.dimension(*rank));
            quote!(#root::Argument<#lifetime, #element, #dimension>)
        } else {
            let tree = self.value_type(ty);
            quote!(#root::TreeArgument<#lifetime, #tree>)
        }
    }

    fn tree_type(&self, module: ModuleId, name: &str, arguments: &[HostArgument]) -> TokenStream {
        let name = parameter(name);
        let name = match self.paths.get(module.index()) {
            Some(path) if !path.is_empty() => quote!(#path::#name),
            _ => name,
        };
        if arguments.is_empty() {
            return name;
        }
        let arguments = arguments.iter().map(|argument| self.argument(argument));
        quote!(#name<#(#arguments),*>)
    }

    /// A generic argument.
    pub(super) fn argument(&self, argument: &HostArgument) -> TokenStream {
        match argument {
            HostArgument::Element(element) => self.element(element),
            HostArgument::Type(ty) => self.value_type(ty),
            HostArgument::Length(length) => self.length(length),
        }
    }

    fn length(&self, length: &HostLength) -> TokenStream {
        match length {
            HostLength::Known(length) => {
                let length = Literal::usize_unsuffixed(*length);
                quote!(#length)
            }
            HostLength::Parameter(name) => parameter(name),
            HostLength::RunTime => {
                let root = self.root;
                quote!({ #root::RUN_TIME })
            }
        }
    }

    fn element(&self, element: &HostElement) -> TokenStream {
        match element {
            HostElement::Known(dtype) => self.rust_type(*dtype),
            HostElement::Parameter(name) => parameter(name),
        }
    }

    /// The type of Rust for an element type.
    pub(super) fn rust_type(&self, dtype: DType) -> TokenStream {
        let root = self.root;
        match dtype {
            DType::F16 => quote!(#root::half::f16),
            DType::BF16 => quote!(#root::half::bf16),
            DType::C64 | DType::C128 => {
                let part = primitive(dtype.real().name());
                quote!(#root::num_complex::Complex<#part>)
            }
            _ => primitive(dtype.name()),
        }
    }

    /// The dimension type of `ndarray` for a number of axes; it has one for each up to six.
    fn dimension(&self, rank: usize) -> TokenStream {
        let root = self.root;
        let name = if rank > 6 {
            "IxDyn".to_owned()
        } else {
            format!("Ix{rank}")
        };
        let name = Ident::new(&name, Span::call_site());
        quote!(#root::ndarray::#name)
    }
}

fn primitive(name: &str) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    quote!(::core::primitive::#name)
}

/// A name of the user's: a tree or a generic parameter.
fn parameter(name: &str) -> TokenStream {
    let name = match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    };
    quote!(#name)
}
