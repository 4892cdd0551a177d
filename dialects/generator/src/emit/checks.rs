//! Tests of what is generated for operations.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{builder::path, names};
use crate::{
    Arity, Attribute, AttributeKind, Dialect, Error, Operation, Presence, Region, Segments,
    Successor, Value,
};

/// Writes a check of each operation of a dialect: it builds the operation with all that it may have, reads the text of that back,
/// compares what accessors say with what was put in, and changes each part by its setter.
///
/// What is written finds the module of the dialect by the name `dialect`.
///
/// # Errors
///
/// [`Error::Syntax`] if the result is not Rust, which is a defect of the generator.
pub fn emit_checks(dialect: &Dialect) -> Result<String, Error> {
    let names = dialect.operations.iter().map(|one| &one.name);
    let functions = dialect.operations.iter().map(function);
    let checks = dialect.operations.iter().map(check);
    let file = syn::parse2(quote! {
        #[allow(unused_imports)]
        use ::iree_dialects::testing::show;

        /// A check of each operation.
        #[allow(unreachable_pub)]
        pub const CHECKS: &[::iree_dialects::testing::Check] = &[#(
            ::iree_dialects::testing::Check { operation: #names, run: #functions }
        ),*];

        #(#checks)*
    })
    .map_err(|source| Error::Syntax {
        dialect: dialect.name.clone(),
        source,
    })?;

    Ok(prettyplease::unparse(&file))
}

fn function(operation: &Operation) -> Ident {
    let name = names::snake_case(&operation.mnemonic).replace('.', "_");
    format_ident!("check_{}", name.trim_start_matches('_'))
}

/// A part of an operation, as far as it is tested.
struct Part {
    name: String,
    /// Names what is put in.
    sample: TokenStream,
    /// Calls the builder.
    put: TokenStream,
    /// What the accessor should say.
    expected: TokenStream,
    /// What it says.
    found: TokenStream,
    changes: Vec<Change>,
}

/// A change of a part.
struct Change {
    code: TokenStream,
    /// What the part should be afterwards.
    expected: TokenStream,
    /// Whether MLIR allows it of operations that it knows only.
    known: bool,
}

impl Change {
    fn new(code: TokenStream, expected: TokenStream) -> Self {
        Self {
            code,
            expected,
            known: false,
        }
    }

    fn of_known(code: TokenStream, expected: TokenStream) -> Self {
        Self {
            code,
            expected,
            known: true,
        }
    }
}

