//! Views of operations.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{
    builder::attribute_type,
    documentation::{self, comment},
    information, names,
};
use crate::{Arity, Attribute, AttributeKind, Operation, Presence, Region, Successor, Value};

/// The view of an operation.
pub(super) fn emit(operation: &Operation) -> TokenStream {
    let view = names::view(operation);
    let builder = names::builder(operation);
    let name = &operation.name;
    let documentation = documentation::view(operation);
    let entry = information::entry(operation);
    let operands = operation.operands.iter().enumerate();
    let operands = operands.map(|one| operand(one, &operation.operands));
    let attributes = operation.attributes.iter().enumerate().map(attribute);
    let results = operation.results.iter().enumerate();
    let results = results.map(|one| value("result", one, &operation.results));
    let regions = operation.regions.iter().enumerate().map(region);
    let successors = operation.successors.iter().enumerate().map(successor);

    // Upstream writes its descriptions for another renderer, hence the allowed lints.
    quote! {
        #documentation
        #[allow(rustdoc::bare_urls, rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct #view<'c, 'a>(::iree_dialects::support::OperationRef<'c, 'a>);

        impl<'c, 'a> #view<'c, 'a> {
            /// The name of the operation.
            pub const NAME: &'static str = #name;

            /// What the definition says about the operation.
            pub const INFO: &'static ::iree_dialects::OperationInfo = &#entry;

            /// Starts building an operation.
            #[inline]
            pub fn builder(
                context: &'c ::iree_dialects::support::Context,
                location: ::iree_dialects::support::Location<'c>,
            ) -> #builder<'c, 'a> {
                #builder(::iree_dialects::support::OperationState::new(Self::INFO, context, location))
            }

            /// The operation itself.
            pub fn as_operation(&self) -> ::iree_dialects::support::OperationRef<'c, 'a> {
                self.0
            }

            #(#operands)*
            #(#attributes)*
            #(#results)*
            #(#regions)*
            #(#successors)*
        }

        impl<'c: 'a, 'a> ::iree_dialects::OperationView<'c, 'a> for #view<'c, 'a> {
            type Builder = #builder<'c, 'a>;

            const INFO: &'static ::iree_dialects::OperationInfo = Self::INFO;

            #[inline]
            fn begin(
                context: &'c ::iree_dialects::support::Context,
                location: ::iree_dialects::support::Location<'c>,
            ) -> Self::Builder {
                Self::builder(context, location)
            }

            #[inline]
            fn insert(
                builder: Self::Builder,
                point: ::iree_dialects::InsertionPoint<'c, 'a>,
            ) -> Result<Self, ::iree_dialects::Error> {
                Ok(Self(point.insert(builder.build()?)?))
            }
        }

        impl<'c, 'a> TryFrom<::iree_dialects::support::OperationRef<'c, 'a>> for #view<'c, 'a> {
            type Error = ::iree_dialects::Error;

            fn try_from(
                operation: ::iree_dialects::support::OperationRef<'c, 'a>,
            ) -> Result<Self, Self::Error> {
                ::iree_dialects::support::expect_operation(Self::NAME, operation)?;
                Ok(Self(operation))
            }
        }

        impl<'c, 'a> From<#view<'c, 'a>> for ::iree_dialects::support::OperationRef<'c, 'a> {
            fn from(view: #view<'c, 'a>) -> Self {
                view.0
            }
        }
    }
}

fn operand((index, operand): (usize, &Value), all: &[Value]) -> TokenStream {
    let accessor = value("operand", (index, operand), all);
    let setter = names::setter(&operand.name);
    let documentation = comment(&format!(
        "Replaces the operand `{}`.\n\n# Errors\n\nIf the operation does not have it, or its sizes are fixed.",
        operand.name
    ));
    let (r#type, function) = match operand.arity {
        Arity::Single => (
            quote!(::iree_dialects::support::Value<'c, 'a>),
            quote!(&[value]),
        ),
        Arity::Optional => (
            quote!(Option<::iree_dialects::support::Value<'c, 'a>>),
            quote!(value.as_slice()),
        ),
        Arity::Variadic => (
            quote!(&[::iree_dialects::support::Value<'c, 'a>]),
            quote!(value),
        ),
    };

    quote! {
        #accessor

        #documentation
        pub fn #setter(&self, value: #r#type) -> Result<(), ::iree_dialects::Error> {
            ::iree_dialects::support::set_operands(Self::INFO, self.0, #index, #function)
        }
    }
}

/// The accessor of an operand or a result, of which those in front of all lists are where their index says.
fn value(noun: &str, (index, value): (usize, &Value), all: &[Value]) -> TokenStream {
    let name = names::method(&value.name);
    let documentation = comment(&format!(
        "The {noun} `{}`.\n\n# Errors\n\nIf the operation does not have it, which its verifier would find.",
        value.name
    ));
    let mut before = all.iter().take(index);
    let is_fixed = before.all(|value| value.arity == Arity::Single);
    let (r#type, function) = match value.arity {
        Arity::Single if is_fixed => (
            quote!(::iree_dialects::support::Value<'c, 'a>),
            format_ident!("fixed_{noun}"),
        ),
        Arity::Single => (
            quote!(::iree_dialects::support::Value<'c, 'a>),
            format_ident!("{noun}"),
        ),
        Arity::Optional => (
            quote!(Option<::iree_dialects::support::Value<'c, 'a>>),
            format_ident!("optional_{noun}"),
        ),
        Arity::Variadic => (
            quote!(Vec<::iree_dialects::support::Value<'c, 'a>>),
            format_ident!("{noun}s"),
        ),
    };

    quote! {
        #documentation
        #[inline]
        pub fn #name(&self) -> Result<#r#type, ::iree_dialects::Error> {
            ::iree_dialects::support::#function(Self::INFO, self.0, #index)
        }
    }
}

