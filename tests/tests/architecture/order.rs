//! The same source gives the same output: nothing that runs inside rustc has an order that changes
//! from run to run.

use crate::workspace;

#[test]
fn no_collection_is_ordered_by_chance() {
    let violations: Vec<_> = [
        "abi/src",
        "compiler/src",
        "dialects",
        "dsl-macros/src",
        "interpreter/src",
        "ir/src",
        "library/src",
        "transform/src",
    ]
    .into_iter()
    .flat_map(workspace::sources)
    .flat_map(|source| ["HashMap", "HashSet"].map(|name| source.places_of(name)))
    .flatten()
    .collect();
    assert!(
        violations.is_empty(),
        "a `BTreeMap` or `BTreeSet` is needed at {violations:#?}"
    );
}
