//! The table that describes the operations.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{builder::path, names};
use crate::{
    Arity, Attribute, AttributeKind, Dialect, Number, Operation, Presence, Segments, TypeInference,
    Value,
};

/// The table of all operations.
pub(super) fn table(operations: &[Operation]) -> TokenStream {
    let views = operations.iter().map(names::view);

    quote! {
        /// The operations of the dialect, ordered by name.
        pub const OPERATIONS: &[::iree_dialects::OperationInfo] = &[#(*#views::INFO),*];
    }
}

/// What the definitions say about the dialect.
pub(super) fn dialect(dialect: &Dialect) -> TokenStream {
    let name = &dialect.name;
    let enumerations = dialect
        .enumerations
        .iter()
        .map(|one| format_ident!("{}", one.name));
    let definitions = dialect
        .definitions
        .iter()
        .map(|one| format_ident!("{}", one.name));

    quote! {
        /// What the definitions say about the dialect.
        pub const DIALECT: &::iree_dialects::DialectInfo = &::iree_dialects::DialectInfo {
            name: #name,
            enumerations: &[#(*#enumerations::INFO),*],
            definitions: &[#(*#definitions::INFO),*],
            operations: OPERATIONS,
        };
    }
}

/// The entry of an operation.
pub(super) fn entry(operation: &Operation) -> TokenStream {
    let Operation { name, summary, .. } = operation;
    let operands = operation.operands.iter().map(value);
    let operand_segments = segments(operation.operand_segments);
    let attributes = operation.attributes.iter().map(attribute);
    let results = operation.results.iter().map(value);
    let result_segments = segments(operation.result_segments);
    let regions = operation.regions.iter().map(|region| {
        let name = &region.name;
        let arity = arity(region.arity);

        quote!(::iree_dialects::RegionInfo { name: #name, arity: #arity })
    });
    let successors = operation.successors.iter().map(|successor| {
        let name = &successor.name;
        let arity = arity(successor.arity);

        quote!(::iree_dialects::SuccessorInfo { name: #name, arity: #arity })
    });

    quote! {
        ::iree_dialects::OperationInfo {
            name: #name,
            summary: #summary,
            operands: &[#(#operands),*],
            operand_segments: #operand_segments,
            attributes: &[#(#attributes),*],
            results: &[#(#results),*],
            result_segments: #result_segments,
            regions: &[#(#regions),*],
            successors: &[#(#successors),*],
        }
    }
}

fn value(value: &Value) -> TokenStream {
    let Value {
        name, constraint, ..
    } = value;
    let arity = arity(value.arity);
    let inference = inference(value.inference);
    let definition = match &value.definition {
        Some(name) => {
            let path = path(name);
            quote!(Some(#path::INFO))
        }
        None => quote!(None),
    };

    quote! {
        ::iree_dialects::ValueInfo {
            name: #name,
            constraint: #constraint,
            definition: #definition,
            arity: #arity,
            inference: #inference,
        }
    }
}

fn attribute(attribute: &Attribute) -> TokenStream {
    let Attribute {
        name, constraint, ..
    } = attribute;
    let required = attribute.presence == Presence::Required;
    let number = number(&attribute.kind);
    let defined = match &attribute.kind {
        AttributeKind::Enumeration(name) => {
            let path = path(name);
            quote!(Some(::iree_dialects::Defined::Enumeration(#path::INFO)))
        }
        AttributeKind::Definition { name, .. } => {
            let path = path(name);
            quote!(Some(::iree_dialects::Defined::Definition(#path::INFO)))
        }
        _ => quote!(None),
    };

    quote! {
        ::iree_dialects::AttributeInfo {
            name: #name,
            constraint: #constraint,
            required: #required,
            number: #number,
            defined: #defined,
        }
    }
}

fn number(kind: &AttributeKind) -> TokenStream {
    let (AttributeKind::Integer(Some(number)) | AttributeKind::Float(Some(number))) = kind else {
        return quote!(None);
    };
    let number = match number {
        Number::Index => quote!(Index),
        Number::Signless(width) => quote!(Signless(#width)),
        Number::Signed(width) => quote!(Signed(#width)),
        Number::Unsigned(width) => quote!(Unsigned(#width)),
        Number::Float(width) => quote!(Float(#width)),
    };

    quote!(Some(::iree_dialects::Number::#number))
}

fn arity(arity: Arity) -> TokenStream {
    match arity {
        Arity::Single => quote!(::iree_dialects::Arity::Single),
        Arity::Optional => quote!(::iree_dialects::Arity::Optional),
        Arity::Variadic => quote!(::iree_dialects::Arity::Variadic),
    }
}

fn segments(segments: Segments) -> TokenStream {
    match segments {
        Segments::Positional => quote!(::iree_dialects::Segments::Positional),
        Segments::Sized => quote!(::iree_dialects::Segments::Sized),
        Segments::Equal => quote!(::iree_dialects::Segments::Equal),
    }
}

fn inference(inference: TypeInference) -> TokenStream {
    match inference {
        TypeInference::Explicit => quote!(::iree_dialects::TypeInference::Explicit),
        TypeInference::Operand(index) => quote!(::iree_dialects::TypeInference::Operand(#index)),
        TypeInference::Index => quote!(::iree_dialects::TypeInference::Index),
        TypeInference::Integer(width) => quote!(::iree_dialects::TypeInference::Integer(#width)),
    }
}
