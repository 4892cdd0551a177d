//! How often loops run their regions.

use iree_abi::Extent;
use iree_dsl_ir::{Function, Operation, ValueId};
use iree_dsl_transform::most_iterations;
use std::{cell::OnceCell, collections::BTreeMap};

/// A function, and what defines its values.
pub(super) struct Iterations<'a> {
    function: &'a Function,
    /// Asked for where there is a loop.
    definitions: OnceCell<BTreeMap<ValueId, &'a Operation>>,
}

impl<'a> Iterations<'a> {
    pub(super) const fn of(function: &'a Function) -> Self {
        Self {
            function,
            definitions: OnceCell::new(),
        }
    }

    /// The most iterations of a loop, if sizes tell.
    pub(super) fn most(&self, operation: &'a Operation) -> Option<Extent> {
        let definitions = self.definitions.get_or_init(|| {
            let operations = self.function.operations.iter();
            let definitions = operations.flat_map(|(_, operation)| {
                let results = operation.results.iter();
                results.map(move |result| (*result, operation))
            });
            definitions.collect()
        });
        let definition = |value: ValueId| definitions.get(&value).copied();
        most_iterations(self.function, operation, &definition)
    }
}
