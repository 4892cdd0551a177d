//! How often loops run their regions.

use iree_abi::Extent;
use iree_dsl_ir::{Function, Operation, ValueId};
use iree_dsl_transform::most_iterations;
use std::collections::BTreeMap;

/// A function, and what defines its values.
pub(super) struct Iterations<'a> {
    function: &'a Function,
    definitions: BTreeMap<ValueId, &'a Operation>,
}

impl<'a> Iterations<'a> {
    pub(super) fn of(function: &'a Function) -> Self {
        let operations = function.operations.iter();
        let definitions = operations.flat_map(|(_, operation)| {
            let results = operation.results.iter();
            results.map(move |result| (*result, operation))
        });
        Self {
            function,
            definitions: definitions.collect(),
        }
    }

    /// The most iterations of a loop, if sizes tell.
    pub(super) fn most(&self, operation: &'a Operation) -> Option<Extent> {
        let definition = |value: ValueId| self.definitions.get(&value).copied();
        most_iterations(self.function, operation, &definition)
    }
}
