//! How many tensors a dispatch reads.
//!
//! IREE 3.13 loads no dispatch with more than 32 buffers, but makes one of an expression of any number of
//! tensors.
//! Defect `dispatch-of-too-many-buffers`.

use super::{
    edits::Edits,
    fusion::{is_fused, is_inlined},
    known,
    program::Program,
};
use iree_dsl_ir::{Function, Operation, ValueId, op::Op};
use std::collections::{BTreeMap, BTreeSet};

/// Of how many tensors an expression may be. What is left is for results: several expressions of the same
/// tensors are one dispatch.
pub(crate) const MOST: usize = 16;

type Inputs = BTreeSet<ValueId>;

/// Puts barriers into expressions of too many tensors.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function) in program.functions() {
        edits.within(id).apart.extend(cuts(function));
    }
}

/// The values that must be computed before they are used, so that no expression is of too many tensors.
fn cuts(function: &Function) -> BTreeSet<ValueId> {
    let mut expressions = Expressions {
        uneven: known::constants(function),
        ..Expressions::default()
    };
    for (_, operation) in function.operations.iter() {
        expressions.enter(operation);
    }
    expressions.cuts
}

#[derive(Default)]
struct Expressions {
    /// The constants that are not the same number everywhere.
    uneven: BTreeSet<ValueId>,
    /// All constants.
    known: BTreeSet<ValueId>,
    /// The tensors that an expression is of.
    inputs: BTreeMap<ValueId, Inputs>,
    cuts: BTreeSet<ValueId>,
}

impl Expressions {
    fn enter(&mut self, operation: &Operation) {
        let is_fused = is_fused(&operation.op);
        let mut operands = operation.operands.iter();
        let is_known = is_fused && operands.all(|operand| self.known.contains(operand));
        if is_known || matches!(operation.op, Op::Constant(_)) {
            self.known.extend(&operation.results);
        } else if is_fused || is_inlined(&operation.op) {
            let all = self.combine(&operation.operands);
            let results = operation.results.iter();
            self.inputs
                .extend(results.map(|result| (*result, all.clone())));
        }
    }

    /// The tensors that an expression of others is of. As long as they are too many, cuts the one off that
    /// is of the most.
    fn combine(&mut self, operands: &[ValueId]) -> Inputs {
        loop {
            let all = operands.iter().flat_map(|operand| self.of(*operand));
            let all: Inputs = all.collect();
            let composed = operands
                .iter()
                .filter(|operand| self.inputs.contains_key(operand));
            let largest = composed.max_by_key(|operand| self.inputs.get(operand).map(Inputs::len));
            match largest {
                Some(largest) if all.len() > MOST => {
                    self.inputs.remove(largest);
                    self.cuts.insert(*largest);
                }
                _ => return all,
            }
        }
    }

    fn of(&self, operand: ValueId) -> Inputs {
        match self.inputs.get(&operand) {
            Some(inputs) => inputs.clone(),
            // It is written into the code.
            None if self.known.contains(&operand) && !self.uneven.contains(&operand) => {
                Inputs::new()
            }
            None => Inputs::from([operand]),
        }
    }
}
