//! What lowering needs to know of a module and its operations do not say: what the machine has in registers, what gets a buffer
//! of its own, who stores first values, and how much work a call is.
//!
//! It is found here, in the module that passes have made, so that lowering asks nothing of operations but the one that it
//! lowers.

mod branches;
mod buffers;
mod contained;
mod hoisted;
mod initializers;
mod masks;
mod moves;
mod notes;
mod numbers;
mod offsets;
mod registers;
mod starts;
mod unread;
mod updates;
mod way;
mod work;

pub(crate) use branches::{End, Handing};
pub(crate) use buffers::{Change, Reader, Whole, Window};
pub(super) use contained::Around;
pub(crate) use contained::Contained;
pub(crate) use initializers::Initializer;
pub(super) use initializers::initializers;
pub(crate) use numbers::Filling;
pub(crate) use updates::Updated;
pub(crate) use way::Way;

use super::{known::Constants, write::Marks};
use buffers::Buffers;
use hoisted::Globals;
use iree_abi::Work;
use iree_dsl_ir::{
    Function, FunctionId, Module, Operation, OperationId, ValueId,
    op::{Alias, Effect, Op, UnaryOp},
};
use numbers::Numbers;
use registers::Registers;
use std::collections::{BTreeMap, BTreeSet};
use updates::Updates;

/// What is decided of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Decisions {
    pub(super) functions: BTreeMap<FunctionId, Decided>,
    pub(super) initializers: BTreeMap<FunctionId, Initializer>,
}

/// What is decided of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decided {
    /// Sums of products that must not look like contractions. No operation says that: a contraction that is written as
    /// something else is no longer one, and what is done to the operand of a reduction is nothing that computes.
    pub(crate) sums: BTreeSet<ValueId>,
    /// Loops that one dispatch runs, on machines that run loops in dispatches.
    pub(crate) contained: BTreeSet<OperationId>,
    /// What is around loops that may be in a dispatch.
    pub(crate) loops: BTreeMap<OperationId, Contained>,
    /// What IREE may find to be constant, and need not be the same number everywhere.
    pub(crate) constants: BTreeSet<ValueId>,
    /// What may be such a constant, if IREE finds out a condition.
    chosen: BTreeSet<ValueId>,
    /// What is computed of globals that nothing changes. IREE takes it for constant.
    loaded: BTreeSet<ValueId>,
    /// What is in registers.
    pub(crate) registers: Registers,
    /// Operands, by their position, that are booleans and read as bytes.
    pub(crate) bytes: BTreeSet<(OperationId, usize)>,
    /// Operands, by their position, that are computed in a buffer of their own.
    pub(crate) own: BTreeSet<(OperationId, usize)>,
    /// Operands, by their position, that are copied: because the operation changes them and others need them as they were, because
    /// IREE must not know what they are, or so that it does not follow them too far.
    pub(crate) copied: BTreeSet<(OperationId, usize)>,
    /// Barriers behind which a tensor has a buffer of its own, and stores of what has none without being computed anew.
    pub(crate) apart: BTreeSet<OperationId>,
    /// How parts of tensors are replaced.
    pub(crate) changes: BTreeMap<OperationId, Change>,
    /// What operations repeat everywhere or around a tensor, as far as that decides how.
    pub(crate) fillings: BTreeMap<OperationId, Filling>,
    /// How tensors are handed to blocks.
    pub(crate) handed: BTreeMap<End, Handing>,
    /// The arguments, by their position, that the function updates.
    pub(crate) updated: Updated,
    /// How much work a call is, if operations and sizes tell.
    pub(crate) work: Option<Work>,
    /// Whether its products, and those of what it calls, are multiplied as their factors lie in memory.
    pub(crate) is_unpacked: bool,
}

impl Decisions {
    /// Goes through a module, of which passes have marked values, and the functions whose factors are left as they lie in memory.
    pub(super) fn of(module: &Module, mut marks: Marks, unpacked: &BTreeSet<FunctionId>) -> Self {
        let (mut updates, mut works) = (Updates::of(module), work::of(module, &marks));
        let globals = Globals::of(module);
        let functions = module.functions.iter().map(|(id, function)| {
            let marked = marks.remove(&id).unwrap_or_default();
            let mut decided = Decided {
                sums: marked.sums,
                ..Decided::of(function, &updates, &globals)
            };
            (decided.contained, decided.loops) =
                contained::of(function, &marked.contained, &decided.registers);
            (id, decided)
        });
        let mut functions: BTreeMap<_, _> = functions.collect();
        for (id, decided) in &mut functions {
            decided.updated = updates.take(*id);
            decided.work = works.remove(id);
            decided.is_unpacked = unpacked.contains(id);
        }
        Self {
            functions,
            initializers: initializers(module),
        }
    }
}

