//! Operations that are sure to compute something: what comes out is in a buffer of its own.
//!
//! IREE simplifies what it can. `x + 0` has the buffer of `x`, and so has `-(-x)`. Real numbers leave it little
//! to find: it does not reorder what would round otherwise.

use iree_abi::Dim;
use iree_dsl_ir::{
    Constant, ConstantData, Function, Operation, Scalar, ValueId,
    op::{BinaryOp, Op, UnaryOp},
};
use std::collections::BTreeMap;

/// The numbers that arithmetic may change nothing with, or give a constant, or undo what it did before.
const fn neutral(op: BinaryOp) -> &'static [f64] {
    match is_sum(op) {
        true => &[0.0, -0.0],
        false => &[0.0, -0.0, 1.0, -1.0],
    }
}

/// The constants of a function.
pub(super) struct Results<'a> {
    function: &'a Function,
    literals: BTreeMap<ValueId, &'a Constant>,
}

impl<'a> Results<'a> {
    pub(super) fn of(function: &'a Function) -> Self {
        let operations = function.operations.iter();
        let literals = operations.filter_map(|(_, operation)| {
            let (Op::Constant(constant), [result]) = (&operation.op, operation.results.as_slice())
            else {
                return None;
            };
            Some((*result, constant))
        });
        Self {
            function,
            literals: literals.collect(),
        }
    }

    /// Whether the result of an operation is neither an operand nor a constant, whatever IREE finds out.
    /// `varies` says of a value that it is no constant.
    pub(super) fn is_new(&self, operation: &Operation, varies: impl Fn(&ValueId) -> bool) -> bool {
        let operands = operation.operands.as_slice();
        if let (Op::ArgReduce(op), [x]) = (&operation.op, operands) {
            return varies(x) && self.has_choice(*x, op.axis);
        }
        let mut types = operands.iter().map(|operand| self.function.ty(*operand));
        if !types.all(|ty| ty.is_some_and(|ty| ty.dtype.is_float())) {
            return false;
        }
        if let (Op::Binary(op), [a, b]) = (&operation.op, operands) {
            let changes = |one, other| varies(one) && (varies(other) || self.is_factor(*op, other));
            return is_arithmetic(*op) && (changes(a, b) || changes(b, a));
        }
        if let (Op::DotGeneral(op), [lhs, rhs]) = (&operation.op, operands) {
            let mut summed = op.contract.0.iter();
            return summed.all(|axis| self.has_some(*lhs, *axis)) && varies(lhs) && varies(rhs);
        }
        let (Op::Unary(op), [x]) = (&operation.op, operands) else {
            return false;
        };
        is_function(*op) && varies(x)
    }

    /// The operand that a sum is if the other one is zero, and that varies, if there is one.
    pub(super) fn summand(
        &self,
        operation: &Operation,
        varies: impl Fn(&ValueId) -> bool,
    ) -> Option<ValueId> {
        let (Op::Binary(op), [a, b]) = (&operation.op, operation.operands.as_slice()) else {
            return None;
        };
        let is_float = self.function.ty(*a).is_some_and(|ty| ty.dtype.is_float());
        let mut varying = [a, b].into_iter().filter(|operand| varies(operand));
        varying.next().copied().filter(|_| is_float && is_sum(*op))
    }

    /// Whether there is more than one place along an axis: the only one is a constant.
    fn has_choice(&self, value: ValueId, axis: usize) -> bool {
        let dims = self.function.ty(value).map(|ty| ty.shape.dims());
        let dim = dims.and_then(|dims| dims.get(axis));
        dim.is_some_and(|dim| !matches!(dim, Dim::Static(0 | 1)))
    }

    /// Whether IREE cannot know that there is nothing along an axis.
    fn has_some(&self, value: ValueId, axis: usize) -> bool {
        let dims = self.function.ty(value).map(|ty| ty.shape.dims());
        let dim = dims.and_then(|dims| dims.get(axis));
        dim.is_some_and(|dim| !matches!(dim, Dim::Static(0)))
    }

    /// Whether a value is the same number everywhere, and none that an operation changes nothing with.
    fn is_factor(&self, op: BinaryOp, value: &ValueId) -> bool {
        let Some(Constant {
            ty,
            data: ConstantData::Splat(bytes),
        }) = self.literals.get(value)
        else {
            return false;
        };
        let is_other = |number| Scalar::Float(number).encode(ty.dtype).as_ref() != Ok(bytes);
        neutral(op).iter().copied().all(is_other)
    }
}

const fn is_sum(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Subtract)
}

fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide
    )
}

/// Functions that nothing undoes, and that change what they have been applied to.
fn is_function(op: UnaryOp) -> bool {
    matches!(
        op,
        UnaryOp::Sqrt
            | UnaryOp::Exp
            | UnaryOp::Ln
            | UnaryOp::Sin
            | UnaryOp::Cos
            | UnaryOp::Tanh
            | UnaryOp::Sigmoid
    )
}
