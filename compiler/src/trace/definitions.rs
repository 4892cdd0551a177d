use iree_dsl_ir::{Function, OperationId, ValueId};

/// The operation that each value of a function is a result of, by the value's index.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions(Vec<Option<OperationId>>);

impl Definitions {
    pub(super) fn of(function: &Function) -> Self {
        let mut definitions = Self::default();
        for (id, operation) in function.operations.iter() {
            definitions.define(operation.results.iter().copied(), id);
        }
        definitions
    }

    pub(super) fn get(&self, value: ValueId) -> Option<OperationId> {
        self.0.get(value.index()).copied().flatten()
    }

    /// Notes the operation of its results.
    pub(super) fn define(
        &mut self,
        results: impl IntoIterator<Item = ValueId>,
        operation: OperationId,
    ) {
        for result in results {
            if self.0.len() <= result.index() {
                self.0.resize(result.index() + 1, None);
            }
            if let Some(definition) = self.0.get_mut(result.index()) {
                *definition = Some(operation);
            }
        }
    }

    /// Forgets all but so many values.
    pub(super) fn truncate(&mut self, values: usize) {
        self.0.truncate(values);
    }
}
