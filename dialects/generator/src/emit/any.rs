//! The enum of all operations of a dialect.

use proc_macro2::TokenStream;
use quote::quote;

use super::{documentation::comment, names};
use crate::Dialect;

/// The enum, for `match`.
pub(super) fn emit(dialect: &Dialect) -> TokenStream {
    let documentation = comment(&format!("An operation of the dialect `{}`.", dialect.name));
    let variants = dialect
        .operations
        .iter()
        .map(|one| names::variant(&one.mnemonic));
    let variants = variants.collect::<Vec<_>>();
    let views = dialect
        .operations
        .iter()
        .map(names::view)
        .collect::<Vec<_>>();
    let names = dialect
        .operations
        .iter()
        .map(|one| &one.name)
        .collect::<Vec<_>>();
    let lines = names.iter().map(|name| comment(&format!("`{name}`.")));

    quote! {
        #documentation
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum AnyOperation<'c, 'a> {
            #(#lines #variants(#views<'c, 'a>)),*
        }

        impl<'c, 'a> AnyOperation<'c, 'a> {
            /// The operation itself.
            pub fn as_operation(&self) -> ::iree_dialects::support::OperationRef<'c, 'a> {
                match self {
                    #(Self::#variants(view) => view.as_operation()),*
                }
            }
        }

        impl<'c, 'a> TryFrom<::iree_dialects::support::OperationRef<'c, 'a>> for AnyOperation<'c, 'a> {
            type Error = ::iree_dialects::Error;

            fn try_from(
                operation: ::iree_dialects::support::OperationRef<'c, 'a>,
            ) -> Result<Self, Self::Error> {
                Ok(match ::iree_dialects::support::name(operation).as_str() {
                    #(#names => Self::#variants(#views(operation)),)*
                    _ => return Err(::iree_dialects::support::unknown_operation(DIALECT, operation)),
                })
            }
        }
    }
}
