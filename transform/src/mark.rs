//! What reverse mode computes again instead of keeping it.

use iree_dsl_ir::{Function, OperationId, op::Op};
use std::collections::BTreeMap;

/// Operations that are marked to save memory in reverse mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoints {
    /// Operations that follow each other in a block and are run again instead of keeping what they compute, by the first of
    /// them.
    pub again: BTreeMap<OperationId, Vec<OperationId>>,
    /// Loops of which is kept what so many iterations start with, besides the first.
    pub bounded: BTreeMap<OperationId, usize>,
}

impl Checkpoints {
    /// Keeps no more of the loops among some operations than what so many iterations start with, with `inside` also of those
    /// in their regions. What was said of a loop before holds.
    pub fn bound(
        &mut self,
        function: &Function,
        operations: &[OperationId],
        most: usize,
        inside: bool,
    ) {
        for id in operations {
            let Some(operation) = function.operations.get(*id) else {
                continue;
            };
            if operation.op == Op::While {
                self.bounded.entry(*id).or_insert(most);
            }
            for region in operation.regions.iter().filter(|_| inside) {
                self.bound(function, &region.operations, most, inside);
            }
        }
    }

    /// Forgets operations that are gone: those from a number on.
    pub fn truncate(&mut self, operations: usize) {
        self.again.retain(|first, _| first.index() < operations);
        self.bounded.retain(|id, _| id.index() < operations);
    }

    /// Marks copies of operations as these are.
    pub(crate) fn copy(
        &mut self,
        function: &Function,
        originals: &[OperationId],
        copies: &[OperationId],
    ) {
        let mut pairs = BTreeMap::new();
        pair(function, originals, copies, &mut pairs);
        for (original, copy) in &pairs {
            if let Some(most) = self.bounded.get(original).copied() {
                self.bounded.insert(*copy, most);
            }
            if let Some(marked) = self.again.get(original) {
                let marked = marked.iter().filter_map(|id| pairs.get(id).copied());
                let marked = marked.collect();
                self.again.insert(*copy, marked);
            }
        }
    }
}

/// Copies by what they are copies of, also in regions.
fn pair(
    function: &Function,
    originals: &[OperationId],
    copies: &[OperationId],
    pairs: &mut BTreeMap<OperationId, OperationId>,
) {
    for (original, copy) in originals.iter().zip(copies) {
        pairs.insert(*original, *copy);
        let regions = [original, copy].map(|id| function.operations.get(*id));
        let [Some(original), Some(copy)] = regions else {
            continue;
        };
        for (original, copy) in original.regions.iter().zip(&copy.regions) {
            pair(function, &original.operations, &copy.operations, pairs);
        }
    }
}
