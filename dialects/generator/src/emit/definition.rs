//! Attributes and types with parameters.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{builder::path, documentation::comment, names};
use crate::{Definition, DefinitionKind, Dialect, Parameter, ParameterKind, Piece};

/// The Rust type of an attribute or a type.
pub(super) fn emit(dialect: &Dialect, definition: &Definition) -> TokenStream {
    let name = format_ident!("{}", definition.name);
    let (sigil, implementation) = match definition.kind {
        DefinitionKind::Attribute => ('#', quote!(attribute_value)),
        DefinitionKind::Type => ('!', quote!(type_value)),
    };
    let mut text = format!("`{sigil}{}.{}`", dialect.name, definition.mnemonic);
    if !definition.summary.is_empty() {
        text.push_str(&format!(": {}", definition.summary.trim_end_matches('.')));
    }
    text.push('.');
    let documentation = comment(&text);
    let information = information(dialect, definition);
    let lifetime = definition.borrows().then(|| quote!(<'c>));
    let default = definition
        .parameters
        .iter()
        .all(|one| one.optional || one.kind.has_default());
    let default = (default && !definition.parameters.is_empty()).then(|| quote!(Default,));
    let fields = definition.parameters.iter().map(field);
    let names = definition
        .parameters
        .iter()
        .map(|one| names::method(&one.name));
    let names = names.collect::<Vec<_>>();
    let written = definition
        .parameters
        .iter()
        .map(|one| write(one, &names::method(&one.name)));
    let read = definition
        .parameters
        .iter()
        .enumerate()
        .map(|(index, one)| read(one, index));

    quote! {
        #documentation
        #[derive(Clone, Debug, #default PartialEq, Eq)]
        pub struct #name #lifetime {
            #(#fields),*
        }

        impl #lifetime #name #lifetime {
            /// What the definition says.
            pub const INFO: &'static ::iree_dialects::DefinitionInfo = &#information;
        }

        impl<'c> ::iree_dialects::support::Parametric<'c> for #name #lifetime {
            const INFO: &'static ::iree_dialects::DefinitionInfo = Self::INFO;

            fn write(&self) -> Vec<::iree_dialects::support::Argument<'c>> {
                vec![#(#written),*]
            }

            fn read(
                arguments: ::iree_dialects::support::Arguments<'c>,
            ) -> Result<Self, ::iree_dialects::Error> {
                _ = &arguments;
                Ok(Self { #(#names: #read?),* })
            }
        }

        ::iree_dialects::support::#implementation!(#name #lifetime);
    }
}

fn field(parameter: &Parameter) -> TokenStream {
    let name = names::method(&parameter.name);
    let documentation = comment(&match parameter.summary.as_str() {
        "" => format!("The parameter `{}`.", parameter.name),
        summary => format!("{}.", summary.trim_end_matches('.')),
    });
    let r#type = match &parameter.kind {
        ParameterKind::Integer(name) => {
            let name = format_ident!("{name}");
            quote!(#name)
        }
        ParameterKind::Bool => quote!(bool),
        ParameterKind::String => quote!(String),
        ParameterKind::Enumeration(name) => path(name),
        ParameterKind::Attribute => quote!(::iree_dialects::support::Attribute<'c>),
        ParameterKind::Type => quote!(::iree_dialects::support::Type<'c>),
        ParameterKind::Integers(name) => {
            let name = format_ident!("{name}");
            quote!(Vec<#name>)
        }
        ParameterKind::Attributes => quote!(Vec<::iree_dialects::support::Attribute<'c>>),
        ParameterKind::Types => quote!(Vec<::iree_dialects::support::Type<'c>>),
    };
    let r#type = if parameter.is_nullable() {
        quote!(Option<#r#type>)
    } else {
        r#type
    };

    quote!(#documentation pub #name: #r#type)
}

fn write(parameter: &Parameter, name: &proc_macro2::Ident) -> TokenStream {
    if parameter.is_nullable() {
        let argument = match parameter.kind {
            ParameterKind::Enumeration(_) => quote!(Keyword(value.to_string())),
            ParameterKind::Type => quote!(Type(value)),
            _ => quote!(Attribute(value)),
        };
        return quote!(match self.#name {
            Some(value) => ::iree_dialects::support::Argument::#argument,
            None => ::iree_dialects::support::Argument::Absent,
        });
    }
    let argument = match &parameter.kind {
        ParameterKind::Integer(_) => quote!(Integer(self.#name.into())),
        ParameterKind::Bool => quote!(Bool(self.#name)),
        ParameterKind::String => quote!(String(self.#name.clone())),
        ParameterKind::Enumeration(_) => quote!(Keyword(self.#name.to_string())),
        ParameterKind::Attribute => quote!(Attribute(self.#name)),
        ParameterKind::Type => quote!(Type(self.#name)),
        ParameterKind::Integers(_) => {
            quote!(Integers(self.#name.iter().map(|value| (*value).into()).collect()))
        }
        ParameterKind::Attributes => quote!(Attributes(self.#name.clone())),
        ParameterKind::Types => quote!(Types(self.#name.clone())),
    };

    quote!(::iree_dialects::support::Argument::#argument)
}

fn read(parameter: &Parameter, index: usize) -> TokenStream {
    let method = match &parameter.kind {
        ParameterKind::Integer(_) => quote!(integer),
        ParameterKind::Bool => quote!(bool),
        ParameterKind::String => quote!(string),
        ParameterKind::Enumeration(_) => quote!(keyword),
        ParameterKind::Attribute => quote!(attribute),
        ParameterKind::Type => quote!(r#type),
        ParameterKind::Integers(_) => quote!(integers),
        ParameterKind::Attributes => quote!(attributes),
        ParameterKind::Types => quote!(types),
    };

    if parameter.is_nullable() {
        quote!(arguments.optional(#index, |arguments| arguments.#method(#index)))
    } else {
        quote!(arguments.#method(#index))
    }
}

fn information(dialect: &Dialect, definition: &Definition) -> TokenStream {
    let Definition {
        mnemonic, summary, ..
    } = definition;
    let dialect = &dialect.name;
    let kind = match definition.kind {
        DefinitionKind::Attribute => quote!(Attribute),
        DefinitionKind::Type => quote!(Type),
    };
    let parameters = definition.parameters.iter().map(parameter);
    let syntax = definition.syntax.iter().map(piece);

    quote! {
        ::iree_dialects::DefinitionInfo {
            dialect: #dialect,
            mnemonic: #mnemonic,
            kind: ::iree_dialects::DefinitionKind::#kind,
            summary: #summary,
            parameters: &[#(#parameters),*],
            syntax: &[#(#syntax),*],
        }
    }
}

fn piece(piece: &Piece) -> TokenStream {
    let piece = match piece {
        Piece::Literal(text) => quote!(Literal(#text)),
        Piece::Parameter(index) => quote!(Parameter(#index)),
        Piece::List => quote!(List),
        Piece::Struct => quote!(Struct),
        Piece::Group(pieces) => {
            let pieces = pieces.iter().map(self::piece);
            quote!(Group(&[#(#pieces),*]))
        }
    };
    quote!(::iree_dialects::Piece::#piece)
}

fn parameter(parameter: &Parameter) -> TokenStream {
    let Parameter { name, optional, .. } = parameter;
    let kind = match &parameter.kind {
        ParameterKind::Integer(name) => {
            let width = width(name);
            quote!(Integer(#width))
        }
        ParameterKind::Bool => quote!(Bool),
        ParameterKind::String => quote!(String),
        ParameterKind::Enumeration(name) => {
            let path = path(name);
            quote!(Enumeration(#path::INFO))
        }
        ParameterKind::Attribute => quote!(Attribute),
        ParameterKind::Type => quote!(Type),
        ParameterKind::Integers(name) => {
            let width = width(name);
            quote!(Integers(#width))
        }
        ParameterKind::Attributes => quote!(Attributes),
        ParameterKind::Types => quote!(Types),
    };

    quote! {
        ::iree_dialects::ParameterInfo {
            name: #name,
            kind: ::iree_dialects::ParameterKind::#kind,
            optional: #optional,
        }
    }
}

fn width(integer: &str) -> u32 {
    if integer.ends_with("32") { 32 } else { 64 }
}