impl Decided {
    fn of(function: &Function, updates: &Updates, globals: &Globals) -> Self {
        let known = Constants::of(function);
        let hoisted = hoisted::of(function, &known.known, globals);
        let mut decided = Self {
            constants: known.uneven,
            chosen: known.chosen,
            loaded: hoisted.loaded,
            copied: &hoisted.operands | &moves::cuts(function),
            registers: Registers::of(function),
            bytes: masks::of(function),
            ..Self::default()
        };
        decided.place(function, updates, known.known);
        decided
    }

    /// Decides what is in which buffer.
    fn place(&mut self, function: &Function, updates: &Updates, mut known: BTreeSet<ValueId>) {
        let (buffers, numbers) = (Buffers::of(function), Numbers::of(function));
        let unread = unread::unread(function, &numbers, |id| self.registers.holds(id));
        for (id, operation) in function.operations.iter() {
            let changed = updates.operands(operation);
            let own = operation.operands.iter().enumerate();
            let own = own.filter(|(_, value)| changed.contains(value) && unread.contains(value));
            self.own.extend(own.map(|(position, _)| (id, position)));
            if self.is_apart(&buffers, updates, id, operation) {
                self.apart.insert(id);
            }
            if let Alias::InPlace(_) = operation.op.alias() {
                let change = buffers.change(id, operation, updates);
                self.changes.insert(id, change);
            }
            self.copy_kept(&buffers, &changed, id, operation);
            self.copy_known(function, &mut known, id, operation);
            if let Some(filling) = numbers.filling(function, operation) {
                self.fillings.insert(id, filling);
            }
            let mut results = operation.results.iter();
            if let Some(number) = numbers.complex(function, operation)
                && results.any(|result| buffers.is_changed(*result, updates))
            {
                let filling = Filling::Changed(number.to_vec());
                self.fillings.insert(id, filling);
            }
        }
        self.handed = branches::handed(function, &buffers, self);
    }

    /// Decides which of the operands that an operation changes are copied first.
    fn copy_kept(
        &mut self,
        buffers: &Buffers<'_>,
        changed: &[ValueId],
        id: OperationId,
        operation: &Operation,
    ) {
        let is_copied = |change: &Change| change.whole == Whole::Copied;
        if self.changes.get(&id).is_some_and(is_copied) {
            return;
        }
        let operands = operation.operands.iter().enumerate();
        let kept = operands.filter(|(position, value)| {
            let is_own = self.own.contains(&(id, *position));
            let is_kept = || self.loaded.contains(value) || buffers.is_kept(**value, id);
            changed.contains(value) && !is_own && is_kept()
        });
        let kept: Vec<_> = kept.map(|(position, _)| (id, position)).collect();
        self.copied.extend(kept);
    }

    /// Decides which constants are copied before a barrier. IREE 3.13 computes what follows from what is in memory while it compiles,
    /// but nothing that is complex, so that it does not have what it needs; and of what is the same everywhere, in 64 bits, and read in two
    /// shapes, it loses one.
    /// Defects `complex-constant-is-not-evaluated` and `constant-of-64-bits-is-lost`.
    fn copy_known(
        &mut self,
        function: &Function,
        known: &mut BTreeSet<ValueId>,
        id: OperationId,
        operation: &Operation,
    ) {
        let is_barrier = operation.op == Op::Unary(UnaryOp::Barrier) && !self.apart.contains(&id);
        let is_lost = |value| {
            let dtype = function.ty(value).map(|ty| ty.dtype);
            let is_even = !self.constants.contains(&value);
            dtype.is_some_and(|dtype| dtype.is_complex() || dtype.size() == 8 && is_even)
        };
        let mut operands = operation.operands.iter();
        let is_known = operands.clone().all(|value| known.contains(value));
        let is_copied = is_barrier && is_known && operands.any(|value| is_lost(*value));
        if is_copied {
            self.copied.insert((id, 0));
        }
        // What is copied, and what is computed from it, is not known to IREE.
        if is_copied || !is_known {
            for result in &operation.results {
                known.remove(result);
            }
        }
    }

    /// Whether the tensor behind a barrier, or what is stored, must not be in the buffer that it may be in.
    fn is_apart(
        &self,
        buffers: &Buffers<'_>,
        updates: &Updates,
        id: OperationId,
        operation: &Operation,
    ) -> bool {
        let (mut operands, mut results) = (operation.operands.iter(), operation.results.iter());
        if operation.op == Op::Unary(UnaryOp::Barrier) {
            return results.any(|it| buffers.is_changed(*it, updates) && !buffers.is_taken(*it));
        }
        // A number in a register becomes a tensor wherever it is used as one, which IREE finds to be one constant if it
        // knows the number.
        let is_constant = |id: &ValueId| {
            let constants = [&self.constants, &self.chosen, &self.loaded];
            constants.iter().any(|of| of.contains(id)) || self.registers.holds(*id)
        };
        matches!(operation.op.effect(), Effect::Writes(_))
            && (operands.any(is_constant) || buffers.is_shared_store(id))
    }
}