fn attribute((index, attribute): (usize, &Attribute)) -> TokenStream {
    let setter = attribute_setter(index, attribute);
    let method = names::method(&attribute.name);
    let name = &attribute.name;

    if attribute.kind == AttributeKind::Unit {
        let documentation = comment(&format!("Whether the attribute `{name}` is present."));

        return quote! {
            #documentation
            pub fn #method(&self) -> bool {
                ::iree_dialects::support::has_attribute(self.0, #name)
            }

            #setter
        };
    }

    let r#type =
        attribute_type(&attribute.kind).unwrap_or(quote!(::iree_dialects::support::Attribute<'c>));

    if attribute.presence == Presence::Required {
        let documentation = comment(&format!(
            "The attribute `{name}`.\n\n# Errors\n\nIf it is missing or of another kind."
        ));

        quote! {
            #documentation
            pub fn #method(&self) -> Result<#r#type, ::iree_dialects::Error> {
                ::iree_dialects::support::attribute(self.0, #name)
            }

            #setter
        }
    } else {
        let documentation = comment(&format!(
            "The attribute `{name}`, if present.\n\n# Errors\n\nIf it is of another kind."
        ));

        quote! {
            #documentation
            pub fn #method(&self) -> Result<Option<#r#type>, ::iree_dialects::Error> {
                ::iree_dialects::support::optional_attribute(self.0, #name)
            }

            #setter
        }
    }
}

/// What sets an attribute, and removes it where it may be absent.
fn attribute_setter(index: usize, attribute: &Attribute) -> TokenStream {
    let name = &attribute.name;
    let setter = names::setter(name);

    if attribute.kind == AttributeKind::Unit {
        let documentation = comment(&format!(
            "Sets or removes the attribute `{name}`.\n\n# Errors\n\nIf it cannot be removed."
        ));

        return quote! {
            #documentation
            pub fn #setter(&self, present: bool) -> Result<(), ::iree_dialects::Error> {
                ::iree_dialects::support::set_unit_attribute(self.0, #name, present)
            }
        };
    }

    let documentation = comment(&format!(
        "Sets the attribute `{name}`.\n\n# Errors\n\nIf the value has no attribute."
    ));
    let r#type =
        attribute_type(&attribute.kind).unwrap_or(quote!(::iree_dialects::support::Attribute<'c>));
    let remover = (attribute.presence != Presence::Required).then(|| {
        let remover = names::remover(name);
        let documentation = comment(&format!(
            "Removes the attribute `{name}`, and says whether it was there.\n\n# Errors\n\nIf it cannot be removed."
        ));

        quote! {
            #documentation
            pub fn #remover(&self) -> Result<bool, ::iree_dialects::Error> {
                ::iree_dialects::support::remove_attribute(self.0, #name)
            }
        }
    });

    quote! {
        #documentation
        pub fn #setter(
            &self,
            value: impl ::iree_dialects::support::IntoAttribute<'c, #r#type>,
        ) -> Result<(), ::iree_dialects::Error> {
            ::iree_dialects::support::set_attribute(Self::INFO, self.0, #index, value)
        }

        #remover
    }
}

fn region((index, region): (usize, &Region)) -> TokenStream {
    let name = names::method(&region.name);
    let (noun, r#type, function) = match region.arity {
        Arity::Variadic => (
            "regions",
            quote!(Vec<::iree_dialects::support::RegionRef<'c, 'a>>),
            quote!(regions),
        ),
        Arity::Single | Arity::Optional => (
            "region",
            quote!(::iree_dialects::support::RegionRef<'c, 'a>),
            quote!(region),
        ),
    };
    let documentation = comment(&format!(
        "The {noun} `{}`.\n\n# Errors\n\nIf the operation does not have it, which its verifier would find.",
        region.name
    ));

    quote! {
        #documentation
        #[inline]
        pub fn #name(&self) -> Result<#r#type, ::iree_dialects::Error> {
            ::iree_dialects::support::#function(Self::INFO, self.0, #index)
        }
    }
}

fn successor((index, successor): (usize, &Successor)) -> TokenStream {
    let name = names::method(&successor.name);

    if successor.arity == Arity::Variadic {
        let documentation = comment(&format!("The successors `{}`.", successor.name));

        return quote! {
            #documentation
            pub fn #name(&self) -> Vec<::iree_dialects::support::BlockRef<'c, 'a>> {
                ::iree_dialects::support::successors(self.0, #index)
            }
        };
    }

    let setter = names::setter(&successor.name);
    let documentation = comment(&format!(
        "The successor `{}`.\n\n# Errors\n\nIf the operation does not have it, which its verifier would find.",
        successor.name
    ));
    let setter_documentation = comment(&format!(
        "Replaces the successor `{}`.\n\n# Errors\n\nIf the operation does not have it, or the block is of another module.",
        successor.name
    ));

    quote! {
        #documentation
        pub fn #name(
            &self,
        ) -> Result<::iree_dialects::support::BlockRef<'c, 'a>, ::iree_dialects::Error> {
            ::iree_dialects::support::successor(Self::INFO, self.0, #index)
        }

        #setter_documentation
        pub fn #setter(
            &self,
            block: ::iree_dialects::support::BlockRef<'c, 'a>,
        ) -> Result<(), ::iree_dialects::Error> {
            ::iree_dialects::support::set_successor(Self::INFO, self.0, #index, block)
        }
    }
}
