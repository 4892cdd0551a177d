//! The model to Rust.

mod any;
mod builder;
mod checks;
mod definition;
mod documentation;
mod enumeration;
mod information;
mod names;
mod view;

pub use checks::emit_checks;

use proc_macro2::TokenStream;
use quote::quote;

use crate::{Dialect, Error, Operation};

/// Writes the Rust module body of a dialect.
///
/// For each operation: a view, a builder and an entry of the table `OPERATIONS`; for each enumeration, attribute and
/// type: a Rust type; and an enum of all views.
///
/// # Errors
///
/// [`Error::Unsupported`] if two parts of an operation have the same name, [`Error::Syntax`] if the result is not Rust, which is a defect of the generator.
pub fn emit(dialect: &Dialect) -> Result<String, Error> {
    dialect.operations.iter().try_for_each(names::check)?;

    let table = information::table(&dialect.operations);
    let information = information::dialect(dialect);
    let any = any::emit(dialect);
    let enumerations = dialect
        .enumerations
        .iter()
        .map(|one| enumeration::emit(dialect, one));
    let definitions = dialect
        .definitions
        .iter()
        .map(|one| definition::emit(dialect, one));
    let operations = dialect.operations.iter().map(operation);
    let file = syn::parse2(quote! {
        #table
        #information
        #any
        #(#enumerations)*
        #(#definitions)*
        #(#operations)*
    })
    .map_err(|source| Error::Syntax {
        dialect: dialect.name.clone(),
        source,
    })?;

    Ok(prettyplease::unparse(&file))
}

fn operation(operation: &Operation) -> TokenStream {
    let view = view::emit(operation);
    let builder = builder::emit(operation);

    quote! {
        #view
        #builder
    }
}
