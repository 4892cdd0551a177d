//! The method of the host for an exported procedure.

use super::{Context, documented, keyword, type_of};
use crate::{interface::HostType, parse::HostProcedure};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

pub(super) fn expand(context: &Context<'_>, procedure: &HostProcedure) -> TokenStream {
    let root = context.root;
    let types = context.procedure(procedure);
    let HostProcedure {
        attributes,
        visibility,
        name,
        ..
    } = procedure;
    let receiver = receiver(procedure);
    let mut names = BTreeSet::new();
    let parameters = procedure.parameters.iter().enumerate();
    let parameters = parameters.map(|(position, name)| {
        // That two have one name was reported.
        if !names.insert(name) {
            return (local(&format!("other_{position}")), &HostType::Unknown);
        }
        let ty = types.map_or(&HostType::Unknown, |types| type_of(name, &types.parameters));
        (name.clone(), ty)
    });
    let parameters: Vec<_> = parameters.collect();
    let declarations = parameters.iter().map(|(name, ty)| {
        let ty = context.parameter_type(ty);
        quote!(#name: #ty)
    });
    let lifetime = parameters
        .iter()
        .any(|(_, ty)| borrows(ty))
        .then(|| quote!(<'a>));
    let result = context.value_type(types.map_or(&HostType::Unknown, |types| &types.result));
    let index = index(context, procedure);
    let documentation = documentation(context, index);
    let index = Literal::usize_unsuffixed(index);
    let keyword = keyword("fn", name);
    let call = local("call");
    let pushes = parameters
        .iter()
        .map(|(name, ty)| push(context, ty, &quote!(#name), &call, 0));
    quote! {
        #attributes
        #documentation
        #visibility #keyword #name #lifetime (#receiver #(, #declarations)*) -> #root::Result<#result> {
            #[allow(unused_mut)]
            let mut #call = self.program.call(#index)?;
            #(#pushes)*
            #root::__private::Tree::pull(&mut #call.invoke()?)
        }
    }
}

/// The types in the language, which tell the shapes.
fn documentation(context: &Context<'_>, index: usize) -> TokenStream {
    let Some(function) = context.interface.signature.functions.get(index) else {
        return documented();
    };
    let signature = format!(" `{function}`");
    quote! {
        #[doc = ""]
        #[doc = " # Shapes"]
        #[doc = ""]
        #[doc = #signature]
    }
}

/// Our own tokens, so that `self` in the body is the same name whatever macro the user's came from.
fn receiver(procedure: &HostProcedure) -> TokenStream {
    let exclusive = procedure
        .receiver
        .clone()
        .into_iter()
        .any(|token| token.to_string() == "mut");
    if exclusive {
        quote!(&mut self)
    } else {
        quote!(&self)
    }
}

/// The index of the procedure in the signature.
fn index(context: &Context<'_>, procedure: &HostProcedure) -> usize {
    let functions = &context.interface.signature.functions;
    functions
        .iter()
        .position(|function| super::is_named(&procedure.name, &function.name))
        .unwrap_or(0)
}

fn borrows(ty: &HostType) -> bool {
    match ty {
        HostType::Tuple(elements) => elements.iter().any(borrows),
        HostType::List(element, _) => borrows(element),
        HostType::Unknown => false,
        HostType::Array { .. } | HostType::Tree { .. } | HostType::Parameter(_) => true,
    }
}

/// Passes the leaves of a parameter, in order.
fn push(
    context: &Context<'_>,
    ty: &HostType,
    value: &TokenStream,
    call: &Ident,
    depth: usize,
) -> TokenStream {
    match ty {
        HostType::Tuple(elements) => {
            let names: Vec<_> = (0..elements.len())
                .map(|index| local(&format!("element_{depth}_{index}")))
                .collect();
            let pushes = elements
                .iter()
                .zip(&names)
                .map(|(element, name)| push(context, element, &quote!(#name), call, depth + 1));
            quote! {
                let (#(#names,)*) = #value;
                #(#pushes)*
            }
        }
        HostType::List(element, _) => {
            let name = local(&format!("element_{depth}"));
            let push = push(context, element, &quote!(#name), call, depth + 1);
            quote!(for #name in #value { #push })
        }
        HostType::Unknown => quote!(::core::mem::drop(#value);),
        _ => {
            let argument = context.argument_type(ty, &quote!('_));
            let name = local("argument");
            let push = match ty {
                HostType::Array { .. } => quote!(#call.argument(#name)?;),
                _ => quote!(#name.push(&mut #call)?;),
            };
            quote! {
                let #name: #argument = ::core::convert::Into::into(#value);
                #push
            }
        }
    }
}

/// A variable that no name of the user's can mean, not even in the printed expansion.
fn local(name: &str) -> Ident {
    format_ident!("__{name}", span = Span::mixed_site())
}
