//! Builders of operations.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{documentation::comment, names};
use crate::{
    Arity, Attribute, AttributeKind, Operation, Region, RustType, Successor, TypeInference, Value,
};

/// The builder of an operation.
pub(super) fn emit(operation: &Operation) -> TokenStream {
    let builder = names::builder(operation);
    let view = names::view(operation);
    let documentation = comment(&format!("A builder of `{}`.", operation.name));
    let operands = operation.operands.iter().enumerate().map(operand);
    let attributes = operation.attributes.iter().enumerate().map(attribute);
    let results = operation.results.iter().enumerate().map(result);
    let regions = operation.regions.iter().enumerate().map(region);
    let successors = operation.successors.iter().enumerate().map(successor);

    quote! {
        #documentation
        #[derive(Debug)]
        #[must_use = "an operation exists only once it is built"]
        pub struct #builder<'c, 'a>(::iree_dialects::support::OperationState<'c, 'a>);

        impl<'c, 'a> #builder<'c, 'a> {
            #(#operands)*
            #(#attributes)*
            #(#results)*
            #(#regions)*
            #(#successors)*

            /// Sets an attribute that is not part of the definition of the operation.
            pub fn discardable_attribute(
                mut self,
                name: &str,
                attribute: impl Into<::iree_dialects::support::Attribute<'c>>,
            ) -> Self {
                self.0.set_discardable_attribute(name, attribute.into());
                self
            }

            /// Builds the operation.
            ///
            /// # Errors
            ///
            /// If a required operand, attribute, result type or region is missing, or if MLIR
            /// refuses the operation.
            pub fn build(mut self) -> Result<::iree_dialects::support::Operation<'c>, ::iree_dialects::Error> {
                self.0.build()
            }

            /// Builds the operation and appends it to a block.
            ///
            /// # Errors
            ///
            /// As [`Self::build`].
            pub fn append_to<'b>(
                mut self,
                block: &impl ::iree_dialects::support::BlockLike<'c, 'b>,
            ) -> Result<#view<'c, 'b>, ::iree_dialects::Error> {
                Ok(#view(block.append_operation(self.0.build()?)))
            }
        }
    }
}

fn operand((index, operand): (usize, &Value)) -> TokenStream {
    let name = names::method(&operand.name);
    let documentation = comment(&format!("Sets the operand `{}`.", operand.name));

    match operand.arity {
        Arity::Single | Arity::Optional => quote! {
            #documentation
            #[inline]
            pub fn #name(mut self, value: impl Into<::iree_dialects::support::Value<'c, 'a>>) -> Self {
                self.0.set_operand(#index, value.into());
                self
            }
        },
        Arity::Variadic => quote! {
            #documentation
            pub fn #name(mut self, values: &[::iree_dialects::support::Value<'c, 'a>]) -> Self {
                self.0.set_operands(#index, values);
                self
            }
        },
    }
}

fn attribute((index, attribute): (usize, &Attribute)) -> TokenStream {
    let name = names::method(&attribute.name);
    let documentation = comment(&format!("Sets the attribute `{}`.", attribute.name));

    if attribute.kind == AttributeKind::Unit {
        return quote! {
            #documentation
            pub fn #name(mut self, present: bool) -> Self {
                self.0.set_unit_attribute(#index, present);
                self
            }
        };
    }

    match attribute_type(&attribute.kind) {
        Some(r#type) => quote! {
            #documentation
            pub fn #name(
                mut self,
                attribute: impl ::iree_dialects::support::IntoAttribute<'c, #r#type>,
            ) -> Self {
                self.0.set_value(#index, attribute);
                self
            }
        },
        None => quote! {
            #documentation
            pub fn #name(mut self, attribute: impl Into<::iree_dialects::support::Attribute<'c>>) -> Self {
                self.0.set_attribute(#index, attribute.into());
                self
            }
        },
    }
}

