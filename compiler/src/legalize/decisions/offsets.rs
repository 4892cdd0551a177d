//! Where in their buffers tensors are that branches hand on.
//!
//! IREE puts what it computes together into one buffer. Where sizes are known at the call only, it computes where in the buffer
//! each tensor is, and hands that on with the buffer. Its analysis of ranges of integers (`iree-util-optimize-int-arithmetic`, 3.13) knows
//! nothing of what `util.align` makes of a product without bounds, and takes what another way hands on for what all do: the beginning of
//! the buffer. What is behind a barrier begins a buffer of its own.
//! Defect `rounded-size-is-taken-for-nothing`.

use iree_dsl_ir::{Function, Region, ValueId};
use std::collections::BTreeSet;

/// What decides where tensors of a function are.
pub(super) struct Offsets<'a> {
    function: &'a Function,
    /// Whether it has tensors of sizes that are known at the call only.
    is_open: bool,
}

impl<'a> Offsets<'a> {
    pub(super) fn of(function: &'a Function) -> Self {
        let mut values = function.values.iter();
        Self {
            function,
            is_open: values.any(|(_, value)| value.ty.shape.known().is_none()),
        }
    }

    /// Whether some of the tensors that a region hands on, or what is before a loop, may be where only the call knows.
    pub(super) fn are_unknown(&self, region: Option<&Region>, tensors: &[ValueId]) -> bool {
        if !self.is_open {
            return false;
        }
        let Some(region) = region else {
            return true;
        };
        let mut inside = BTreeSet::new();
        self.enter(region, &mut inside);
        let is_open = |id: &ValueId| {
            let ty = self.function.ty(*id);
            ty.is_some_and(|ty| ty.shape.known().is_none())
        };
        inside.iter().any(is_open) || tensors.iter().any(|tensor| !inside.contains(tensor))
    }

    /// Enters what a region takes and computes.
    fn enter(&self, region: &Region, inside: &mut BTreeSet<ValueId>) {
        inside.extend(&region.parameters);
        for id in &region.operations {
            if let Some(operation) = self.function.operations.get(*id) {
                inside.extend(&operation.results);
                for region in &operation.regions {
                    self.enter(region, inside);
                }
            }
        }
    }
}
