//! One number from one number, at each place.

use super::{Operands, map};
use crate::{
    Array, Cause, Tensor,
    arithmetic::{ComplexNumber, Integer, Number, Real},
    special::{self, complex},
    tensor::of_types,
};
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::op::UnaryOp;
use num_complex::Complex64;

pub(super) fn evaluate(op: UnaryOp, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [x] = operands.exactly()?;
    match x.dtype().class() {
        DTypeClass::Bool => of_types!([Bool] x, array => of_truths(op, array)),
        DTypeClass::Signed | DTypeClass::Unsigned => {
            of_types!([I8 I16 I32 I64 U8 U16 U32 U64] x, array => of_integers(op, array))
        }
        DTypeClass::Float => of_types!([F16 BF16 F32 F64] x, array => of_reals(op, array)),
        DTypeClass::Complex => of_types!([C64 C128] x, array => of_complex(op, array)),
    }
}

fn of_truths(op: UnaryOp, x: &Array<bool>) -> Result<Tensor, Cause> {
    match op {
        UnaryOp::Not => Ok(map(x, |x| !x)),
        UnaryOp::StopGradient | UnaryOp::Barrier => Ok(map(x, |x| x)),
        UnaryOp::Abs
        | UnaryOp::Negate
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::Floor
        | UnaryOp::RoundTiesEven
        | UnaryOp::Sqrt
        | UnaryOp::Cbrt
        | UnaryOp::Exp
        | UnaryOp::Exp2
        | UnaryOp::ExpM1
        | UnaryOp::Ln
        | UnaryOp::Ln1p
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::Sin
        | UnaryOp::Cos
        | UnaryOp::Sinh
        | UnaryOp::Cosh
        | UnaryOp::Tanh
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::Sigmoid
        | UnaryOp::Erf
        | UnaryOp::Erfc
        | UnaryOp::ErfInv
        | UnaryOp::Lgamma
        | UnaryOp::Digamma
        | UnaryOp::Trigamma
        | UnaryOp::Real
        | UnaryOp::Imag => Err(Cause::DType(DType::Bool)),
    }
}

fn of_integers<T: Integer>(op: UnaryOp, x: &Array<T>) -> Result<Tensor, Cause> {
    let function = integer::<T>(op).ok_or(Cause::DType(T::DTYPE))?;
    Ok(map(x, function))
}

/// The function of an integer, if there is one.
fn integer<T: Integer>(op: UnaryOp) -> Option<fn(T) -> T> {
    match op {
        UnaryOp::Abs => Some(T::absolute),
        UnaryOp::Negate => Some(T::negate),
        UnaryOp::Not => Some(|x| !x),
        UnaryOp::CountOnes => Some(T::ones),
        UnaryOp::LeadingZeros => Some(T::zeros_before),
        UnaryOp::StopGradient | UnaryOp::Barrier => Some(|x| x),
        UnaryOp::Floor
        | UnaryOp::RoundTiesEven
        | UnaryOp::Sqrt
        | UnaryOp::Cbrt
        | UnaryOp::Exp
        | UnaryOp::Exp2
        | UnaryOp::ExpM1
        | UnaryOp::Ln
        | UnaryOp::Ln1p
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::Sin
        | UnaryOp::Cos
        | UnaryOp::Sinh
        | UnaryOp::Cosh
        | UnaryOp::Tanh
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::Sigmoid
        | UnaryOp::Erf
        | UnaryOp::Erfc
        | UnaryOp::ErfInv
        | UnaryOp::Lgamma
        | UnaryOp::Digamma
        | UnaryOp::Trigamma
        | UnaryOp::Real
        | UnaryOp::Imag => None,
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
        UnaryOp::Trigamma => special::trigamma,
        UnaryOp::StopGradient | UnaryOp::Barrier => |x| x,
        UnaryOp::Not
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::Real
        | UnaryOp::Imag => return None,
    })
}

fn of_complex<T: ComplexNumber>(op: UnaryOp, z: &Array<T>) -> Result<Tensor, Cause> {
    match complex_function(op).ok_or(Cause::DType(T::DTYPE))? {
        Function::Complex(function) => Ok(map(z, |z| T::narrow(function(z.widen())))),
        Function::Real(function) => Ok(map(z, |z| T::Part::narrow(function(z.widen())))),
    }
}

/// A function of complex numbers.
enum Function {
    /// With complex values.
    Complex(fn(Complex64) -> Complex64),
    /// With real values.
    Real(fn(Complex64) -> f64),
}

/// The function of a complex number, if there is one.
fn complex_function(op: UnaryOp) -> Option<Function> {
    Some(match op {
        UnaryOp::Abs => Function::Real(|z| libm::hypot(z.re, z.im)),
        UnaryOp::Real => Function::Real(|z| z.re),
        UnaryOp::Imag => Function::Real(|z| z.im),
        UnaryOp::Negate => Function::Complex(|z| -z),
        UnaryOp::Sqrt => Function::Complex(complex::sqrt),
        UnaryOp::Exp => Function::Complex(complex::exp),
        UnaryOp::ExpM1 => Function::Complex(complex::exp_m1),
        UnaryOp::Ln => Function::Complex(complex::ln),
        UnaryOp::Ln1p => Function::Complex(complex::ln_1p),
        UnaryOp::Sin => Function::Complex(complex::sin),
        UnaryOp::Cos => Function::Complex(complex::cos),
        UnaryOp::Tanh => Function::Complex(complex::tanh),
        UnaryOp::Sigmoid => Function::Complex(complex::sigmoid),
        UnaryOp::StopGradient | UnaryOp::Barrier => Function::Complex(|z| z),
        UnaryOp::Not
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
        | UnaryOp::Trigamma
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros => return None,
    })
}
