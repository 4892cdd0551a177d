//! What nothing reads, in the place of each, so that `rustc` says of it what it says of its own where the lint is on.

use crate::{
    ast::{Function, Ident},
    span::{SpanId, SpanTable},
};
use proc_macro2::{Delimiter, Group, TokenStream};
use quote::quote;

/// What nothing reads in a function: variables, and results of methods and operators.
pub fn unused(function: &Function, spans: &SpanTable, root: &TokenStream) -> TokenStream {
    let variables = unused_variables(&function.unused_variables(), spans);
    let results = unused_results(&function.unused_results(), spans, root);
    quote!(#variables #results)
}

fn unused_variables(unused: &[Ident], spans: &SpanTable) -> TokenStream {
    let names = unused.iter().map(|name| {
        let span = spans.ends(name.span).0;
        match syn::parse_str::<syn::Ident>(&name.name) {
            Ok(_) => syn::Ident::new(&name.name, span),
            Err(_) => syn::Ident::new_raw(&name.name, span),
        }
    });
    quote!(#(const _: fn() = || { let #names = 0; };)*)
}

fn unused_results(unused: &[SpanId], spans: &SpanTable, root: &TokenStream) -> TokenStream {
    let statements = unused.iter().map(|span| {
        let (first, last) = spans.ends(*span);
        let operation = syn::Ident::new("operation", first);
        // The call reaches from the first token of the statement to its last.
        let mut arguments = Group::new(Delimiter::Parenthesis, TokenStream::new());
        arguments.set_span(last);
        quote! {
            const _: fn() = || {
                let #operation = || #root::__private::NewTensor;
                #operation #arguments;
            };
        }
    });
    statements.collect()
}