fn check(operation: &Operation) -> TokenStream {
    let function = function(operation);
    let parts_function = format_ident!("{function}_parts");
    let view = names::view(operation);
    let equal = |segments| segments == Segments::Equal;
    let operands = operation.operands.iter();
    let one = (operation.operands.iter().chain(&operation.results))
        .any(|value| value.arity == Arity::Optional);
    let sizes = |segments| Sizes {
        fixed: equal(segments),
        length: if equal(segments) && one { 1 } else { 2 },
    };
    let parts = operands
        .enumerate()
        .map(|value| operand(value, sizes(operation.operand_segments)))
        .chain(operation.attributes.iter().enumerate().map(attribute))
        .chain(
            (operation.results.iter().enumerate())
                .map(|value| result(value, sizes(operation.result_segments))),
        )
        .chain(operation.regions.iter().enumerate().map(region))
        .chain(operation.successors.iter().enumerate().map(successor));
    let parts = parts.collect::<Vec<_>>();

    let samples = parts.iter().map(|part| &part.sample);
    let puts = parts.iter().map(|part| &part.put);
    let expected = parts.iter().map(|part| {
        let Part { name, expected, .. } = part;
        quote!((#name, #expected))
    });
    let found = parts.iter().map(|part| {
        let Part { name, found, .. } = part;
        quote!((#name, #found))
    });
    let changes =
        parts.iter().enumerate().flat_map(|(index, part)| {
            part.changes.iter().map(|Change { code, expected, known }| {
            let change = quote! {
                #code
                scene.expect_change(&mut parts, #index, #expected, #parts_function(view)?)?;
            };
            if *known { quote!(if scene.is_known() { #change }) } else { change }
        }).collect::<Vec<_>>()
        });

    quote! {
        fn #function(scene: &::iree_dialects::testing::Scene<'_>) -> ::iree_dialects::testing::Outcome {
            let info = dialect::#view::INFO;
            #(#samples)*
            #[allow(unused_mut)]
            let mut parts: ::iree_dialects::testing::Parts = vec![#(#expected),*];
            let view = scene.builder().insert::<dialect::#view>(|builder| builder #(#puts)*)?;
            scene.expect(&parts, #parts_function(view)?)?;
            scene.read_back(info, |copy| {
                scene.expect(&parts, #parts_function(dialect::#view::try_from(copy)?)?)
            })?;
            #(#changes)*
            scene.read_back(info, |copy| {
                scene.expect(&parts, #parts_function(dialect::#view::try_from(copy)?)?)
            })
        }

        fn #parts_function(
            view: dialect::#view<'_, '_>,
        ) -> Result<::iree_dialects::testing::Parts, ::iree_dialects::Error> {
            _ = view;
            Ok(vec![#(#found),*])
        }
    }
}

/// How many values stand for what is variadic.
#[derive(Clone, Copy)]
struct Sizes {
    fixed: bool,
    length: usize,
}

fn operand((index, value): (usize, &Value), Sizes { fixed, length }: Sizes) -> Part {
    let name = value.name.clone();
    let method = names::method(&name);
    let setter = names::setter(&name);
    let local = format_ident!("operand_{}", names::snake_case(&name));
    let (sample, put, show, given) = match value.arity {
        Arity::Single => (
            quote!(scene.value(&info.operands[#index])),
            quote!(#local),
            quote!(show::value),
            quote!(#local),
        ),
        Arity::Optional => (
            quote!(Some(scene.value(&info.operands[#index]))),
            quote!(scene.given(&info.operands[#index], #local)),
            quote!(show::optional_value),
            quote!(#local),
        ),
        Arity::Variadic => (
            quote!(scene.values(&info.operands[#index], #length)),
            quote!(&#local),
            quote!(show::values),
            quote!(&#local),
        ),
    };
    let shown = quote!(#show(#given));
    let found = match value.arity {
        Arity::Variadic => quote!(#show(&view.#method()?)),
        Arity::Single | Arity::Optional => quote!(#show(view.#method()?)),
    };
    let change = |sample: TokenStream| {
        let code = quote! {
            let #local = #sample;
            view.#setter(#given)?;
        };
        Change::new(quote!(#code), shown.clone())
    };
    let longer = length + 1;
    let changes = match value.arity {
        Arity::Optional if !fixed => vec![
            change(sample.clone()),
            change(quote!(None)),
            change(sample.clone()),
        ],
        Arity::Variadic if !fixed => vec![
            change(quote!(scene.values(&info.operands[#index], #longer))),
            change(quote!(scene.values(&info.operands[#index], 0))),
        ],
        Arity::Single | Arity::Optional | Arity::Variadic => vec![change(sample.clone())],
    };

    Part {
        sample: quote!(let #local = #sample;),
        put: quote!(.#method(#put)),
        expected: shown,
        found,
        changes,
        name,
    }
}

fn result((index, value): (usize, &Value), Sizes { length, .. }: Sizes) -> Part {
    let name = value.name.clone();
    let method = names::method(&name);
    let local = format_ident!("result_{}", names::snake_case(&name));
    let (sample, put, expected, found) = match value.arity {
        Arity::Single => (
            quote!(scene.r#type(&info.results[#index])),
            quote!(#local),
            quote!(#local.to_string()),
            quote!(show::of_type(view.#method()?)),
        ),
        Arity::Optional => (
            quote!(scene.r#type(&info.results[#index])),
            quote!(#local),
            quote!(#local.to_string()),
            quote!(show::optional_of_type(view.#method()?)),
        ),
        Arity::Variadic => (
            quote!(scene.types(&info.results[#index], #length)),
            quote!(&#local),
            quote!(show::types(&#local)),
            quote!(show::of_types(&view.#method()?)),
        ),
    };

    Part {
        sample: quote!(let #local = #sample;),
        put: quote!(.#method(#put)),
        expected,
        found,
        changes: vec![],
        name,
    }
}

fn region((index, region): (usize, &Region)) -> Part {
    let name = region.name.clone();
    let method = names::method(&name);
    let single = |index: usize| quote!(scene.region(#index)?);
    let (sample, expected, found) = match region.arity {
        Arity::Variadic => {
            let (one, other) = (single(index), single(index + 1));
            let other_index = index + 1;
            (
                quote!(vec![#one, #other]),
                quote!(show::markers(&[#index, #other_index])),
                quote!(show::regions(&view.#method()?)),
            )
        }
        Arity::Single | Arity::Optional => (
            single(index),
            quote!(show::markers(&[#index])),
            quote!(show::regions(&[view.#method()?])),
        ),
    };
    let local = format_ident!("region_{index}");

    Part {
        sample: quote!(let #local = #sample;),
        put: quote!(.#method(#local)),
        expected,
        found,
        changes: vec![],
        name,
    }
}

fn successor((index, successor): (usize, &Successor)) -> Part {
    let name = successor.name.clone();
    let method = names::method(&name);
    let setter = names::setter(&name);
    let local = format_ident!("successor_{index}");
    let single = quote!(scene.successor()?);
    let (sample, put, expected, found, changes) = match successor.arity {
        Arity::Variadic => (
            quote!([#single, #single]),
            quote!(&#local),
            quote!(show::blocks(&#local)),
            quote!(show::blocks(&view.#method())),
            vec![],
        ),
        Arity::Single | Arity::Optional => {
            let expected = quote!(show::blocks(&[#local]));
            let code = quote! {
                let #local = #single;
                view.#setter(#local)?;
            };
            (
                single,
                quote!(#local),
                expected.clone(),
                quote!(show::blocks(&[view.#method()?])),
                vec![Change::new(code, expected)],
            )
        }
    };

    Part {
        sample: quote!(let #local = #sample;),
        put: quote!(.#method(#put)),
        expected,
        found,
        changes,
        name,
    }
}

fn attribute((index, attribute): (usize, &Attribute)) -> Part {
    let name = attribute.name.clone();
    let method = names::method(&name);
    let setter = names::setter(&name);
    let local = format_ident!("attribute_{}", names::snake_case(&name));
    if attribute.kind == AttributeKind::Unit {
        let change = |present: bool| {
            Change::of_known(
                quote!(view.#setter(#present)?;),
                quote!(show::present(#present)),
            )
        };
        return Part {
            sample: quote!(),
            put: quote!(.#method(true)),
            expected: quote!(show::present(true)),
            found: quote!(show::present(view.#method())),
            changes: vec![change(false), change(true)],
            name,
        };
    }

    // Only these are not `Copy`.
    let given = if matches!(attribute.kind, AttributeKind::Definition { .. }) {
        quote!(#local.clone())
    } else {
        quote!(#local)
    };
    let required = attribute.presence == Presence::Required;
    let generated = matches!(
        attribute.kind,
        AttributeKind::Enumeration(_) | AttributeKind::Definition { .. }
    );
    let show = if generated {
        quote!(show::debug)
    } else {
        quote!(show::attribute)
    };
    let found = if required {
        quote!(#show(view.#method()?))
    } else {
        let optional = if generated {
            quote!(show::optional_debug)
        } else {
            quote!(show::optional_attribute)
        };
        quote!(#optional(view.#method()?))
    };
    let other = sample(&attribute.kind, index, 1);
    let sample = sample(&attribute.kind, index, 0);
    let shown = quote!(#show(#given));
    let mut changes = vec![Change::new(
        quote! {
            let #local = #other;
            view.#setter(#given)?;
        },
        shown.clone(),
    )];
    if !required {
        let remover = names::remover(&name);
        let remove = quote!(scene.expect_removal(view.#remover()?)?;);
        changes.push(Change::of_known(remove, quote!(show::nothing())));
        let set = quote!(view.#setter(#given)?;);
        changes.push(Change::of_known(set, shown.clone()));
    }

    Part {
        sample: quote!(let #local = #sample;),
        put: quote!(.#method(#given)),
        expected: shown,
        found,
        changes,
        name,
    }
}

/// The first or the second value that an attribute gets.
fn sample(kind: &AttributeKind, index: usize, variant: usize) -> TokenStream {
    let method = match kind {
        AttributeKind::Any | AttributeKind::Unit => quote!(any),
        AttributeKind::Array => quote!(array),
        AttributeKind::Bool => quote!(bool),
        AttributeKind::Dictionary => quote!(dictionary),
        AttributeKind::DenseElements => quote!(elements),
        AttributeKind::DenseI32Array => quote!(i32_array),
        AttributeKind::DenseI64Array => quote!(i64_array),
        AttributeKind::FlatSymbolRef => quote!(symbol),
        AttributeKind::Float(_) => return quote!(scene.float(&info.attributes[#index], #variant)?),
        AttributeKind::Integer(_) => {
            return quote!(scene.integer(&info.attributes[#index], #variant)?);
        }
        AttributeKind::String => quote!(string),
        AttributeKind::Type => quote!(type_attribute),
        AttributeKind::Enumeration(name) => {
            let path = relative(name);
            return quote!(scene.case::<#path>(#variant)?);
        }
        AttributeKind::Definition { name, .. } => {
            let path = relative(name);
            return quote!(scene.definition::<#path>(#variant)?);
        }
    };
    quote!(scene.#method(#variant)?)
}

/// The path of a generated type from the checks.
fn relative(name: &crate::RustType) -> TokenStream {
    let path = path(name);
    match name.module {
        Some(_) => path,
        None => quote!(dialect::#path),
    }
}
