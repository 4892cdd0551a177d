//! Numbers that IREE's virtual machine has in its registers while it runs the program between dispatches.

mod choice;
mod origins;

use choice::Choice;
use iree_abi::{DType, Shape, TensorType};
use iree_dsl_ir::{
    Constant, Function, OperationId, ValueId,
    op::{Cost, Op, Structure},
};
use std::collections::{BTreeMap, BTreeSet};

/// What a function has in registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers {
    held: BTreeSet<ValueId>,
    literals: BTreeMap<ValueId, Constant>,
    read_before: BTreeMap<OperationId, BTreeSet<ValueId>>,
}

impl Registers {
    /// Goes through a function.
    pub(super) fn of(function: &Function) -> Self {
        let choice = Choice::of(function);
        let values = || function.values.iter().map(|(id, _)| id);
        let literal = |id| Some((id, choice.literal(id)?.clone()));
        let loops = function.operations.iter();
        let loops = loops.filter(|(_, operation)| operation.op == Op::While);
        Self {
            held: values().filter(|id| choice.holds(*id)).collect(),
            literals: values().filter_map(literal).collect(),
            read_before: loops.map(|(id, _)| (id, choice.read_before(id))).collect(),
        }
    }

    /// Whether a value is computed in a register.
    pub(crate) fn holds(&self, value: ValueId) -> bool {
        self.held.contains(&value)
    }

    /// The number, if it is known while building.
    pub(crate) fn literal(&self, value: ValueId) -> Option<&Constant> {
        self.literals.get(&value)
    }

    /// What a loop reads from tensors that exist before it.
    pub(crate) fn read_before(&self, id: OperationId) -> impl Iterator<Item = ValueId> {
        self.read_before.get(&id).into_iter().flatten().copied()
    }
}

/// Whether numbers of a type can be in a register. Real numbers cannot: the machine rounds what it computes
/// with them otherwise than a dispatch, and lacks `f64`.
fn fits(ty: &TensorType) -> bool {
    let is_number = ty.dtype.is_integer() || ty.dtype == DType::Bool;
    is_number && ty.shape == Shape::default()
}

/// Whether the machine computes an operation on numbers that fit a register.
fn is_computed(op: &Op) -> bool {
    match op.structure() {
        Structure::Elementwise => op.cost() <= Cost::Elementwise,
        // Of a number to a number.
        Structure::Reshape(_) | Structure::Broadcast(_) => true,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Transpose(_) | Structure::Reverse(_) | Structure::Slice(_) => false,
        Structure::Window(_) | Structure::Update | Structure::Scatter(_) => false,
        Structure::Concatenate(_) | Structure::Pad(_) | Structure::Gather(_) => false,
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => false,
        Structure::ReduceWindow(_) | Structure::Convolution(_) => false,
        Structure::Scan(_)
        | Structure::Sort(_)
        | Structure::Transform
        | Structure::Factor
        | Structure::System(_) => false,
        Structure::Branches | Structure::Iterations | Structure::Effect => false,
    }
}
