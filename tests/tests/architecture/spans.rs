//! `proc_macro2::Span` appears only where spans are made and where they are spent.

use crate::workspace;

const MAY_HOLD_SPANS: [&str; 4] = [
    "compiler/src/parse",
    "compiler/src/span.rs",
    "compiler/src/diagnostic",
    "compiler/src/expand",
];

#[test]
fn only_ids_travel_between_stages() {
    let violations: Vec<_> = workspace::sources("compiler/src")
        .iter()
        .filter(|source| !source.is_in(&MAY_HOLD_SPANS))
        .flat_map(|source| source.places_of("Span"))
        .collect();
    assert!(violations.is_empty(), "`Span` at {violations:#?}");
}

#[test]
fn the_span_table_holds_them() {
    let table = workspace::sources("compiler/src/span.rs");
    assert!(!table[0].places_of("Span").is_empty());
}
