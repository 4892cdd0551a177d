//! The function that makes a tree from arrays of the host.

use super::Context;
use crate::interface::HostType;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

pub(super) fn expand(context: &Context<'_>, fields: &[(&Ident, &HostType)]) -> TokenStream {
    let root = context.root;
    // No name of the user's, even where a field has the same letters.
    let device = Ident::new("device", Span::mixed_site());
    let lifetime = fields.iter().any(|(_, ty)| has_array(ty));
    let lifetime = lifetime.then(|| quote!(<'a>));
    let parameters = fields.iter().map(|(name, ty)| {
        let ty = context.upload_type(ty);
        quote!(#name: #ty)
    });
    let values = fields.iter().map(|(name, ty)| {
        let value = value(context, ty, &quote!(#name), &device, 0);
        quote!(#name: #value)
    });
    quote! {
        /// Copies arrays to a device, as the leaves of the tree.
        ///
        /// # Errors
        ///
        /// If memory runs out.
        #[allow(unused_variables)]
        pub fn upload #lifetime (
            #device: &#root::Device
            #(, #parameters)*
        ) -> #root::Result<Self> {
            ::core::result::Result::Ok(Self { #(#values,)* })
        }
    }
}

fn has_array(ty: &HostType) -> bool {
    match ty {
        HostType::Array { .. } => true,
        HostType::Tuple(elements) => elements.iter().any(has_array),
        HostType::List(element, _) => has_array(element),
        HostType::Tree { .. } | HostType::Parameter(_) | HostType::Unknown => false,
    }
}

/// The leaves of a part of the tree on the device.
fn value(
    context: &Context<'_>,
    ty: &HostType,
    source: &TokenStream,
    device: &Ident,
    depth: usize,
) -> TokenStream {
    let root = context.root;
    let local = |index: usize| format_ident!("__part_{depth}_{index}", span = Span::mixed_site());
    match ty {
        HostType::Array { .. } => quote!(#device.upload(#source)?),
        HostType::Tuple(elements) => {
            let names: Vec<_> = (0..elements.len()).map(local).collect();
            let values = elements.iter().zip(&names);
            let values = values
                .map(|(element, name)| value(context, element, &quote!(#name), device, depth + 1));
            quote!({
                let (#(#names,)*) = #source;
                (#(#values,)*)
            })
        }
        HostType::List(element, _) => {
            let name = local(0);
            let value = value(context, element, &quote!(#name), device, depth + 1);
            quote!(#root::__private::each(#source, |#name| ::core::result::Result::Ok(#value))?)
        }
        HostType::Tree { .. } | HostType::Parameter(_) | HostType::Unknown => source.clone(),
    }
}
