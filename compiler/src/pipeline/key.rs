//! Names for the carriers of kernel modules.

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use std::env;
use syn::ext::IdentExt;

/// A name that no other kernel module has, in whatever crate: all carriers of a crate stand side by side,
/// and a module that several others import from is known by it.
pub(super) fn of(name: &Ident, item: &TokenStream) -> Ident {
    let mut hasher = blake3::Hasher::new();
    let variables = ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"];
    let package = variables.map(|variable| env::var(variable).unwrap_or_default());
    let start = name.span().start();
    let place = format!("{}:{}:{}", name.span().file(), start.line, start.column);
    for part in package.iter().chain([&place, &item.to_string()]) {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    let hash = hasher.finalize().to_hex();
    let short = hash.get(..16).unwrap_or_default();
    format_ident!("__kernels_{}_{short}", name.unraw())
}
