//! What blocks hand to each other.

use super::{Decided, Way, buffers::Buffers, starts};
use iree_dsl_ir::{Function, Operation, OperationId, ValueId, op::Op};
use std::collections::{BTreeMap, BTreeSet};

/// Where values are handed to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// Before a loop.
    Before(OperationId),
    /// At the end of a region of an operation, by its number.
    Of(OperationId, usize),
}

/// The tensors, by their position, that get a buffer of their own where they are handed to a block.
pub(super) fn copied(
    function: &Function,
    buffers: &Buffers<'_>,
    decided: &Decided,
) -> BTreeMap<End, BTreeSet<usize>> {
    let branches = Branches {
        function,
        buffers,
        decided,
        starts: starts::read_elsewhere(function),
    };
    let operations = function.operations.iter();
    let ends = operations.flat_map(|(id, operation)| branches.of(id, operation));
    ends.filter(|(_, copied)| !copied.is_empty()).collect()
}

struct Branches<'a> {
    function: &'a Function,
    buffers: &'a Buffers<'a>,
    decided: &'a Decided,
    /// The constants that loops start with and that are read elsewhere too.
    starts: BTreeSet<ValueId>,
}

impl Branches<'_> {
    fn of(&self, id: OperationId, operation: &Operation) -> Vec<(End, BTreeSet<usize>)> {
        let [first, second] = operation.regions.as_slice() else {
            return Vec::new();
        };
        let before: (End, &[ValueId]) = match operation.op == Op::While {
            true => (End::Before(id), &operation.operands),
            false => (End::Of(id, 0), &first.results),
        };
        let ends = [before, (End::Of(id, 1), &second.results)];
        let is_tensor = |(_, value): &(usize, &ValueId)| !self.decided.registers.holds(**value);
        let tensors = operation.results.iter().enumerate().filter(is_tensor);
        let (positions, tensors): (Vec<_>, Vec<&ValueId>) = tensors.unzip();
        if positions.is_empty() {
            return Vec::new();
        }
        let types = tensors.into_iter().filter_map(|it| self.function.ty(*it));
        let way = Way::of(types);
        let ends = ends.into_iter().map(|(end, values)| {
            let mut copied = self.copied(values, &positions, way);
            if let End::Before(id) = end {
                let needed = self.buffers.needed_otherwise(id, operation);
                copied.extend(needed.into_iter().filter(|it| positions.contains(it)));
            }
            (end, copied)
        });
        ends.collect()
    }

    /// Which of the tensors among some values, by their position, get a buffer of their own: those that share one with others,
    /// and constants that are changed in place or would be the same for several.
    fn copied(&self, values: &[ValueId], positions: &[usize], way: Way) -> BTreeSet<usize> {
        let tensors = positions.iter().filter_map(|at| values.get(*at).copied());
        let tensors: Vec<_> = tensors.collect();
        let shared = self.buffers.shared(&tensors);
        let copied = positions.iter().zip(&tensors).enumerate();
        let copied = copied.filter(|(index, (_, value))| {
            let is_constant = match way {
                Way::Once => false,
                Way::Twice => self.starts.contains(value),
                Way::Apart => self.decided.constants.contains(value),
            };
            is_constant || shared.contains(index)
        });
        copied.map(|(_, (position, _))| *position).collect()
    }
}
