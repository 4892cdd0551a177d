//! What is the same in all calls of a program, so that IREE computes it when the program is loaded.

use super::{Initializer, decisions::initializers, program::Program};
use iree_dsl_ir::{
    Function, FunctionId, GlobalInit, Linkage, Module, Operation, ValueId,
    op::{Effect, GlobalAccess, Op, UnaryOp},
};
use std::collections::{BTreeMap, BTreeSet};

/// The values that last, by function.
pub(super) struct Lasting(BTreeMap<FunctionId, BTreeSet<ValueId>>);

/// Nothing lasts of a function that is not there.
static NOTHING: BTreeSet<ValueId> = BTreeSet::new();

impl Lasting {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let mut finding = Finding {
            module: program.module,
            initializers: initializers(program.module),
            changing: BTreeSet::new(),
        };
        // Who calls says what the parameters of what it calls are, and stands behind it.
        let mut functions: Vec<_> = program.functions().collect();
        functions.reverse();
        let lasting = functions.into_iter();
        Self(
            lasting
                .map(|(id, function)| (id, finding.function(id, function)))
                .collect(),
        )
    }

    pub(super) fn values(&self, function: FunctionId) -> &BTreeSet<ValueId> {
        self.0.get(&function).unwrap_or(&NOTHING)
    }
}

struct Finding<'a> {
    module: &'a Module,
    initializers: BTreeMap<FunctionId, Initializer>,
    /// The parameters, by their position, that some call gives what does not last.
    changing: BTreeSet<(FunctionId, usize)>,
}

impl Finding<'_> {
    fn function(&mut self, id: FunctionId, function: &Function) -> BTreeSet<ValueId> {
        let mut lasting = BTreeSet::new();
        if function.linkage == Linkage::Private {
            let parameters = function.body.parameters.iter().enumerate();
            let parameters =
                parameters.filter(|(position, _)| !self.changing.contains(&(id, *position)));
            lasting.extend(parameters.map(|(_, value)| *value));
        }
        for (_, operation) in function.operations.iter() {
            if self.lasts(operation, &lasting) {
                lasting.extend(&operation.results);
            }
            if let Some(call) = operation.op.callee() {
                let operands = operation.operands.iter().enumerate();
                let changing = operands.filter(|(_, operand)| !lasting.contains(operand));
                let changing = changing.map(|(position, _)| (call.callee, position));
                self.changing.extend(changing);
            }
        }
        lasting
    }

    /// Whether what an operation computes lasts. IREE moves nothing across a barrier.
    fn lasts(&self, operation: &Operation, lasting: &BTreeSet<ValueId>) -> bool {
        match operation.op.effect() {
            Effect::Pure => {
                let mut operands = operation.operands.iter();
                operation.op != Op::Unary(UnaryOp::Barrier)
                    && operands.all(|operand| lasting.contains(operand))
            }
            Effect::Reads(access) => self.is_fixed(access),
            Effect::Writes(_) | Effect::Shows(_) | Effect::Checks(_) | Effect::CallsHost(_) => {
                false
            }
            Effect::Calls(_) | Effect::Regions | Effect::Foreign(_) => false,
        }
    }

    /// Whether no call stores a global, not even that with which the program starts.
    fn is_fixed(&self, access: &GlobalAccess) -> bool {
        let Some(global) = self.module.globals.get(access.global) else {
            return false;
        };
        let is_stored_by_call = match &global.init {
            GlobalInit::Function(id, _) => {
                self.initializers.get(id) == Some(&Initializer::Exported)
            }
            GlobalInit::Constant(_) | GlobalInit::Uninitialized | GlobalInit::Parameter(_) => false,
        };
        !global.mutable && !is_stored_by_call
    }
}
