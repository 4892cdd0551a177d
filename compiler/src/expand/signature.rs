//! The signature as tokens that build it.

use super::Context;
use iree_abi::{DType, Dim, FunctionSignature, Leaf, TensorType};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// An expression of type `Signature`.
pub(super) fn expand(context: &Context<'_>) -> TokenStream {
    let root = context.root;
    let signature = &context.interface.signature;
    let name = &signature.name;
    let functions = signature
        .functions
        .iter()
        .map(|function| expand_function(root, function));
    let parameters = signature.parameters.iter().map(|parameter| {
        let (scope, leaf) = (&parameter.scope, leaf(root, &parameter.key, &parameter.ty));
        let mutable = parameter.mutable;
        quote!((#scope, #leaf, #mutable))
    });
    let state = leaves(root, &signature.state);
    let imports = signature.imports.iter();
    let imports = imports.map(|function| expand_function(root, function));
    let sites = signature.sites.iter().map(|site| {
        let (text, place) = (&site.text, &site.place);
        let dtypes = site.dtypes.iter().map(|dtype| expand_dtype(root, *dtype));
        quote!((#text, #place, &[#(#dtypes),*]))
    });
    quote! {
        #root::__private::signature(
            #name,
            &[#(#functions),*],
            &[#(#parameters),*],
            #state,
            &[#(#imports),*],
            &[#(#sites),*],
        )
    }
}

fn expand_function(root: &TokenStream, function: &FunctionSignature) -> TokenStream {
    let name = &function.name;
    let parameters = function.parameters.iter().map(|parameter| {
        let (name, leaves) = (&parameter.name, leaves(root, &parameter.leaves));
        quote!((#name, #leaves))
    });
    let results = leaves(root, &function.results);
    let requirements = function.requirements.iter().map(|requirement| {
        let (least, most) = (requirement.least.to_string(), requirement.most.to_string());
        quote!((#least, #most))
    });
    quote!((#name, &[#(#parameters),*], #results, &[#(#requirements),*]))
}

fn leaves(root: &TokenStream, leaves: &[Leaf]) -> TokenStream {
    let leaves = leaves.iter().map(|one| leaf(root, &one.path, &one.ty));
    quote!(&[#(#leaves),*])
}

fn leaf(root: &TokenStream, path: &str, ty: &TensorType) -> TokenStream {
    let dtype = expand_dtype(root, ty.dtype);
    let dims = ty.shape.dims().iter().map(|dim| expand_dim(root, dim));
    quote!((#path, #dtype, &[#(#dims),*]))
}

fn expand_dtype(root: &TokenStream, dtype: DType) -> TokenStream {
    let dtype = Ident::new(&format!("{dtype:?}"), Span::call_site());
    quote!(#root::DType::#dtype)
}

fn expand_dim(root: &TokenStream, dim: &Dim) -> TokenStream {
    match dim {
        Dim::Static(size) => {
            let size = Literal::usize_unsuffixed(*size);
            quote!(#root::__private::Size::Static(#size))
        }
        Dim::Dynamic(extent) => {
            let extent = extent.to_string();
            quote!(#root::__private::Size::Dynamic(#extent))
        }
        Dim::Any => quote!(#root::__private::Size::Any),
    }
}
