//! Composites: functions of tensors that are written with the operations of the representation.
//!
//! Each is a function from [`Term`]s to a [`Term`], as short as its formula, and knows nothing of where the operations
//! go: that is a [`Builder`]. What an operation refuses is an [`Error`], which the term is instead of a value, so that formulas
//! need not look for it.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented
    )
)]

pub mod activation;
pub mod arithmetic;
pub mod arrange;
pub mod broadcast;
mod builder;
mod classes;
pub mod complex;
pub mod contract;
pub mod diagonal;
pub mod einsum;
pub mod fold;
pub mod fourier;
pub mod language;
pub mod linalg;
pub mod lines;
pub mod lookup;
pub mod pad;
pub mod predicate;
pub mod random;
mod repeat;
pub mod rounding;
pub mod sequence;
pub mod softmax;
pub mod sorting;
pub mod statistics;
mod term;
pub mod trigonometry;
pub mod window;

pub use builder::{Builder, Error, Write};
pub use repeat::repeat;
pub use term::{Operand, Term};
