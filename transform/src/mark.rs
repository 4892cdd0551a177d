//! What reverse mode computes again instead of keeping it.

use iree_dsl_ir::{Function, OperationId, op::Op};
use std::collections::BTreeMap;

/// Operations that are marked to save memory in reverse mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoints {
    /// Groups of operations that follow each other in a block and are run again instead of keeping what they compute, by the
    /// first of them; the innermost group first.
    again: BTreeMap<OperationId, Vec<Vec<OperationId>>>,
    /// Loops of which is kept what so many iterations start with, besides the first.
    pub bounded: BTreeMap<OperationId, usize>,
}

impl Checkpoints {
    /// No marks.
    pub(crate) const fn none() -> Self {
        Self {
            again: BTreeMap::new(),
            bounded: BTreeMap::new(),
        }
    }

    /// Runs operations that follow each other in a block again, instead of keeping what they compute. Groups within groups are
    /// marked first.
    pub fn run_again(&mut self, operations: Vec<OperationId>) {
        if let Some(first) = operations.first() {
            self.again.entry(*first).or_default().push(operations);
        }
    }

    /// The outermost group at the start of a block, of the innermost `most` that start with the same operation: how many are
    /// within it, its operations, and what comes behind it.
    pub(crate) fn group<'b>(
        &self,
        block: &'b [OperationId],
        most: usize,
    ) -> Option<(usize, &'b [OperationId], &'b [OperationId])> {
        let groups = self.again.get(block.first()?)?.iter().take(most);
        let mut outer = groups.enumerate().rev();
        outer.find_map(|(within, group)| {
            let behind = block.strip_prefix(group.as_slice())?;
            Some((within, block.get(..group.len())?, behind))
        })
    }

    /// Forgets the outermost group that starts with an operation.
    pub(crate) fn leave(&mut self, first: OperationId) {
        if let Some(groups) = self.again.get_mut(&first) {
            groups.pop();
        }
    }

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
            if let Some(groups) = self.again.get(original) {
                let copied = groups.iter().map(|group| {
                    let copied = group.iter().filter_map(|id| pairs.get(id).copied());
                    copied.collect()
                });
                let copied = copied.collect();
                self.again.insert(*copy, copied);
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
