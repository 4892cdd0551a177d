//! Which values of a function are in registers.
//!
//! What comes from literals and sizes alone is, through any arithmetic, branches and iterations of loops: a
//! counter, for example. Reading a number from a buffer makes the machine wait for the device. So what
//! depends on tensors is in registers only where the machine waits anyway:
//!
//! - what a loop starts with and what its iterations have in common, if something must be read to know whether
//!   there is an iteration at all,
//! - what a branch, a loop, a window or an assertion depends on, as far as no more has to be read than the
//!   one number that would be read otherwise, apart from what iterations of a loop have in common,
//! - what is computed from numbers that are read for the condition of a loop.

use super::origins::{Origin, Origins};
use iree_dsl_ir::{
    Constant, Function, Operation, OperationId, ValueId,
    op::{Op, Structure},
};
use std::collections::BTreeSet;

/// The values of a function that are in registers.
pub(in crate::legalize) struct Choice<'a> {
    origins: Origins<'a>,
    registers: BTreeSet<ValueId>,
}

/// What the machine reads anyway.
#[derive(Default)]
struct Read {
    /// What the conditions of loops depend on.
    values: BTreeSet<ValueId>,
    /// Loops that something is read for before their first iteration.
    loops: BTreeSet<OperationId>,
}

impl<'a> Choice<'a> {
    /// Goes through a function.
    pub(in crate::legalize) fn of(function: &'a Function) -> Self {
        let origins = Origins::of(function);
        let mut read = Read::default();
        let free = origins.free(&read);
        read.loops = origins.waiting(&free);
        let free = origins.free(&read);
        read.values = origins.decisive(&origins.demanded(&free));
        let registers = origins.demanded(&origins.free(&read));
        Self { origins, registers }
    }

    /// Whether a value is computed in a register.
    pub(in crate::legalize) fn holds(&self, value: ValueId) -> bool {
        let value = self.origins.one_of(value);
        self.registers.contains(&value) && self.literal(value).is_none()
    }

    /// The number, if it is known while building.
    pub(in crate::legalize) fn literal(&self, value: ValueId) -> Option<&'a Constant> {
        match self.origins.origins.get(&value) {
            Some(Origin::Literal(constant)) => Some(constant),
            _ => None,
        }
    }

    /// What an operation takes from registers, wherever it comes from.
    fn operands(&self, operation: &Operation) -> Vec<ValueId> {
        let (operands, regions) = (&operation.operands, &operation.regions);
        let handed: Vec<&Vec<ValueId>> = match is_loop(operation) {
            true => {
                let next = regions.last().map(|body| &body.results);
                next.into_iter().chain([operands]).collect()
            }
            false => regions.iter().map(|branch| &branch.results).collect(),
        };
        let mut taken = demanded_by(operation).to_vec();
        for (index, result) in operation.results.iter().enumerate() {
            match self.holds(*result) {
                true if regions.is_empty() => taken.extend(operands),
                true => taken.extend(handed.iter().filter_map(|values| values.get(index))),
                false => {}
            }
        }
        taken
    }

    /// What a loop reads from tensors that exist before it.
    pub(in crate::legalize) fn read_before(&self, id: OperationId) -> BTreeSet<ValueId> {
        let (mut read, mut defined) = (BTreeSet::new(), BTreeSet::new());
        self.collect(id, &mut read, &mut defined);
        read.retain(|value| !defined.contains(value));
        read
    }

    fn collect(
        &self,
        id: OperationId,
        read: &mut BTreeSet<ValueId>,
        defined: &mut BTreeSet<ValueId>,
    ) {
        let Some(operation) = self.origins.function.operations.get(id) else {
            return;
        };
        let is_read = |value: &ValueId| !self.holds(*value) && self.literal(*value).is_none();
        read.extend(self.operands(operation).into_iter().filter(is_read));
        defined.extend(&operation.results);
        for region in &operation.regions {
            defined.extend(&region.parameters);
            for inner in &region.operations {
                self.collect(*inner, read, defined);
            }
        }
    }
}

