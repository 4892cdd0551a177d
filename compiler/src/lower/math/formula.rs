//! Which operations of one operand have a formula.

use super::number::Number;
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::op::UnaryOp;

/// What computes a number from a number.
pub(super) type Formula = for<'m, 'c, 'b> fn(&Number<'m, 'c, 'b>) -> Number<'m, 'c, 'b>;

/// An operation and its formula for some element types.
pub(super) struct Unary {
    op: UnaryOp,
    types: Types,
    pub(super) formula: Formula,
}

/// The element types that a formula is for.
#[derive(Clone, Copy)]
enum Types {
    /// All but complex ones.
    Real,
    /// `f64`: of `f32`, IREE's own is as good.
    /// Defect `functions-of-doubles-are-undefined`.
    Double,
    /// Complex ones.
    Complex,
}

impl Unary {
    /// A formula for real numbers.
    pub(super) const fn real(op: UnaryOp, formula: Formula) -> Self {
        let types = Types::Real;
        Self { op, types, formula }
    }

    /// A formula for `f64`.
    pub(super) const fn double(op: UnaryOp, formula: Formula) -> Self {
        let types = Types::Double;
        Self { op, types, formula }
    }

    /// A formula for complex numbers.
    pub(super) const fn complex(op: UnaryOp, formula: Formula) -> Self {
        let types = Types::Complex;
        Self { op, types, formula }
    }

    /// Whether it is that of an operation for an element type.
    pub(super) fn is_of(&self, op: UnaryOp, dtype: DType) -> bool {
        let is_complex = dtype.class() == DTypeClass::Complex;
        let is_for = match self.types {
            Types::Real => !is_complex,
            Types::Double => dtype == DType::F64,
            Types::Complex => is_complex,
        };
        self.op == op && is_for
    }
}

/// Whether one of several formulas is that of an operation.
pub(super) const fn contains(mut formulas: &[Unary], op: UnaryOp) -> bool {
    while let [formula, rest @ ..] = formulas {
        if formula.op as usize == op as usize {
            return true;
        }
        formulas = rest;
    }
    false
}
