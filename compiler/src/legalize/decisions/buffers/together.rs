//! Tensors, and what replaces a part of them, that one dispatch may compute.
//!
//! IREE 3.13 has a dispatch write such a part to its place in the tensor instead of copying it there. If the same dispatch computes the
//! tensor, it writes over the part.
//! Defect `part-is-written-before-the-whole`.

use super::Buffers;
use iree_dsl_ir::{
    Linkage, Operation, OperationId, ValueId,
    op::{Op, Structure, UnaryOp},
};
use std::collections::BTreeSet;

/// What may be computed in one dispatch: operations, and what a caller computes.
type Near = BTreeSet<Option<OperationId>>;

/// How what an operation computes is in a dispatch.
enum Part {
    /// It is in memory before.
    Before,
    /// It is another view of what the operands are.
    View,
    /// It is computed where it is read, and where an operand is computed.
    Fused,
    /// It combines elements: of these there is one in a dispatch.
    Root,
}

impl Buffers<'_> {
    /// Whether one dispatch may compute a tensor and what replaces a part of it.
    pub(super) fn is_together(&self, operation: &Operation) -> bool {
        let [whole, window, ..] = operation.operands.as_slice() else {
            return false;
        };
        !self.near(*whole).is_disjoint(&self.near(*window))
    }

    /// What the dispatch that computes a value may compute besides.
    fn near(&self, value: ValueId) -> Near {
        let mut near = Near::new();
        let mut pending = vec![(value, false)];
        while let Some((value, is_before_root)) = pending.pop() {
            let Some(id) = self.places().maker(value) else {
                near.extend(self.is_of_caller(value).then_some(None));
                continue;
            };
            let Some(operation) = self.function.operations.get(id) else {
                continue;
            };
            let operands = operation.operands.iter();
            match part(operation) {
                Part::Before => {}
                Part::Root if is_before_root => {}
                Part::View => pending.extend(operands.map(|operand| (*operand, is_before_root))),
                Part::Fused if near.insert(Some(id)) => {
                    pending.extend(operands.map(|operand| (*operand, is_before_root)));
                }
                Part::Root if near.insert(Some(id)) => {
                    pending.extend(operands.map(|operand| (*operand, true)));
                }
                Part::Fused | Part::Root => {}
            }
        }
        near
    }

    /// Whether a caller in the module computes a value, with which IREE puts the function in the place of the call.
    fn is_of_caller(&self, value: ValueId) -> bool {
        let parameters = &self.function.body.parameters;
        self.function.linkage == Linkage::Private && parameters.contains(&value)
    }
}

fn part(operation: &Operation) -> Part {
    match operation.op.structure() {
        Structure::Elementwise if operation.op == Op::Unary(UnaryOp::Barrier) => Part::Before,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => Part::Before,
        Structure::Branches | Structure::Iterations => Part::Before,
        Structure::Broadcast(_) | Structure::Reshape(_) | Structure::Transpose(_) => Part::View,
        Structure::Elementwise | Structure::Effect => Part::Fused,
        Structure::Reverse(_) | Structure::Gather(_) => Part::Fused,
        Structure::Slice(_) | Structure::Window(_) | Structure::Update => Part::Before,
        Structure::Concatenate(_) | Structure::Pad(_) => Part::Before,
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => Part::Root,
        Structure::ReduceWindow(_) | Structure::Convolution(_) => Part::Root,
        Structure::Scan(_) | Structure::Sort(_) | Structure::Scatter(_) => Part::Root,
        Structure::Transform | Structure::Factor | Structure::System(_) => Part::Root,
    }
}
