//! What passes ask for.

use super::program::steps;
use iree_dsl_ir::{Function, FunctionId, Operation, OperationId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// What passes ask for, of all functions.
#[derive(Default)]
pub(super) struct Edits {
    functions: BTreeMap<FunctionId, Edit>,
    /// The functions whose products are multiplied as their factors lie in memory, and those of what they call.
    pub(super) unpacked: BTreeSet<FunctionId>,
}

/// What is written into a function.
#[derive(Default)]
pub(super) struct Edit {
    /// Values of which all that reads them reads what is behind a barrier. What a block takes has none: nothing computes it.
    pub(super) apart: BTreeSet<ValueId>,
    /// Operands that one operation reads behind a barrier, by their position.
    pub(super) before: BTreeSet<(OperationId, usize)>,
    /// What the function hands back behind a barrier, by its position.
    pub(super) returned: BTreeSet<usize>,
    /// Barriers that are removed.
    pub(super) erased: BTreeSet<OperationId>,
    /// Sums of products that must not look like contractions.
    pub(super) sums: BTreeSet<ValueId>,
    /// Subtractions that become additions of the negative.
    pub(super) negated: BTreeSet<OperationId>,
    /// The results of loops that one dispatch runs.
    pub(super) contained: BTreeSet<ValueId>,
}

impl Edits {
    /// What is written into a function.
    pub(super) fn of(&self, function: FunctionId) -> Option<&Edit> {
        self.functions.get(&function)
    }

    /// Asks for something in a function.
    pub(super) fn within(&mut self, function: FunctionId) -> &mut Edit {
        self.functions.entry(function).or_default()
    }

    /// How much is asked for.
    pub(super) fn count(&self) -> usize {
        let written: usize = self.functions.values().map(Edit::count).sum();
        written + self.unpacked.len()
    }

    /// Asks for what others ask for, too.
    pub(super) fn extend(&mut self, others: Self) {
        for (function, edit) in others.functions {
            self.within(function).extend(edit);
        }
        self.unpacked.extend(others.unpacked);
    }
}

impl Edit {
    /// Asks for barriers before those operands of the operations of a function of which `is_apart` says so.
    pub(super) fn read_apart(
        &mut self,
        function: &Function,
        is_apart: impl Fn(&Operation, ValueId) -> bool,
    ) {
        for step in steps(function) {
            let operands = step.operands();
            let apart = operands.filter(|(_, operand)| is_apart(step.operation, *operand));
            let apart = apart.map(|(position, _)| (step.id, position));
            self.before.extend(apart);
        }
    }

    fn count(&self) -> usize {
        // Every field is named, so that a new one cannot be forgotten.
        let Self {
            apart,
            before,
            returned,
            erased,
            sums,
            negated,
            contained,
        } = self;
        let values = apart.len() + sums.len() + contained.len();
        values + before.len() + returned.len() + erased.len() + negated.len()
    }

    fn extend(&mut self, other: Self) {
        let Self {
            apart,
            before,
            returned,
            erased,
            sums,
            negated,
            contained,
        } = other;
        self.apart.extend(apart);
        self.before.extend(before);
        self.returned.extend(returned);
        self.erased.extend(erased);
        self.sums.extend(sums);
        self.negated.extend(negated);
        self.contained.extend(contained);
    }
}
