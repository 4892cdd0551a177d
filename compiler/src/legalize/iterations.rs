//! How often loops run their regions.

use iree_abi::Extent;
use iree_dsl_ir::{Function, Operation, OperationId, ValueId};
use iree_dsl_transform::TripCount;
use std::{cell::OnceCell, collections::BTreeMap};

/// A function, and what defines its values.
pub(super) struct Iterations<'a> {
    function: &'a Function,
    /// Asked for where there is a loop.
    definitions: OnceCell<BTreeMap<ValueId, OperationId>>,
}

impl<'a> Iterations<'a> {
    pub(super) const fn of(function: &'a Function) -> Self {
        Self {
            function,
            definitions: OnceCell::new(),
        }
    }

    /// The most iterations of a loop, if sizes tell.
    pub(super) fn most(&self, operation: &Operation) -> Option<Extent> {
        self.trips(operation).most().cloned()
    }

    /// How often a loop runs.
    pub(super) fn trips(&self, operation: &Operation) -> TripCount {
        let definitions = self.definitions.get_or_init(|| {
            let operations = self.function.operations.iter();
            let definitions = operations.flat_map(|(id, operation)| {
                let results = operation.results.iter();
                results.map(move |result| (*result, id))
            });
            definitions.collect()
        });
        let definition = |value: ValueId| {
            let id = definitions.get(&value)?;
            self.function.operations.get(*id)
        };
        TripCount::of(self.function, operation, &definition)
    }
}
