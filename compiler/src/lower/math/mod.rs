//! Functions that IREE lacks for some element types, or computes with less precision than a few units in
//! the last place. They work in `f32` and `f64` alike.
//!
//! Coefficients of series are those of Chebyshev's polynomials, computed with 60 digits by
//! `tests/oracle/series.py`.

mod angle;
mod complex;
mod double_word;
mod error_function;
mod exponential;
mod formula;
mod gamma;
mod inverse;
mod logarithm;
mod number;
mod power;
mod remainder;
mod rounding;
mod series;

use super::emit::{Emitter, Result, Tensor};
use formula::{Formula, Unary};
use iree_abi::DType;
use iree_dsl_ir::op::UnaryOp;
use number::Math;

/// The formulas of each file.
const FORMULAS: [&[Unary]; 8] = [
    angle::FORMULAS,
    complex::FORMULAS,
    error_function::FORMULAS,
    exponential::FORMULAS,
    gamma::FORMULAS,
    logarithm::FORMULAS,
    power::FORMULAS,
    rounding::FORMULAS,
];

/// Computes an operation by its formula, unless IREE is as good.
pub(super) fn unary<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: UnaryOp,
    x: &Tensor<'c, 'b>,
) -> Option<Result<Tensor<'c, 'b>>> {
    let formula = formula_of(op, x.dtype())?;
    Some(Math::formula(emitter, [x], |[x]| formula(&x)))
}

fn formula_of(op: UnaryOp, dtype: DType) -> Option<Formula> {
    let mut formulas = FORMULAS.iter().copied().flatten();
    let formula = formulas.find(|formula| formula.is_of(op, dtype));
    formula.map(|formula| formula.formula)
}

/// Whether an operation has a formula for some element type.
pub(super) const fn has_formula(op: UnaryOp) -> bool {
    let mut files = FORMULAS.as_slice();
    while let [formulas, rest @ ..] = files {
        if formula::contains(formulas, op) {
            return true;
        }
        files = rest;
    }
    false
}

/// Whether the formula of an operation is so long that IREE must not fuse several of one tensor: it finds
/// what they have in common, and then fuses in an order in which not everything is defined.
pub(super) fn is_long(op: UnaryOp, dtype: DType) -> bool {
    dtype.is_complex() && formula_of(op, dtype).is_some()
}

/// Defines functions of two tensors from formulas of the same name.
macro_rules! binary {
    ($($module:ident::$name:ident,)+) => {
        $(pub(super) fn $name<'c, 'b>(
            emitter: &Emitter<'c, 'b>,
            lhs: &Tensor<'c, 'b>,
            rhs: &Tensor<'c, 'b>,
        ) -> Result<Tensor<'c, 'b>> {
            Math::formula(emitter, [lhs, rhs], |[x, y]| $module::$name(&x, &y))
        })+
    };
}

binary! {
    inverse::atan2,
    power::power,
    remainder::remainder,
}
