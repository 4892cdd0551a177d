//! Names of ODS to names of Rust.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use quote::format_ident;

use crate::{Error, Operation};

/// What views and builders define themselves.
const RESERVED: [&str; 7] = [
    "append_to",
    "as_operation",
    "build",
    "builder",
    "discardable_attribute",
    "new",
    "try_from",
];

/// The name of an operation's view, such as `DotGeneralOperation`.
pub(super) fn view(operation: &Operation) -> Ident {
    let name = camel_case(&operation.mnemonic);
    // The enum of all operations has this name.
    let name = if name == "Any" { "AnyOp" } else { &name };
    format_ident!("{name}Operation")
}

/// The name of an operation's builder, such as `DotGeneralOperationBuilder`.
pub(super) fn builder(operation: &Operation) -> Ident {
    format_ident!("{}Builder", view(operation))
}

/// The name of an enumeration's case, such as `OrderedEqual`.
pub(super) fn variant(symbol: &str) -> Ident {
    let name = camel_case(symbol);
    match name.chars().next() {
        Some(first) if first.is_alphabetic() => keyword_or(&name),
        _ => format_ident!("_{name}"),
    }
}

/// The name of a constant that holds a bit, such as `NO_NANS`.
pub(super) fn constant(symbol: &str) -> Ident {
    let name = snake_case(symbol).to_uppercase();
    match name.chars().next() {
        Some(first) if first.is_alphabetic() => keyword_or(&name),
        _ => format_ident!("_{name}"),
    }
}

/// The name of the method that sets a part, such as `set_lhs`.
pub(super) fn setter(name: &str) -> Ident {
    format_ident!("set_{}", snake_case(name))
}

/// The name of the method that removes a part.
pub(super) fn remover(name: &str) -> Ident {
    format_ident!("remove_{}", snake_case(name))
}

fn keyword_or(name: &str) -> Ident {
    syn::parse_str::<Ident>(name).unwrap_or_else(|_| keyword(name))
}

/// The name of the method for an operand, attribute, result or region.
pub(super) fn method(name: &str) -> Ident {
    let name = snake_case(name);

    if RESERVED.contains(&name.as_str()) {
        format_ident!("{name}_")
    } else {
        keyword_or(&name)
    }
}

/// Checks that the parts of an operation have methods of different names.
pub(super) fn check(operation: &Operation) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    let names = (operation.operands.iter().chain(&operation.results))
        .map(|value| &value.name)
        .chain(operation.attributes.iter().map(|attribute| &attribute.name))
        .chain(operation.regions.iter().map(|region| &region.name))
        .chain(operation.successors.iter().map(|successor| &successor.name));

    for name in names {
        let [method, setter, remover] = [method(name), setter(name), remover(name)];
        if !(seen.insert(method) && seen.insert(setter) && seen.insert(remover)) {
            return Err(Error::Unsupported {
                operation: operation.name.clone(),
                feature: format!("two parts of the name `{name}`"),
            });
        }
    }

    Ok(())
}

fn keyword(name: &str) -> Ident {
    // These cannot be raw identifiers.
    if matches!(name, "self" | "super" | "crate" | "Self" | "_") {
        format_ident!("{name}_")
    } else {
        Ident::new_raw(name, Span::call_site())
    }
}

pub(super) fn camel_case(name: &str) -> String {
    name.split(['_', '.'])
        .flat_map(|word| {
            let mut characters = word.chars();
            characters
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(characters)
        })
        .collect()
}

pub(super) fn snake_case(name: &str) -> String {
    let mut output = String::new();
    let mut follows_lower_case = false;

    for character in name.chars() {
        if character.is_uppercase() && follows_lower_case {
            output.push('_');
        }

        follows_lower_case = character.is_lowercase() || character.is_ascii_digit();
        output.extend(character.to_lowercase());
    }

    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_joins_words_and_dialect_parts() {
        assert_eq!(camel_case("dot_general"), "DotGeneral");
        assert_eq!(camel_case("global.load.indirect"), "GlobalLoadIndirect");
    }

    #[test]
    fn snake_case_splits_words() {
        assert_eq!(snake_case("operandSegmentSizes"), "operand_segment_sizes");
        assert_eq!(snake_case("low_padding"), "low_padding");
    }

    #[test]
    fn methods_are_valid_identifiers() {
        assert_eq!(method("type").to_string(), "r#type");
        assert_eq!(method("self").to_string(), "self_");
        assert_eq!(method("build").to_string(), "build_");
        assert_eq!(method("lhs").to_string(), "lhs");
    }
}
