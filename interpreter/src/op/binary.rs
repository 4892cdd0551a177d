//! One number from two numbers of the same type, at each place.

use super::{Operands, zip};
use crate::{
    Array, Cause, Tensor,
    arithmetic::{Bits, ComplexNumber, Integer, Number, Ordered, Real},
    special::complex,
    tensor::of_types,
};
use iree_abi::DTypeClass;
use iree_dsl_ir::op::BinaryOp;
use num_complex::Complex;

pub(super) fn evaluate(op: BinaryOp, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [lhs, rhs] = operands.exactly()?;
    match lhs.dtype().class() {
        DTypeClass::Bool => of_types!([Bool] lhs, lhs => of_bool(op, lhs, rhs)),
        DTypeClass::Signed | DTypeClass::Unsigned => {
            of_types!([I8 I16 I32 I64 U8 U16 U32 U64] lhs, lhs => of_integers(op, lhs, rhs))
        }
        DTypeClass::Float => match op {
            BinaryOp::Complex => parts(lhs, rhs),
            op => of_types!([F16 BF16 F32 F64] lhs, lhs => of_reals(op, lhs, rhs)),
        },
        DTypeClass::Complex => of_types!([C64 C128] lhs, lhs => of_complex(op, lhs, rhs)),
    }
}

fn of_bool<T: Bits + Ordered>(op: BinaryOp, lhs: &Array<T>, rhs: &Tensor) -> Result<Tensor, Cause> {
    let function = bits::<T>(op).ok_or(Cause::DType(T::DTYPE))?;
    zip(lhs, rhs, function)
}

/// The function of truth values and integers, if there is one.
fn bits<T: Bits + Ordered>(op: BinaryOp) -> Option<fn(T, T) -> T> {
    match op {
        BinaryOp::Maximum => Some(T::maximum),
        BinaryOp::Minimum => Some(T::minimum),
        BinaryOp::And => Some(|a, b| a & b),
        BinaryOp::Or => Some(|a, b| a | b),
        BinaryOp::Xor => Some(|a, b| a ^ b),
        BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::Power
        | BinaryOp::Atan2
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::Complex => None,
    }
}

fn of_integers<T: Integer + Number<Wide = T>>(
    op: BinaryOp,
    lhs: &Array<T>,
    rhs: &Tensor,
) -> Result<Tensor, Cause> {
    match op {
        BinaryOp::Add => zip(lhs, rhs, T::add),
        BinaryOp::Subtract => zip(lhs, rhs, T::subtract),
        BinaryOp::Multiply => zip(lhs, rhs, T::multiply),
        BinaryOp::Divide => zip(lhs, rhs, T::divide),
        BinaryOp::Remainder => zip(lhs, rhs, T::remainder),
        BinaryOp::ShiftLeft => zip(lhs, rhs, T::shift_left),
        BinaryOp::ShiftRight => zip(lhs, rhs, T::shift_right),
        BinaryOp::Maximum
        | BinaryOp::Minimum
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Power
        | BinaryOp::Atan2
        | BinaryOp::Complex => of_bool(op, lhs, rhs),
    }
}

/// In `f64`, which has more than twice the digits of the smaller types: rounding to these, sums, products and
/// quotients are rounded as if they had been exact.
fn of_reals<T: Real>(op: BinaryOp, lhs: &Array<T>, rhs: &Tensor) -> Result<Tensor, Cause> {
    let function: fn(f64, f64) -> f64 = match op {
        BinaryOp::Add => |a, b| a + b,
        BinaryOp::Subtract => |a, b| a - b,
        BinaryOp::Multiply => |a, b| a * b,
        BinaryOp::Divide => |a, b| a / b,
        BinaryOp::Remainder => |a, b| a % b,
        BinaryOp::Power => libm::pow,
        BinaryOp::Atan2 => libm::atan2,
        BinaryOp::Maximum => return zip(lhs, rhs, T::maximum),
        BinaryOp::Minimum => return zip(lhs, rhs, T::minimum),
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::Complex => return Err(Cause::DType(T::DTYPE)),
    };
    zip(lhs, rhs, |a: T, b: T| {
        T::narrow(function(a.widen(), b.widen()))
    })
}

/// The complex numbers with these real and those imaginary parts.
fn parts(re: &Tensor, im: &Tensor) -> Result<Tensor, Cause> {
    match re {
        Tensor::F32(re) => zip(re, im, Complex::<f32>::new),
        Tensor::F64(re) => zip(re, im, Complex::<f64>::new),
        other => Err(Cause::DType(other.dtype())),
    }
}

fn of_complex<T: ComplexNumber>(
    op: BinaryOp,
    lhs: &Array<T>,
    rhs: &Tensor,
) -> Result<Tensor, Cause> {
    let function = match op {
        BinaryOp::Add => T::add,
        BinaryOp::Subtract => T::subtract,
        BinaryOp::Multiply => T::multiply,
        BinaryOp::Divide => complex::divide,
        BinaryOp::Remainder
        | BinaryOp::Power
        | BinaryOp::Atan2
        | BinaryOp::Maximum
        | BinaryOp::Minimum
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::Complex => return Err(Cause::DType(T::DTYPE)),
    };
    zip(lhs, rhs, |a: T, b: T| {
        T::narrow(function(a.widen(), b.widen()))
    })
}
