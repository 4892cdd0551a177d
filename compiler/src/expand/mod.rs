//! The stage that writes the host side of a program or of a kernel module.
//!
//! Everything that could go wrong was reported by the stages before it, so this one cannot fail. After
//! a mistake it writes the same items, with guesses where a type is unknown: the user's own code then
//! finds what it uses, and the mistake is the only message.
//!
//! Names of the user's keep their spans, which is how editors find them. Everything else is named by
//! an absolute path, whatever the module imports.

mod error;
mod item;
mod modules;
mod procedure;
mod program;
mod signature;
#[cfg(test)]
mod tests;
mod tree;
mod types;
mod unused;
mod upload;

pub use error::{compile_errors, stand_in, warnings};
pub use modules::{call, carrier, link_name, links, visible_modules};
pub use unused::unused;

use crate::{
    artifact::{Compiled, TARGETS_VARIABLE, vendored::VARIABLE},
    interface::{HostType, Interface, ProcedureInterface, TreeInterface},
    parse::{Host, HostProcedure, HostStruct},
};
use iree_abi::build::WITHOUT_PASSES_VARIABLE;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// The functions that every program has on the host; no procedure can have their names.
pub const RESERVED: [&str; 8] = [
    "load",
    "loader",
    "signature",
    "save_parameters",
    "load_parameters",
    iree_abi::SAVE,
    iree_abi::RESTORE,
    iree_abi::INITIALIZE,
];

/// Writes what is in the module on the host side.
pub fn expand(context: &Context<'_>) -> TokenStream {
    let host = context.host;
    let imports = modules::imported_trees(context);
    let mut values = BTreeSet::new();
    let items = host.items.iter().filter(|item| values.insert(&item.name));
    let items = items.filter_map(|item| item::expand(context, item));
    let program = host.program.iter();
    // Of two items with one name, which was reported, the first is what uses are checked against.
    let mut names = BTreeSet::from_iter(program.clone().map(|program| &program.name));
    let trees = host.trees.iter().filter(|tree| names.insert(&tree.name));
    let trees = trees.map(|tree| tree::expand(context, tree));
    let program = program.map(|program| program::expand(context, program));
    let tracked = host.program.is_some();
    let tracked = tracked.then(|| self::tracked(context));
    quote! {
        #(#imports)*
        #(#items)*
        #(#trees)*
        #(#program)*
        #tracked
    }
}

/// Writes the module around what is in it.
pub fn module(host: &Host, content: &TokenStream) -> TokenStream {
    let Host {
        attributes,
        visibility,
        name,
        uses,
        ..
    } = host;
    let (keyword, documented) = (keyword("mod", name), documented());
    quote! {
        #attributes
        #documented
        #visibility #keyword #name {
            #(#[allow(unused_imports)] #uses)*
            #content
        }
    }
}

/// Makes cargo build again when a variable or file changes that the macro reads, and tells those who look at a build
/// where its programs are described: among the files that it was made from.
fn tracked(context: &Context<'_>) -> TokenStream {
    let files = context.interface.files.iter().map(PathBuf::as_path);
    let files = files.chain(context.manifest);
    let files = files.chain(context.description).filter_map(Path::to_str);
    let variables = [
        TARGETS_VARIABLE,
        WITHOUT_PASSES_VARIABLE,
        "IREE_COMPILE",
        VARIABLE,
        "IREE_DSL_COMPILE_TIMEOUT",
        "IREE_DSL_EXPAND",
    ];
    quote! {
        const _: &[::core::option::Option<&::core::primitive::str>] =
            &[#(::core::option_env!(#variables)),*];
        #(const _: &[::core::primitive::u8] = ::core::include_bytes!(#files);)*
    }
}

/// A keyword with the span of the name after it, so that what `rustc` says of the item points there.
fn keyword(keyword: &str, name: &Ident) -> Ident {
    Ident::new(keyword, name.span().resolved_at(Span::call_site()))
}

/// Satisfies the lint for missing documentation, which is about items of Rust: those here are the
/// language's, and `#[allow]` is refused in a crate that forbids the lint's violation.
fn documented() -> TokenStream {
    quote!(#[doc = ""])
}

/// What the host side is written from.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The user's own tokens.
    pub host: &'a Host,
    /// The types.
    pub interface: &'a Interface,
    /// What the program was compiled to; nothing after a mistake.
    pub artifacts: &'a [Compiled],
    /// What the interpreter runs, if the build has it: the program as text, in a file.
    pub text: Option<&'a Path>,
    /// What is said of that, in a file.
    pub description: Option<&'a Path>,
    /// The path to each module that this one is linked with, by its id; none to itself.
    pub paths: &'a [TokenStream],
    /// The manifest of the user's package, if it may say something of programs.
    pub manifest: Option<&'a Path>,
    /// The path of the crate `iree-dsl` in the user's crate.
    pub root: &'a TokenStream,
}

impl<'a> Context<'a> {
    /// The types of a tree; `None` if it is not known what they are.
    fn tree(&self, tree: &HostStruct) -> Option<&'a TreeInterface> {
        let mut trees = self.interface.trees.iter();
        trees.find(|candidate| is_named(&tree.name, &candidate.name))
    }

    /// The types of a procedure; `None` if it is not known what they are.
    fn procedure(&self, procedure: &HostProcedure) -> Option<&'a ProcedureInterface> {
        let mut procedures = self.interface.procedures.iter();
        procedures.find(|candidate| is_named(&procedure.name, &candidate.name))
    }
}

/// The type that goes with a name.
fn type_of<'a>(name: &Ident, types: &'a [(String, HostType)]) -> &'a HostType {
    types
        .iter()
        .find(|(candidate, _)| is_named(name, candidate))
        .map_or(&HostType::Unknown, |(_, ty)| ty)
}

/// Whether an identifier, raw or not, is this name.
fn is_named(ident: &Ident, name: &str) -> bool {
    let ident = ident.to_string();
    plain(&ident) == plain(name)
}

fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}
