//! What IREE can compute while it compiles.

use super::{
    edits::Edits,
    program::{Program, steps},
};
use iree_dsl_ir::{
    Constant, ConstantData, Function, Operation, ValueId,
    op::{Alias, Effect, Op, Structure, UnaryOp},
};
use std::collections::BTreeSet;

/// The values of a function that IREE can compute while compiling and that need not be the same
/// everywhere. It cannot compile stores of such a constant to a global that is also stored otherwise.
pub(crate) fn constants(function: &Function) -> BTreeSet<ValueId> {
    Constants::of(function).uneven
}

/// The values of a function that IREE can compute while compiling.
pub(super) fn known(function: &Function) -> BTreeSet<ValueId> {
    Constants::of(function).known
}

/// Removes the barriers behind what is known.
pub(super) fn erase(program: &Program<'_>, edits: &mut Edits) {
    for (id, function) in program.functions() {
        let known = known(function);
        let barriers =
            steps(function).filter(|step| step.operation.op == Op::Unary(UnaryOp::Barrier));
        let erased =
            barriers.filter(|step| step.operation.results.iter().all(|it| known.contains(it)));
        edits.within(id).erased.extend(erased.map(|step| step.id));
    }
}

/// The values of a function that IREE can compute while compiling.
#[derive(Default)]
pub(super) struct Constants {
    pub(super) known: BTreeSet<ValueId>,
    /// Those of them that need not be the same everywhere. IREE cannot compile stores of such a constant to a global that is also
    /// stored otherwise.
    pub(super) uneven: BTreeSet<ValueId>,
    /// What may be such a value, if IREE finds out a condition, or that it is the same number everywhere.
    pub(super) chosen: BTreeSet<ValueId>,
}

impl Constants {
    pub(super) fn of(function: &Function) -> Self {
        let mut constants = Self::default();
        for (_, operation) in function.operations.iter() {
            constants.enter(operation);
        }
        constants
    }

    fn enter(&mut self, operation: &Operation) {
        let is_computed = is_computed(&operation.op);
        let mut operands = operation.operands.iter();
        let is_known = is_computed && operands.all(|id| self.known.contains(id));
        if !is_known {
            if is_computed && self.is_chosen(operation) {
                self.chosen.extend(&operation.results);
            }
            return;
        }
        let mut operands = operation.operands.iter();
        let is_uneven = match operation.op.alias() {
            Alias::Constant => !is_splat(&operation.op),
            Alias::Callee(_) | Alias::Foreign => true,
            Alias::New | Alias::View | Alias::Operands { .. } | Alias::InPlace(_) => {
                operands.any(|id| self.uneven.contains(id))
            }
            Alias::Global(_) | Alias::Branches | Alias::Iterations | Alias::NoResults => false,
        };
        let is_chosen = || {
            let mut operands = operation.operands.iter();
            !is_folded(&operation.op) || operands.any(|id| self.chosen.contains(id))
        };
        self.known.extend(&operation.results);
        if is_uneven {
            self.uneven.extend(&operation.results);
        } else if is_chosen() {
            self.chosen.extend(&operation.results);
        }
    }

    /// Whether an operation chooses a constant, or puts it beside something else, or is computed of what is chosen and of constants
    /// alone.
    fn is_chosen(&self, operation: &Operation) -> bool {
        let may_be_uneven = |id: &ValueId| self.uneven.contains(id) || self.chosen.contains(id);
        if let (Op::Select, [_, branches @ ..]) = (&operation.op, operation.operands.as_slice()) {
            return branches.iter().any(may_be_uneven);
        }
        if matches!(operation.op, Op::Concatenate(_)) {
            return operation.operands.iter().any(may_be_uneven);
        }
        let may_be_known = |id: &ValueId| self.known.contains(id) || self.chosen.contains(id);
        let mut operands = operation.operands.iter();
        operands.clone().all(may_be_known) && operands.any(may_be_uneven)
    }
}

/// Whether an operation computes its results of its operands alone.
pub(super) fn is_computed(op: &Op) -> bool {
    match op.effect() {
        Effect::Pure | Effect::Calls(_) | Effect::Foreign(_) => true,
        Effect::Reads(_) | Effect::Writes(_) | Effect::Regions => false,
        Effect::CallsHost(_) | Effect::Shows(_) | Effect::Checks(_) => false,
    }
}

/// Whether IREE sees at once that an operation makes the same number everywhere of such numbers. Others it computes while it compiles,
/// and stores as a constant that need not be the same everywhere.
fn is_folded(op: &Op) -> bool {
    match op.structure() {
        Structure::Constant(_) | Structure::Size(_) => true,
        Structure::Elementwise => matches!(op, Op::Binary(_)),
        Structure::Broadcast(_) | Structure::Reshape(_) => true,
        Structure::Transpose(_) | Structure::Slice(_) | Structure::Concatenate(_) => true,
        Structure::Index | Structure::Reverse(_) | Structure::Window(_) => false,
        Structure::Update | Structure::Pad(_) | Structure::Gather(_) => false,
        Structure::Scatter(_) | Structure::Reduction(_) | Structure::Extremum(_) => false,
        Structure::ReduceWindow(_) | Structure::Convolution(_) => false,
        Structure::Contraction(_) | Structure::Scan(_) | Structure::Sort(_) => false,
        Structure::Transform | Structure::Factor | Structure::System(_) => false,
        Structure::Branches | Structure::Iterations | Structure::Effect => false,
    }
}

/// Whether it is a constant that is the same number everywhere.
pub(super) fn is_splat(op: &Op) -> bool {
    let splat = |constant: &Constant| matches!(constant.data, ConstantData::Splat(_));
    matches!(op, Op::Constant(constant) if splat(constant))
}
