//! Mistakes as tokens that make `rustc` report them.

use crate::{
    diagnostic::{Diagnostic, Remark, Report},
    span::SpanTable,
};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// One `compile_error!` for each mistake, in source order.
pub fn compile_errors(report: &Report, spans: &SpanTable) -> TokenStream {
    report
        .diagnostics()
        .iter()
        .map(|diagnostic| compile_error(diagnostic, spans))
        .collect()
}

/// `rustc` underlines from the start of the path to the end of the braces, and indents all lines of
/// the message but the first.
fn compile_error(diagnostic: &Diagnostic, spans: &SpanTable) -> TokenStream {
    let (first, last) = spans.ends(diagnostic.span);
    let message = message(diagnostic);
    let path = quote_spanned!(first=> ::core::compile_error!);
    let arguments = quote_spanned!(last=> { #message });
    quote!(#path #arguments)
}

/// One warning for each remark: `rustc` has no other than its own, so that each is the note of something
/// deprecated.
pub fn warnings(remarks: &[Remark], spans: &SpanTable) -> TokenStream {
    let warning = |remark: &Remark| {
        let text = &remark.text;
        let name = Ident::new(remark.topic, spans.ends(remark.span).0);
        quote! {
            const _: fn() = {
                #[deprecated(note = #text)]
                fn #name() {}
                #name
            };
        }
    };
    remarks.iter().map(warning).collect()
}

fn message(diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        code,
        message,
        notes,
        help,
        ..
    } = diagnostic;
    let mut text = format!("[{code}] {message}");
    for note in notes {
        text.push_str("\nnote: ");
        text.push_str(note);
    }
    if let Some(help) = help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    text
}

/// What stands in for an item that could not be read: a module of its name with nothing in it, so
/// that its body is not taken for Rust. Of other items nothing is left.
pub fn stand_in(item: &TokenStream) -> TokenStream {
    let mut header: Vec<TokenTree> = Vec::new();
    for token in item.clone() {
        let last_two = header.last_chunk::<2>();
        if let Some([TokenTree::Ident(keyword), TokenTree::Ident(_)]) = last_two
            && keyword == "mod"
        {
            return quote!(#(#header)* {});
        }
        header.push(token);
    }
    TokenStream::new()
}
