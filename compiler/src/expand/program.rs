//! The program's struct, its constants and how it is loaded.

use super::{Context, RESERVED, documented, keyword, procedure, signature};
use crate::parse::HostStruct;
use iree_abi::INTERPRETER;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::{collections::BTreeSet, path::Path};

pub(super) fn expand(context: &Context<'_>, program: &HostStruct) -> TokenStream {
    let root = context.root;
    let HostStruct {
        attributes,
        visibility,
        name,
        ..
    } = program;
    let (keyword, documented) = (keyword("struct", name), documented());
    let constants = constants(context);
    let loading = loading(context, name);
    let mut names: BTreeSet<String> = RESERVED.map(str::to_owned).into();
    let procedures = context.host.procedures.iter();
    let procedures = procedures
        .filter(|procedure| names.insert(procedure.name.to_string()))
        .map(|procedure| procedure::expand(context, procedure));
    quote! {
        #attributes
        #documented
        #[allow(dead_code, unreachable_pub)]
        #visibility #keyword #name {
            program: #root::__private::Program,
        }

        #[allow(
            dead_code,
            unreachable_pub,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        impl #name {
            #constants
            #loading
            #(#procedures)*
        }
    }
}

fn constants(context: &Context<'_>) -> TokenStream {
    let root = context.root;
    let name = &context.interface.signature.name;
    let mlir = mlir(context);
    let artifacts = artifacts(context);
    let signature = signature::expand(context);
    quote! {
        /// The module's name in IREE.
        pub const NAME: &'static ::core::primitive::str = #name;

        /// The module that IREE compiled, as MLIR text.
        pub const MLIR: &'static ::core::primitive::str = #mlir;

        /// What IREE compiled the module to, for each target.
        pub const ARTIFACTS: &'static [#root::Artifact] = #artifacts;

        /// The procedures and the types of their parameters and results.
        pub fn signature() -> &'static #root::Signature {
            static SIGNATURE: ::std::sync::LazyLock<#root::Signature> =
                ::std::sync::LazyLock::new(|| #signature);
            &SIGNATURE
        }
    }
}

fn mlir(context: &Context<'_>) -> TokenStream {
    match context.artifacts.first() {
        Some(artifact) => {
            let path = text(&artifact.mlir);
            quote!(::core::include_str!(#path))
        }
        None => quote!(""),
    }
}

/// The bytes are in statics: a constant would be copied to wherever it is used.
fn artifacts(context: &Context<'_>) -> TokenStream {
    let root = context.root;
    let compiled = context.artifacts.iter();
    let compiled = compiled.map(|artifact| (artifact.target.as_str(), artifact.vmfb.as_path()));
    let interpreted = context.text.map(|path| (INTERPRETER, path));
    let embedded: Vec<_> = compiled.chain(interpreted).collect();
    if embedded.is_empty() {
        return quote!(&[]);
    }
    let names: Vec<Ident> = (0..embedded.len())
        .map(|index| format_ident!("BYTES_{index}"))
        .collect();
    let targets = embedded.iter().map(|(target, _)| target);
    let paths = embedded.iter().map(|(_, path)| text(path));
    quote! {{
        #(
            static #names: &#root::__private::Aligned<[::core::primitive::u8]> =
                &#root::__private::Aligned(*::core::include_bytes!(#paths));
        )*
        static ARTIFACTS: &[#root::Artifact] = &[
            #(#root::Artifact { target: #targets, bytes: &#names.0 },)*
        ];
        ARTIFACTS
    }}
}

fn loading(context: &Context<'_>, name: &Ident) -> TokenStream {
    let root = context.root;
    let documentation = format!(
        " Loads the artifact that fits the device, with the globals of `{name}` initialised."
    );
    quote! {
        #[doc = #documentation]
        ///
        /// # Errors
        ///
        /// If no artifact fits, which names those that exist, or if IREE cannot load it.
        pub fn load(device: &#root::Device) -> #root::Result<Self> {
            Self::loader(device).load()
        }

        /// Writes the globals that the program changes, and those that archives supplied, to a file: `.irpa`
        /// or `.safetensors`, by the ending of its name. What was there before stays until all is written.
        ///
        /// # Errors
        ///
        /// If the file cannot be written, or its format cannot hold an element type.
        pub fn save_parameters(
            &self,
            path: impl ::core::convert::AsRef<::std::path::Path>,
        ) -> #root::Result<()> {
            self.program.save_parameters(path.as_ref())
        }

        /// Gives the globals that the program changes the values that an archive has.
        ///
        /// # Errors
        ///
        /// If values are missing or have other types, with all of them; then nothing is changed.
        pub fn load_parameters(
            &mut self,
            parameters: impl ::core::convert::Into<#root::Parameters>,
        ) -> #root::Result<()> {
            self.program.load_parameters(parameters.into())
        }

        /// Loads the program with options.
        pub fn loader(device: &#root::Device) -> #root::Loader<'_, Self> {
            #root::Loader::new(device, Self::ARTIFACTS, Self::signature(), |program| Self {
                program,
            })
        }
    }
}

/// Paths that are not UTF-8 cannot be named in Rust source; the file is then not found, and `rustc`
/// says so with the path.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
