//! What blocks hand to each other.

use super::{Decided, Way, buffers::Buffers, offsets::Offsets, starts};
use iree_dsl_ir::{Function, Operation, OperationId, Region, ValueId, op::Op};
use std::collections::{BTreeMap, BTreeSet};

/// Where values are handed to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// Before a loop.
    Before(OperationId),
    /// At the end of a region of an operation, by its number.
    Of(OperationId, usize),
}

/// How tensors are handed to a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handing {
    /// Those that get a buffer of their own, by their position.
    pub(crate) copied: BTreeSet<usize>,
    /// Whether the machine waits for each of them, which then is where a buffer begins.
    pub(crate) is_waited_for: bool,
}

/// How tensors are handed to each block, where there is something to say of it.
pub(super) fn handed(
    function: &Function,
    buffers: &Buffers<'_>,
    decided: &Decided,
) -> BTreeMap<End, Handing> {
    let branches = Branches {
        function,
        buffers,
        decided,
        offsets: Offsets::of(function),
        starts: starts::read_elsewhere(function),
    };
    let operations = function.operations.iter();
    let ends = operations.flat_map(|(id, operation)| branches.of(id, operation));
    let ends = ends.filter(|(_, handing)| *handing != Handing::default());
    ends.collect()
}

struct Branches<'a> {
    function: &'a Function,
    buffers: &'a Buffers<'a>,
    decided: &'a Decided,
    offsets: Offsets<'a>,
    /// The constants that loops start with and that are read elsewhere too.
    starts: BTreeSet<ValueId>,
}

impl Branches<'_> {
    fn of(&self, id: OperationId, operation: &Operation) -> Vec<(End, Handing)> {
        let [first, second] = operation.regions.as_slice() else {
            return Vec::new();
        };
        let before: (End, Option<&Region>, &[ValueId]) = match operation.op == Op::While {
            true => (End::Before(id), None, &operation.operands),
            false => (End::Of(id, 0), Some(first), &first.results),
        };
        let ends = [before, (End::Of(id, 1), Some(second), &second.results)];
        let is_tensor = |(_, value): &(usize, &ValueId)| !self.decided.registers.holds(**value);
        let tensors = operation.results.iter().enumerate().filter(is_tensor);
        let (positions, tensors): (Vec<_>, Vec<&ValueId>) = tensors.unzip();
        if positions.is_empty() {
            return Vec::new();
        }
        let types = tensors.into_iter().filter_map(|it| self.function.ty(*it));
        let way = Way::of(types);
        let ends = ends.into_iter().map(|(end, region, values)| {
            let tensors = positions.iter().filter_map(|at| values.get(*at).copied());
            let tensors: Vec<_> = tensors.collect();
            let is_waited_for = way == Way::Apart || self.offsets.are_unknown(region, &tensors);
            let way = match is_waited_for {
                true => Way::Apart,
                false => way,
            };
            let mut copied = self.copied(&tensors, &positions, way);
            if let End::Before(id) = end {
                let needed = self.buffers.needed_otherwise(id, operation);
                copied.extend(needed.into_iter().filter(|it| positions.contains(it)));
            }
            let handing = Handing {
                copied,
                is_waited_for,
            };
            (end, handing)
        });
        ends.collect()
    }

    /// Which of some tensors, at these positions, get a buffer of their own: those that share one with others, constants that are
    /// changed in place or would be the same for several, and those of which IREE cannot store what they become.
    /// Defect `stored-constant-comes-through-a-loop`.
    fn copied(&self, tensors: &[ValueId], positions: &[usize], way: Way) -> BTreeSet<usize> {
        let shared = self.buffers.shared(tensors);
        let copied = positions.iter().zip(tensors).enumerate();
        let copied = copied.filter(|(index, (_, value))| {
            let is_start = way != Way::Once && self.starts.contains(value);
            let constants = [&self.decided.constants, &self.decided.loaded];
            let is_constant = constants.iter().any(|of| of.contains(value));
            is_start || is_constant || shared.contains(index)
        });
        copied.map(|(_, (position, _))| *position).collect()
    }
}