/// The path of a generated type.
pub(super) fn path(name: &RustType) -> TokenStream {
    let ident = format_ident!("{}", name.name);
    let module = name.module.as_deref().map(syn::parse_str::<syn::Path>);
    match module {
        Some(Ok(module)) => quote!(#module::#ident),
        Some(Err(_)) | None => quote!(#ident),
    }
}

/// The Rust type of an attribute, where there is one that says more than `Attribute`.
pub(super) fn attribute_type(kind: &AttributeKind) -> Option<TokenStream> {
    let name = match kind {
        AttributeKind::Any | AttributeKind::Unit => return None,
        AttributeKind::Enumeration(name) => return Some(path(name)),
        AttributeKind::Definition { name, borrows } => {
            let path = path(name);
            let lifetime = borrows.then(|| quote!(<'c>));
            return Some(quote!(#path #lifetime));
        }
        AttributeKind::Array => "ArrayAttribute",
        AttributeKind::Bool => "BoolAttribute",
        AttributeKind::Dictionary => "DictionaryAttribute",
        AttributeKind::DenseElements => "DenseElementsAttribute",
        AttributeKind::DenseI32Array => "DenseI32ArrayAttribute",
        AttributeKind::DenseI64Array => "DenseI64ArrayAttribute",
        AttributeKind::FlatSymbolRef => "FlatSymbolRefAttribute",
        AttributeKind::Float(_) => "FloatAttribute",
        AttributeKind::Integer(_) => "IntegerAttribute",
        AttributeKind::String => "StringAttribute",
        AttributeKind::Type => "TypeAttribute",
    };
    let name = format_ident!("{name}");

    Some(quote!(::iree_dialects::support::#name<'c>))
}

fn result((index, result): (usize, &Value)) -> TokenStream {
    let name = names::method(&result.name);
    let default = match result.inference {
        TypeInference::Explicit => "",
        TypeInference::Operand(_) => " The default is that of the operand.",
        TypeInference::Index => " The default is `index`.",
        TypeInference::Integer(_) => " The default is the only one possible.",
    };

    match result.arity {
        Arity::Single | Arity::Optional => {
            let documentation = comment(&format!(
                "Sets the type of the result `{}`.{default}",
                result.name
            ));

            quote! {
                #documentation
                #[inline]
                pub fn #name(mut self, r#type: impl Into<::iree_dialects::support::Type<'c>>) -> Self {
                    self.0.set_result(#index, r#type.into());
                    self
                }
            }
        }
        Arity::Variadic => {
            let documentation = comment(&format!(
                "Sets the types of the results `{}`.{default}",
                result.name
            ));

            quote! {
                #documentation
                pub fn #name(mut self, types: &[::iree_dialects::support::Type<'c>]) -> Self {
                    self.0.set_results(#index, types);
                    self
                }
            }
        }
    }
}

fn region((index, region): (usize, &Region)) -> TokenStream {
    let name = names::method(&region.name);

    if region.arity == Arity::Variadic {
        let documentation = comment(&format!("Sets the regions `{}`.", region.name));

        quote! {
            #documentation
            pub fn #name(mut self, regions: Vec<::iree_dialects::support::Region<'c>>) -> Self {
                self.0.set_regions(#index, regions);
                self
            }
        }
    } else {
        let documentation = comment(&format!("Sets the region `{}`.", region.name));

        quote! {
            #documentation
            pub fn #name(mut self, region: ::iree_dialects::support::Region<'c>) -> Self {
                self.0.set_region(#index, region);
                self
            }
        }
    }
}

fn successor((index, successor): (usize, &Successor)) -> TokenStream {
    let name = names::method(&successor.name);

    if successor.arity == Arity::Variadic {
        let documentation = comment(&format!("Sets the successors `{}`.", successor.name));

        quote! {
            #documentation
            pub fn #name(mut self, blocks: &[::iree_dialects::support::BlockRef<'c, 'a>]) -> Self {
                self.0.set_successors(#index, blocks);
                self
            }
        }
    } else {
        let documentation = comment(&format!("Sets the successor `{}`.", successor.name));

        quote! {
            #documentation
            pub fn #name(mut self, block: ::iree_dialects::support::BlockRef<'c, 'a>) -> Self {
                self.0.set_successor(#index, block);
                self
            }
        }
    }
}