impl Origins<'_> {
    /// What can be computed without reading more than what is read anyway.
    fn free(&self, read: &Read) -> BTreeSet<ValueId> {
        let waits = |value| {
            self.loops
                .get(&value)
                .is_some_and(|id| read.loops.contains(id))
        };
        let mut free: BTreeSet<_> = self.origins.keys().copied().collect();
        self.remove(&mut free, |value, origin, free| {
            let is_known = |input: &ValueId| free.contains(input) || read.values.contains(input);
            match origin {
                Origin::Iterations([_, next]) if waits(value) => is_known(next),
                Origin::Computed(operands) if waits(value) => operands
                    .iter()
                    .all(|operand| is_known(operand) || self.is_read_before(*operand, value)),
                _ => origin.inputs().iter().all(is_known),
            }
        });
        free
    }

    /// The loops whose condition is not free, so that something is read before their first iteration.
    fn waiting(&self, free: &BTreeSet<ValueId>) -> BTreeSet<OperationId> {
        let operations = self.function.operations.iter();
        let waiting = operations.filter(|(_, operation)| {
            let condition = demanded_by(operation).first();
            is_loop(operation)
                && condition.is_some_and(|condition| !free.contains(&self.one_of(*condition)))
        });
        waiting.map(|(id, _)| id).collect()
    }

    /// What is free, and what else the machine needs to know and computes from numbers in registers and at
    /// most one more. A loop hands on in a register what its condition depends on: it would be read in each
    /// iteration anyway.
    fn demanded(&self, free: &BTreeSet<ValueId>) -> BTreeSet<ValueId> {
        let origins: BTreeSet<_> = self.origins.keys().copied().collect();
        let decisive = self.reached(&origins, is_loop);
        let mut known = self.reached(&origins, |_| true);
        known.retain(|value| origins.contains(value));
        known.extend(free);
        self.remove(&mut known, |value, origin, known| match origin {
            _ if free.contains(&value) => true,
            Origin::Computed(operands) => {
                let read = operands.iter().filter(|operand| !known.contains(operand));
                let read: BTreeSet<_> = read
                    .filter(|operand| !self.is_read_before(**operand, value))
                    .collect();
                read.len() <= 1
            }
            _ if decisive.contains(&value) => true,
            Origin::Iterations([_, next]) => known.contains(next),
            _ => origin.inputs().iter().all(|input| known.contains(input)),
        });
        known
    }

    /// What is read for the conditions of loops, if the machine computes what is known.
    fn decisive(&self, known: &BTreeSet<ValueId>) -> BTreeSet<ValueId> {
        let mut read = self.reached(known, is_loop);
        read.retain(|value| !known.contains(value));
        read
    }

    /// What some operations need to know, what that is computed from as far as it is known, and what that
    /// needs.
    fn reached(
        &self,
        known: &BTreeSet<ValueId>,
        needs: impl Fn(&Operation) -> bool,
    ) -> BTreeSet<ValueId> {
        let operations = self.function.operations.iter();
        let operations = operations.map(|(_, operation)| operation);
        let needed = operations.filter(|operation| needs(operation));
        let mut next: Vec<_> = needed
            .flat_map(demanded_by)
            .map(|value| self.one_of(*value))
            .collect();
        let mut reached = BTreeSet::new();
        while let Some(value) = next.pop() {
            if reached.insert(value) && known.contains(&value) {
                let origin = self.origins.get(&value);
                next.extend(origin.map(Origin::inputs).unwrap_or_default());
            }
        }
        reached
    }
}

/// What must be known before an operation runs, whether it is in a register or not.
fn demanded_by(operation: &Operation) -> &[ValueId] {
    let operands = operation.operands.as_slice();
    match operation.op.structure() {
        Structure::Branches => operands,
        Structure::Effect if matches!(operation.op, Op::Assert(_)) => operands,
        Structure::Window(_) => operands.get(1..).unwrap_or_default(),
        Structure::Update => operands.get(2..).unwrap_or_default(),
        Structure::Iterations => {
            let condition = operation.regions.first();
            condition.map_or(&[], |condition| &condition.results)
        }
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => &[],
        Structure::Elementwise | Structure::Broadcast(_) | Structure::Reshape(_) => &[],
        Structure::Transpose(_) | Structure::Reverse(_) | Structure::Slice(_) => &[],
        Structure::Concatenate(_) | Structure::Pad(_) => &[],
        Structure::Gather(_) | Structure::Scatter(_) => &[],
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => &[],
        Structure::ReduceWindow(_) | Structure::Convolution(_) => &[],
        Structure::Scan(_)
        | Structure::Sort(_)
        | Structure::Transform
        | Structure::Factor
        | Structure::System(_) => &[],
        Structure::Effect => &[],
    }
}

fn is_loop(operation: &Operation) -> bool {
    matches!(operation.op, Op::While)
}
