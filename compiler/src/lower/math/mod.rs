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
mod gamma;
mod inverse;
mod logarithm;
mod number;
mod power;
mod remainder;
mod rounding;
mod series;

use super::emit::{Emitter, Result, Tensor};
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::op::UnaryOp;
use number::Math;

type Unary<'c, 'b> = fn(&Emitter<'c, 'b>, &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>>;

/// The function of an operation for an element type, unless IREE's is as good.
pub(super) fn unary<'c, 'b>(op: UnaryOp, dtype: DType) -> Option<Unary<'c, 'b>> {
    match dtype.class() {
        DTypeClass::Complex => complex_unary(op),
        _ => real_unary(op, dtype),
    }
}

/// Whether the formula of an operation is so long that IREE must not fuse several of one tensor: it finds
/// what they have in common, and then fuses in an order in which not everything is defined.
pub(super) fn is_long(op: UnaryOp, dtype: DType) -> bool {
    dtype.is_complex() && complex_unary(op).is_some()
}

/// Defines functions of tensors from formulas.
macro_rules! lifted {
    ($formula:path) => {
        Some(|emitter, x| Math::formula(emitter, [x], |[x]| $formula(&x)))
    };
}

fn real_unary<'c, 'b>(op: UnaryOp, dtype: DType) -> Option<Unary<'c, 'b>> {
    let double = dtype == DType::F64;
    match op {
        UnaryOp::Floor => lifted!(rounding::floor),
        UnaryOp::RoundTiesEven => lifted!(rounding::round),
        UnaryOp::Cbrt => lifted!(power::cbrt),
        UnaryOp::Exp2 => lifted!(exponential::exp2),
        UnaryOp::ExpM1 if double => lifted!(exponential::exp_m1),
        UnaryOp::Ln1p if double => lifted!(logarithm::ln_1p),
        UnaryOp::Log2 => lifted!(logarithm::log2),
        UnaryOp::Log10 => lifted!(logarithm::log10),
        UnaryOp::Sin => lifted!(angle::sin),
        UnaryOp::Cos => lifted!(angle::cos),
        UnaryOp::Sinh => lifted!(exponential::sinh),
        UnaryOp::Cosh => lifted!(exponential::cosh),
        UnaryOp::Tanh if double => lifted!(exponential::tanh),
        UnaryOp::Asinh => lifted!(logarithm::asinh),
        UnaryOp::Acosh => lifted!(logarithm::acosh),
        UnaryOp::Atanh => lifted!(logarithm::atanh),
        UnaryOp::Erf if double => lifted!(error_function::erf),
        UnaryOp::Erfc => lifted!(error_function::erfc),
        UnaryOp::ErfInv => lifted!(error_function::erf_inv),
        UnaryOp::Lgamma => lifted!(gamma::lgamma),
        UnaryOp::Digamma => lifted!(gamma::digamma),
        UnaryOp::Trigamma => lifted!(gamma::trigamma),
        _ => None,
    }
}

fn complex_unary<'c, 'b>(op: UnaryOp) -> Option<Unary<'c, 'b>> {
    match op {
        UnaryOp::Exp => lifted!(complex::exp),
        UnaryOp::ExpM1 => lifted!(complex::exp_m1),
        UnaryOp::Ln => lifted!(complex::ln),
        UnaryOp::Ln1p => lifted!(complex::ln_1p),
        UnaryOp::Sqrt => lifted!(complex::sqrt),
        UnaryOp::Sin => lifted!(complex::sin),
        UnaryOp::Cos => lifted!(complex::cos),
        UnaryOp::Tanh => lifted!(complex::tanh),
        UnaryOp::Sigmoid => lifted!(complex::sigmoid),
        _ => None,
    }
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
