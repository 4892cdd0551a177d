//! What users read after a mistake: each file in `ui` has one, and the text beside it.
//!
//! `TRYBUILD=overwrite cargo test -p iree-dsl --test ui` writes the texts anew.

#[test]
fn mistakes_read_well() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
