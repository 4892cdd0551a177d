//! What tests that draw at random need.

#[allow(dead_code, reason = "these tests need less of it")]
#[path = "../../../compiler/tests/suite/mutations/tokens.rs"]
mod tokens;

pub(crate) use tokens::Random;
