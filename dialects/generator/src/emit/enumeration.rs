//! Enumerations.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{documentation::comment, names};
use crate::{Dialect, Enumeration, Storage};

/// The Rust type of an enumeration.
pub(super) fn emit(dialect: &Dialect, enumeration: &Enumeration) -> TokenStream {
    let name = format_ident!("{}", enumeration.name);
    let definition = if enumeration.separator.is_some() {
        bits(enumeration, &name)
    } else {
        cases(enumeration, &name)
    };
    let information = information(dialect, enumeration);

    quote! {
        #definition

        impl #name {
            /// What the definition says about the enumeration.
            pub const INFO: &'static ::iree_dialects::EnumerationInfo = &#information;
        }

        ::iree_dialects::support::enumeration!(#name);
    }
}

fn documentation(enumeration: &Enumeration) -> TokenStream {
    comment(match enumeration.summary.as_str() {
        "" => "An enumeration.",
        summary => summary,
    })
}

fn cases(enumeration: &Enumeration, name: &Ident) -> TokenStream {
    let documentation = documentation(enumeration);
    let variants = enumeration
        .cases
        .iter()
        .map(|case| names::variant(&case.symbol));
    let variants = variants.collect::<Vec<_>>();
    let lines = enumeration
        .cases
        .iter()
        .map(|case| comment(&format!("`{}`.", case.keyword)));
    let values = enumeration.cases.iter().map(|case| case.value);

    quote! {
        #documentation
        #[allow(clippy::upper_case_acronyms, clippy::enum_variant_names, non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i64)]
        pub enum #name {
            #(#lines #variants = #values),*
        }

        impl #name {
            /// All cases in order.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The number of the case.
            pub const fn value(self) -> i64 {
                self as i64
            }

            /// The case of a number.
            pub fn from_value(value: i64) -> Option<Self> {
                Self::ALL.iter().copied().find(|case| case.value() == value)
            }
        }
    }
}

fn bits(enumeration: &Enumeration, name: &Ident) -> TokenStream {
    let documentation = documentation(enumeration);
    let constants = enumeration
        .cases
        .iter()
        .map(|case| names::constant(&case.symbol));
    let constants = constants.collect::<Vec<_>>();
    let lines = enumeration
        .cases
        .iter()
        .map(|case| comment(&format!("`{}`.", case.keyword)));
    let values = enumeration.cases.iter().map(|case| case.value);

    quote! {
        #documentation
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct #name(i64);

        impl #name {
            #(#lines pub const #constants: Self = Self(#values);)*

            /// All named sets of bits in order.
            pub const ALL: &'static [Self] = &[#(Self::#constants),*];

            /// The bits.
            pub const fn value(self) -> i64 {
                self.0
            }

            /// The set of these bits, if all of them have names.
            pub fn from_value(value: i64) -> Option<Self> {
                let known = Self::ALL.iter().fold(0, |known, case| known | case.0);
                (value & !known == 0).then_some(Self(value))
            }

            /// Whether all bits of another set are in this one.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// The named sets of one bit that are in this one.
            pub fn iter(self) -> impl Iterator<Item = Self> {
                Self::ALL
                    .iter()
                    .copied()
                    .filter(move |case| case.0.count_ones() == 1 && self.contains(*case))
            }
        }

        impl ::std::ops::BitOr for #name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
    }
}

fn information(dialect: &Dialect, enumeration: &Enumeration) -> TokenStream {
    let Enumeration { name, .. } = enumeration;
    let dialect = &dialect.name;
    let separator = match &enumeration.separator {
        Some(separator) => quote!(Some(#separator)),
        None => quote!(None),
    };
    let storage = match &enumeration.storage {
        Storage::Integer(width) => quote!(::iree_dialects::Storage::Integer(#width)),
        Storage::Mnemonic { mnemonic, brackets } => quote! {
            ::iree_dialects::Storage::Mnemonic { mnemonic: #mnemonic, brackets: #brackets }
        },
    };
    let cases = enumeration.cases.iter().map(|case| {
        let (keyword, value) = (&case.keyword, case.value);
        quote!((#keyword, #value))
    });

    quote! {
        ::iree_dialects::EnumerationInfo {
            dialect: #dialect,
            name: #name,
            separator: #separator,
            storage: #storage,
            cases: &[#(#cases),*],
        }
    }
}
