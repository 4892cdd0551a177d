//! One number from one number, at each place.

use super::{Operands, map};
use crate::{
    Array, Cause, Tensor,
    arithmetic::{Bits, ComplexNumber, Integer, Number, Real},
    special::{self, complex},
    tensor::of_types,
};
use iree_abi::DTypeClass;
use iree_dsl_ir::op::UnaryOp;
use num_complex::Complex64;

pub(super) fn evaluate(op: UnaryOp, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [x] = operands.exactly()?;
    if op == UnaryOp::StopGradient {
        return Ok(x.clone());
    }
    match x.dtype().class() {
        DTypeClass::Bool => of_types!([Bool] x, array => of_bool(op, array)),
        DTypeClass::Signed | DTypeClass::Unsigned => {
            of_types!([I8 I16 I32 I64 U8 U16 U32 U64] x, array => of_integers(op, array))
        }
        DTypeClass::Float => of_types!([F16 BF16 F32 F64] x, array => of_reals(op, array)),
        DTypeClass::Complex => of_types!([C64 C128] x, array => of_complex(op, array)),
    }
}

fn of_bool<T: Bits>(op: UnaryOp, x: &Array<T>) -> Result<Tensor, Cause> {
    match op {
        UnaryOp::Not => Ok(map(x, |x| !x)),
        _ => Err(Cause::DType(T::DTYPE)),
    }
}

fn of_integers<T: Integer>(op: UnaryOp, x: &Array<T>) -> Result<Tensor, Cause> {
    match op {
        UnaryOp::Abs => Ok(map(x, T::absolute)),
        UnaryOp::Negate => Ok(map(x, T::negate)),
        UnaryOp::CountOnes => Ok(map(x, T::ones)),
        UnaryOp::LeadingZeros => Ok(map(x, T::zeros_before)),
        _ => of_bool(op, x),
    }
}

fn of_reals<T: Real>(op: UnaryOp, x: &Array<T>) -> Result<Tensor, Cause> {
    let function = real(op).ok_or(Cause::DType(T::DTYPE))?;
    Ok(map(x, |x| T::narrow(function(x.widen()))))
}

/// The function of a real number, if there is one.
fn real(op: UnaryOp) -> Option<fn(f64) -> f64> {
    Some(match op {
        UnaryOp::Abs => f64::abs,
        UnaryOp::Negate => |x| -x,
        UnaryOp::Floor => f64::floor,
        UnaryOp::RoundTiesEven => f64::round_ties_even,
        UnaryOp::Sqrt => f64::sqrt,
        UnaryOp::Cbrt => libm::cbrt,
        UnaryOp::Exp => libm::exp,
        UnaryOp::Exp2 => libm::exp2,
        UnaryOp::ExpM1 => libm::expm1,
        UnaryOp::Ln => libm::log,
        UnaryOp::Ln1p => libm::log1p,
        UnaryOp::Log2 => libm::log2,
        UnaryOp::Log10 => libm::log10,
        UnaryOp::Sin => libm::sin,
        UnaryOp::Cos => libm::cos,
        UnaryOp::Sinh => libm::sinh,
        UnaryOp::Cosh => libm::cosh,
        UnaryOp::Tanh => libm::tanh,
        UnaryOp::Asinh => libm::asinh,
        UnaryOp::Acosh => special::acosh,
        UnaryOp::Atanh => libm::atanh,
        UnaryOp::Sigmoid => special::sigmoid,
        UnaryOp::Erf => libm::erf,
        UnaryOp::Erfc => libm::erfc,
        UnaryOp::ErfInv => special::erf_inv,
        UnaryOp::Lgamma => libm::lgamma,
        UnaryOp::Digamma => special::digamma,
        UnaryOp::StopGradient => |x| x,
        UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::Real
        | UnaryOp::Imag => return None,
    })
}

fn of_complex<T: ComplexNumber>(op: UnaryOp, z: &Array<T>) -> Result<Tensor, Cause> {
    match op {
        UnaryOp::Real => return Ok(map(z, T::re)),
        UnaryOp::Imag => return Ok(map(z, T::im)),
        UnaryOp::Abs => {
            let size = |z: Complex64| libm::hypot(z.re, z.im);
            return Ok(map(z, |z| T::Part::narrow(size(z.widen()))));
        }
        _ => {}
    }
    let function = complex_function(op).ok_or(Cause::DType(T::DTYPE))?;
    Ok(map(z, |z| T::narrow(function(z.widen()))))
}

/// The function of a complex number, if there is one.
fn complex_function(op: UnaryOp) -> Option<fn(Complex64) -> Complex64> {
    Some(match op {
        UnaryOp::Negate => |z| -z,
        UnaryOp::Sqrt => complex::sqrt,
        UnaryOp::Exp => complex::exp,
        UnaryOp::ExpM1 => complex::exp_m1,
        UnaryOp::Ln => complex::ln,
        UnaryOp::Ln1p => complex::ln_1p,
        UnaryOp::Sin => complex::sin,
        UnaryOp::Cos => complex::cos,
        UnaryOp::Tanh => complex::tanh,
        UnaryOp::Sigmoid => complex::sigmoid,
        UnaryOp::StopGradient => |z| z,
        UnaryOp::Abs
        | UnaryOp::Not
        | UnaryOp::Floor
        | UnaryOp::RoundTiesEven
        | UnaryOp::Cbrt
        | UnaryOp::Exp2
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::Sinh
        | UnaryOp::Cosh
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::Erf
        | UnaryOp::Erfc
        | UnaryOp::ErfInv
        | UnaryOp::Lgamma
        | UnaryOp::Digamma
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::Real
        | UnaryOp::Imag => return None,
    })
}
