//! The host form of a tree: the struct with arrays on the device for leaves.

use super::{Context, documented, is_named, keyword, type_of};
use crate::{
    interface::{HostArgument, HostElement, HostType, TreeInterface},
    parse::HostStruct,
};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::{GenericParam, TypeParam, TypeParamBound};

pub(super) fn expand(context: &Context<'_>, tree: &HostStruct) -> TokenStream {
    let root = context.root;
    let types = context.tree(tree);
    let fields: &[_] = types.map_or(&[], |types| &types.fields);
    let HostStruct {
        attributes,
        visibility,
        name,
        ..
    } = tree;
    let Parameters {
        of_struct,
        of_impl,
        used,
    } = parameters(context, tree, types);
    let documented = documented();
    let mut names = BTreeSet::new();
    let tree_fields = tree.fields.iter().filter(|field| names.insert(&field.name));
    let tree_fields: Vec<_> = tree_fields.collect();
    let field_names: Vec<_> = tree_fields.iter().map(|field| &field.name).collect();
    let field_declarations = tree_fields.iter().map(|field| {
        let (attributes, visibility, name) = (&field.attributes, &field.visibility, &field.name);
        let ty = context.value_type(type_of(name, fields));
        quote!(#attributes #documented #visibility #name: #ty)
    });
    let keyword = keyword("struct", name);
    let upload_fields: Vec<_> = field_names
        .iter()
        .map(|name| (*name, type_of(name, fields)))
        .collect();
    let upload = super::upload::expand(context, &upload_fields);
    let derives = derives(attributes);
    quote! {
        #attributes
        #derives
        #documented
        #[allow(dead_code, unreachable_pub)]
        #visibility #keyword #name #of_struct {
            #(#field_declarations,)*
        }

        #[allow(
            dead_code,
            unreachable_pub,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        impl #of_impl #name #used {
            #upload
        }

        #[automatically_derived]
        impl #of_impl #root::__private::Tree for #name #used {
            fn push(&self, call: &mut #root::__private::Call<'_>) -> #root::Result<()> {
                #(#root::__private::Tree::push(&self.#field_names, call)?;)*
                ::core::result::Result::Ok(())
            }

            fn give(self, call: &mut #root::__private::Call<'_>) -> #root::Result<()> {
                #(#root::__private::Tree::give(self.#field_names, call)?;)*
                ::core::result::Result::Ok(())
            }

            fn visit(&self, see: &mut dyn ::core::ops::FnMut(&#root::DynamicArray)) {
                #(#root::__private::Tree::visit(&self.#field_names, see);)*
            }

            fn pull(results: &mut #root::__private::Results<'_>) -> #root::Result<Self> {
                ::core::result::Result::Ok(Self {
                    #(#field_names: #root::__private::Tree::pull(results)?,)*
                })
            }
        }
    }
}

/// What every tree can do, unless the user derives it.
fn derives(attributes: &TokenStream) -> TokenStream {
    let tokens = attributes.clone().into_iter();
    let texts: Vec<_> = tokens.map(|token| token.to_string()).collect();
    let is_derived = |name: &str| {
        let mut derives = texts.iter().filter(|text| text.starts_with("[derive"));
        derives.any(|derive| derive.contains(name))
    };
    let clone = (!is_derived("Clone")).then(|| quote!(#[derive(::core::clone::Clone)]));
    let debug = (!is_derived("Debug")).then(|| quote!(#[derive(::core::fmt::Debug)]));
    quote!(#clone #debug)
}

/// Generic parameters in the three places where they stand.
struct Parameters {
    /// With bounds and defaults.
    of_struct: TokenStream,
    /// With bounds.
    of_impl: TokenStream,
    /// Their names.
    used: TokenStream,
}

fn parameters(
    context: &Context<'_>,
    tree: &HostStruct,
    types: Option<&TreeInterface>,
) -> Parameters {
    let root = context.root;
    let (mut of_struct, mut of_impl, mut used) = (Vec::new(), Vec::new(), Vec::new());
    // Of two parameters with one name, which was reported, the first is declared.
    let mut names = BTreeSet::new();
    let parameters = tree.generics.params.iter();
    for parameter in parameters.filter(|parameter| names.insert(name_of(parameter))) {
        let (name, declared) = match parameter {
            GenericParam::Const(parameter) => {
                let name = &parameter.ident;
                (name, quote!(const #name: ::core::primitive::usize))
            }
            // It was reported: the host has no types of any number of dimensions.
            GenericParam::Type(parameter) if has_dimensions(parameter) => continue,
            GenericParam::Type(parameter) => {
                let name = &parameter.ident;
                let is_tree = types.is_some_and(|types| stands_for_tree(name, types));
                let bound = if is_tree {
                    quote!(#root::__private::Tree)
                } else {
                    quote!(#root::Element)
                };
                (name, quote!(#name: #bound))
            }
            GenericParam::Lifetime(_) => continue,
        };
        let default = default(context, name, types);
        of_struct.push(quote!(#declared #default));
        of_impl.push(declared);
        used.push(name);
    }
    Parameters {
        of_struct: in_angles(&of_struct),
        of_impl: in_angles(&of_impl),
        used: in_angles(&used),
    }
}

fn in_angles(parameters: &[impl ToTokens]) -> TokenStream {
    match parameters {
        [] => TokenStream::new(),
        _ => quote!(<#(#parameters),*>),
    }
}

/// `= 6`, if the parameter has a default.
fn default(
    context: &Context<'_>,
    parameter: &Ident,
    types: Option<&TreeInterface>,
) -> Option<TokenStream> {
    let mut defaults = types?.defaults.iter();
    let (_, default) = defaults.find(|(name, _)| is_named(parameter, name))?;
    let default = context.argument(default);
    Some(quote!(= #default))
}

fn name_of(parameter: &GenericParam) -> Option<&Ident> {
    match parameter {
        GenericParam::Const(parameter) => Some(&parameter.ident),
        GenericParam::Type(parameter) => Some(&parameter.ident),
        GenericParam::Lifetime(_) => None,
    }
}

fn has_dimensions(parameter: &TypeParam) -> bool {
    let mut bounds = parameter.bounds.iter();
    bounds.any(|bound| matches!(bound, TypeParamBound::Trait(one) if one.path.is_ident("Dims")))
}

/// Whether a type parameter is used as a tree, not as an element type.
fn stands_for_tree(parameter: &Ident, types: &TreeInterface) -> bool {
    types
        .fields
        .iter()
        .any(|(_, ty)| is_used_as_type(parameter, ty))
}

fn is_used_as_type(parameter: &Ident, ty: &HostType) -> bool {
    match ty {
        HostType::Parameter(name) => is_named(parameter, name),
        HostType::Tuple(elements) => elements
            .iter()
            .any(|element| is_used_as_type(parameter, element)),
        HostType::List(element, _) => is_used_as_type(parameter, element),
        HostType::Tree { arguments, .. } => arguments.iter().any(|argument| match argument {
            HostArgument::Type(ty) => is_used_as_type(parameter, ty),
            HostArgument::Element(HostElement::Known(_) | HostElement::Parameter(_))
            | HostArgument::Length(_) => false,
        }),
        HostType::Array { .. } | HostType::Unknown => false,
    }
}
