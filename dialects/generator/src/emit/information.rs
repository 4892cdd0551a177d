//! The table that describes the operations.

use proc_macro2::TokenStream;
use quote::quote;

use super::names;
use crate::{Arity, Attribute, Operation, Presence, Segments, TypeInference, Value};

/// The table of all operations.
pub(super) fn table(operations: &[Operation]) -> TokenStream {
    let views = operations.iter().map(names::view);

    quote! {
        /// The operations of the dialect, ordered by name.
        pub const OPERATIONS: &[::iree_dialects::OperationInfo] = &[#(*#views::INFO),*];
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
        }
    }
}

fn value(value: &Value) -> TokenStream {
    let Value {
        name, constraint, ..
    } = value;
    let arity = arity(value.arity);
    let inference = inference(value.inference);

    quote! {
        ::iree_dialects::ValueInfo {
            name: #name,
            constraint: #constraint,
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

    quote! {
        ::iree_dialects::AttributeInfo {
            name: #name,
            constraint: #constraint,
            required: #required,
        }
    }
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
