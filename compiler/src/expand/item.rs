//! Constants and type aliases on the host.

use super::{Context, is_named};
use crate::{
    interface::{HostAlias, HostConst},
    parse::HostItem,
};
use iree_abi::DType;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::GenericParam;

pub(super) fn expand(context: &Context<'_>, item: &HostItem) -> Option<TokenStream> {
    let HostItem {
        attributes,
        visibility,
        name,
        ..
    } = item;
    let documented = super::documented();
    let item = match (constant(context, item), alias(context, item)) {
        (Some((ty, value)), _) => quote!(const #name: #ty = #value;),
        (None, Some((generics, ty))) => quote!(type #name #generics = #ty;),
        (None, None) => return None,
    };
    Some(quote! {
        #attributes
        #documented
        #[allow(dead_code, unreachable_pub)]
        #visibility #item
    })
}

/// Type and value.
fn constant(context: &Context<'_>, item: &HostItem) -> Option<(TokenStream, TokenStream)> {
    let mut consts = context.interface.consts.iter();
    let (_, value) = consts.find(|(name, _)| is_named(&item.name, name))?;
    Some(match value {
        HostConst::Bool(value) => (context.rust_type(DType::Bool), quote!(#value)),
        HostConst::Integer(value, dtype) => {
            let usize = quote!(::core::primitive::usize);
            let ty = dtype.map_or(usize, |dtype| context.rust_type(dtype));
            let value = Literal::i128_unsuffixed(*value);
            (ty, quote!(#value))
        }
        HostConst::Float(value, dtype) => {
            let ty = context.rust_type(*dtype);
            (ty.clone(), float(&ty, *value, *dtype))
        }
        HostConst::Text(text) => (quote!(&'static ::core::primitive::str), quote!(#text)),
    })
}

fn float(ty: &TokenStream, value: f64, dtype: DType) -> TokenStream {
    if value.is_nan() {
        return quote!(<#ty>::NAN);
    }
    if value.is_infinite() {
        let name = if value > 0.0 {
            "INFINITY"
        } else {
            "NEG_INFINITY"
        };
        let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
        return quote!(<#ty>::#name);
    }
    // What was rounded to the type is the nearest number to itself.
    let value = match dtype {
        DType::F32 => Literal::f32_unsuffixed(value as f32),
        _ => Literal::f64_unsuffixed(value),
    };
    match dtype {
        DType::F16 | DType::BF16 => quote!(<#ty>::from_f64_const(#value)),
        _ => quote!(#value),
    }
}

/// Generic parameters and type. One with a parameter that stands for a type has no form on the host.
fn alias(context: &Context<'_>, item: &HostItem) -> Option<(TokenStream, TokenStream)> {
    let mut aliases = context.interface.aliases.iter();
    let (_, meaning) = aliases.find(|(name, _)| is_named(&item.name, name))?;
    let mut parameters = Vec::new();
    for parameter in &item.generics.params {
        match parameter {
            GenericParam::Const(parameter) => {
                let name = &parameter.ident;
                parameters.push(quote!(const #name: ::core::primitive::usize));
            }
            _ => return None,
        }
    }
    let generics = (!parameters.is_empty()).then(|| quote!(<#(#parameters),*>));
    let ty = match meaning {
        HostAlias::Element(dtype) => context.rust_type(*dtype),
        HostAlias::Type(ty) => context.value_type(ty),
    };
    Some((quote!(#generics), ty))
}
