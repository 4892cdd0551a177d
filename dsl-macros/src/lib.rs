//! The attribute macros of iree-dsl. What they do is in `iree-dsl-compiler`; what they mean is in the
//! documentation of `iree-dsl`.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unreachable,
    clippy::todo
)]

use iree_dsl_compiler::pipeline;
use proc_macro::TokenStream;
use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span};
use quote::quote;

/// Compiles a module to a program that runs on IREE.
///
/// The module holds the program, which is the struct that has the `impl`, and its trees, kernels and
/// constants. In its place stands a module with the host side: the program's struct with a method for
/// each `pub fn`, and the trees with arrays on the device for leaves.
///
/// Options: `#[program(name = "…", targets = ["cpu"], opt = "speed", emit = ["vm-c"],
/// flags = ["--iree-…"])]` set the module's name in IREE, what to compile for, what to optimise for, what
/// else to write, and flags of the IREE compiler.
///
/// With the variable `IREE_DSL_EXPAND=1` in the environment the build prints what stands in the
/// module's place; with a word instead of `1`, for the module of that name only.
#[proc_macro_attribute]
pub fn program(attribute: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::program(attribute.into(), item.into(), &root()).into()
}

/// Makes a module of kernels, or marks a pure function inside a `#[program]` module, or a `use` of what
/// a kernel module has.
///
/// A kernel module holds kernels, trees, constants and type aliases for programs and other kernel modules
/// to import. Every function in it is a kernel; what is `pub` can be imported. In its place stands a
/// module with the host forms of the trees.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::kernel(attribute.into(), item.into(), &root()).into()
}

/// Goes on where a module was left to get another; only macros call it.
#[doc(hidden)]
#[proc_macro]
pub fn go_on(delivery: TokenStream) -> TokenStream {
    pipeline::go_on(delivery.into()).into()
}

/// Sets how a field of a program gets its first value.
#[proc_macro_attribute]
pub fn global(_: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::misplaced("global", &item.into()).into()
}

/// The path of `iree-dsl` in the user's crate, which may have renamed it.
fn root() -> proc_macro2::TokenStream {
    match crate_name("iree-dsl") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        // In the crate itself, which knows itself by its own name, or reached through another crate.
        Ok(FoundCrate::Itself) | Err(_) => quote!(::iree_dsl),
    }
}
