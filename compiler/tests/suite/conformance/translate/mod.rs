//! What a user of the language would write for an operation of the suite.

mod bits;
mod contract;
mod control;
mod elementwise;
mod index;
mod select;
mod shape;
mod window;

use super::statement::Statement;
use crate::device::HostTensor;
use std::collections::BTreeMap;

/// Functions that some translations call.
pub(super) const KERNELS: &str = include_str!("kernels.in");

/// What is known of values: those of the case, by their names in the language.
pub(super) type Known = BTreeMap<String, HostTensor>;

/// An expression for the results: one value, or a tuple.
pub(super) fn translate(statement: &Statement<'_>, known: &Known) -> Option<String> {
    elementwise::translate(statement)
        .or_else(|| bits::translate(statement))
        .or_else(|| shape::translate(statement, known))
        .or_else(|| contract::translate(statement, known))
        .or_else(|| window::translate(statement, known))
        .or_else(|| index::translate(statement, known))
        .or_else(|| select::translate(statement, known))
        .or_else(|| control::translate(statement, known))
}
