//! Which arguments of a function IREE would change.
//!
//! IREE 3.13 updates a tensor in place if the function needs it no more, also where its buffer is an
//! argument of an exported function, which the caller may need. So the module tells which arguments these
//! are, and who calls the function makes sure that nobody else has them. Where the function also hands
//! back the argument as it was, which IREE does not notice, it makes a copy of its own.
//! Defect `returned-argument-changes`.

use super::buffers::Buffers;
use iree_dsl_ir::{
    Function, FunctionId, Module, Operation, ValueId,
    op::{Alias, Effect, Op},
};
use std::collections::{BTreeMap, BTreeSet};

/// For each function, which parameters it may update.
pub(super) struct Updates(BTreeMap<FunctionId, Updated>);

/// Positions of parameters whose buffer a function may update.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Updated {
    all: BTreeSet<usize>,
    /// Those that somebody gets as they were.
    handed_on: BTreeSet<usize>,
}

impl Updated {
    /// Whether an exported function needs a copy of its argument at a position.
    pub(crate) fn needs_copy(&self, position: usize) -> bool {
        self.handed_on.contains(&position)
    }

    /// The arguments of an exported function that are updated without a copy.
    pub(crate) fn in_place(&self) -> impl Iterator<Item = usize> {
        self.all.difference(&self.handed_on).copied()
    }
}

impl Updates {
    /// Goes through all functions of a module.
    pub(super) fn of(module: &Module) -> Self {
        let mut updates = Self(BTreeMap::new());
        for (id, _) in module.functions.iter() {
            updates.visit(module, id);
        }
        updates
    }

    /// What a function updates of what it is given.
    pub(super) fn take(&mut self, function: FunctionId) -> Updated {
        self.0.remove(&function).unwrap_or_default()
    }

    /// Whether a function may update its parameter at a position.
    fn may_change(&self, function: FunctionId, position: usize) -> bool {
        let updated = self.0.get(&function);
        updated.is_some_and(|updated| updated.all.contains(&position))
    }

    /// Callees come before their callers.
    fn visit(&mut self, module: &Module, id: FunctionId) {
        let Some(function) = module.functions.get(id) else {
            return;
        };
        if self.0.contains_key(&id) {
            return;
        }
        let operations = || function.operations.iter().map(|(_, operation)| operation);
        for operation in operations() {
            if let Some(call) = operation.op.callee() {
                self.visit(module, call.callee);
            }
        }
        let updated: Vec<_> = operations()
            .flat_map(|operation| self.operands(operation))
            .collect();
        if updated.is_empty() {
            self.0.insert(id, Updated::default());
            return;
        }
        let buffers = Buffers::of(function);
        let changed = updated.into_iter();
        let changed: Vec<_> = changed
            .flat_map(|operand| buffers.arguments(operand))
            .collect();
        let mut updated = Updated::default();
        for (position, parameter) in function.body.parameters.iter().enumerate() {
            if changed.contains(parameter) {
                updated.all.insert(position);
                if is_handed_on(function, *parameter) {
                    updated.handed_on.insert(position);
                }
            }
        }
        self.0.insert(id, updated);
    }

    /// The operands that an operation may update.
    pub(super) fn operands(&self, operation: &Operation) -> Vec<ValueId> {
        let operands = operation.operands.iter().enumerate();
        let alias = operation.op.alias();
        let updated = operands.filter(|(position, _)| match alias {
            Alias::InPlace(_) => *position == 0,
            Alias::Callee(call) => self.may_change(call.callee, *position),
            // Nobody knows what a text does.
            Alias::Foreign => true,
            Alias::New | Alias::Constant | Alias::View | Alias::Operands { .. } => false,
            Alias::Global(_) | Alias::Branches | Alias::Iterations | Alias::NoResults => false,
        });
        updated.map(|(_, operand)| *operand).collect()
    }
}

/// Whether a result, a global or the host gets a parameter as it was before updates.
fn is_handed_on(function: &Function, parameter: ValueId) -> bool {
    let mut same = BTreeSet::from([parameter]);
    let operations = || function.operations.iter().map(|(_, operation)| operation);
    loop {
        let before = same.len();
        for operation in operations() {
            pass_on(operation, &mut same);
        }
        if same.len() == before {
            break;
        }
    }
    let mut results = function.body.results.iter();
    results.any(|result| same.contains(result))
        || operations().any(|operation| {
            leaves(&operation.op) && operation.operands.iter().any(|value| same.contains(value))
        })
}

/// Whether somebody gets the operands for good.
fn leaves(op: &Op) -> bool {
    match op.effect() {
        Effect::Writes(_) | Effect::CallsHost(_) => true,
        Effect::Pure | Effect::Reads(_) | Effect::Regions => false,
        Effect::Calls(_) | Effect::Foreign(_) => false,
        Effect::Shows(_) | Effect::Checks(_) => false,
    }
}

/// Adds the results of an operation that may be in the same memory, as it was.
fn pass_on(operation: &Operation, same: &mut BTreeSet<ValueId>) {
    let operands = operation.operands.as_slice();
    let handed: &[ValueId] = match operation.op.alias() {
        Alias::New | Alias::Constant | Alias::Global(_) | Alias::NoResults => &[],
        // The first is updated, and a window may be all that there is.
        Alias::InPlace(_) => operands.get(1..).unwrap_or_default(),
        // It changes a copy.
        Alias::Iterations => &[],
        Alias::Branches => {
            for region in &operation.regions {
                let results = region.results.iter().zip(&operation.results);
                let kept = results.filter(|(inside, _)| same.contains(inside));
                let kept: Vec<_> = kept.map(|(_, outside)| *outside).collect();
                same.extend(kept);
            }
            &[]
        }
        Alias::View | Alias::Operands { .. } | Alias::Callee(_) | Alias::Foreign => operands,
    };
    if handed.iter().any(|value| same.contains(value)) {
        same.extend(&operation.results);
    }
}
