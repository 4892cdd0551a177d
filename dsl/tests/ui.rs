//! What users read after a mistake: each file in `ui` has one, and the text beside it.
//!
//! `TRYBUILD=overwrite cargo test -p iree-dsl --test ui` writes the texts anew.

#[test]
fn mistakes_read_well() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

#[test]
fn mistakes_that_the_iree_compiler_finds_read_well() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/build/passes.rs");
    cases.compile_fail("tests/ui/build/m*.rs");
}
