//! What IREE computes once for all iterations of a loop.
//!
//! Where tensors are put together, IREE 3.13 begins with a tensor that has the first of them in it. If that is a constant, or read from
//! a global that nothing changes, there is one such tensor, before the loop, and each iteration writes the other parts into it: what
//! an iteration before has handed on changes too.
//! Defect `constant-changes-in-a-loop`.

use crate::legalize::known;
use iree_dsl_ir::{
    Function, GlobalId, Linkage, Module, Operation, OperationId, Region, ValueId,
    op::{Alias, Op, byte_size},
};
use std::collections::BTreeSet;

/// What is computed once, though it may change in each iteration.
pub(super) struct Hoisted {
    /// What is computed of globals that nothing changes, and of constants, if anything is stored.
    pub(super) loaded: BTreeSet<ValueId>,
    /// Operands, by their position, that other parts would be written beside.
    pub(super) operands: BTreeSet<(OperationId, usize)>,
}

/// The globals of a module, by whether something changes them.
pub(super) struct Globals {
    fixed: BTreeSet<GlobalId>,
    are_stored: bool,
}

impl Globals {
    pub(super) fn of(module: &Module) -> Self {
        let globals = || module.globals.iter();
        let fixed = globals().filter(|(_, global)| !global.mutable);
        Self {
            fixed: fixed.map(|(id, _)| id).collect(),
            are_stored: globals().any(|(_, global)| global.mutable),
        }
    }
}

/// What of a function is computed once, of which some values are known while compiling.
pub(super) fn of(function: &Function, known: &BTreeSet<ValueId>, globals: &Globals) -> Hoisted {
    let loaded = loaded(function, known, &globals.fixed);
    let mut joined = Joined {
        function,
        is_hoisted: |value| known.contains(&value) || loaded.contains(&value),
        operands: BTreeSet::new(),
    };
    // IREE puts functions that others call in the place of the call, which may be in a loop.
    joined.region(&function.body, function.linkage == Linkage::Private);
    let operands = joined.operands;
    Hoisted {
        loaded: match globals.are_stored {
            true => loaded,
            false => BTreeSet::new(),
        },
        operands,
    }
}

/// What is computed of globals that nothing changes, and of what is known.
fn loaded(
    function: &Function,
    known: &BTreeSet<ValueId>,
    fixed: &BTreeSet<GlobalId>,
) -> BTreeSet<ValueId> {
    let mut loaded = BTreeSet::new();
    for (_, operation) in function.operations.iter() {
        let is_read =
            matches!(operation.op.alias(), Alias::Global(load) if fixed.contains(&load.global));
        let operands = || operation.operands.iter();
        let is_computed = known::is_computed(&operation.op)
            && operands().any(|id| loaded.contains(id))
            && operands().all(|id| known.contains(id) || loaded.contains(id));
        if is_read || is_computed {
            loaded.extend(&operation.results);
        }
    }
    loaded
}

/// Finds what is joined in loops.
struct Joined<'a, H> {
    function: &'a Function,
    is_hoisted: H,
    operands: BTreeSet<(OperationId, usize)>,
}

impl<H: Fn(ValueId) -> bool> Joined<'_, H> {
    fn region(&mut self, region: &Region, is_in_loop: bool) {
        for id in &region.operations {
            let Some(operation) = self.function.operations.get(*id) else {
                continue;
            };
            if is_in_loop && matches!(operation.op, Op::Concatenate(_)) {
                self.operands
                    .extend(self.first(operation).map(|it| (*id, it)));
            }
            let is_in_loop = is_in_loop || operation.op == Op::While;
            for region in &operation.regions {
                self.region(region, is_in_loop);
            }
        }
    }

    /// The position of the first operand that has elements, if that is computed once.
    fn first(&self, operation: &Operation) -> Option<usize> {
        let is_empty = |value| self.function.ty(value).and_then(byte_size) == Some(0);
        let mut operands = operation.operands.iter();
        let position = operands.position(|value| !is_empty(*value))?;
        let first = operation.operands.get(position)?;
        (self.is_hoisted)(*first).then_some(position)
    }
}
