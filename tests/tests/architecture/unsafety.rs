//! `unsafe` stands only at the border to C and C++. That each has a `SAFETY` comment is a lint.

use crate::workspace;

/// The last one is what a benchmark compares safe code with.
const MAY_BE_UNSAFE: [&str; 3] = [
    "runtime/src/ffi",
    "dialects/src/raw",
    "dialects/benches/modules/c.rs",
];

#[test]
fn the_border_is_where_it_is_said_to_be() {
    let violations: Vec<_> = workspace::sources("")
        .iter()
        .filter(|source| !source.is_in(&MAY_BE_UNSAFE))
        .flat_map(|source| source.places_of("unsafe"))
        .collect();
    assert!(violations.is_empty(), "`unsafe` at {violations:#?}");
}

#[test]
fn the_border_is_seen() {
    let ffi = workspace::sources("runtime/src/ffi");
    assert!(
        ffi.iter()
            .any(|source| !source.places_of("unsafe").is_empty())
    );
}
