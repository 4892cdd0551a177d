//! How precise operations are: what the guide promises, and the tests hold against other libraries.

use half::{bf16, f16};
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::op::UnaryOp;

/// Arithmetic, which is rounded to the nearest number, on either side.
const ARITHMETIC: f64 = 1.0;

/// That of complex numbers.
const COMPLEX: f64 = 8.0;

/// More numbers than this are added with more digits than `f32` has.
pub(super) const PART: usize = 16384;

/// The distance from 1 to the next number; 0 for types that round nothing.
pub(super) fn epsilon(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => f16::EPSILON.to_f64(),
        DType::BF16 => bf16::EPSILON.to_f64(),
        DType::F32 => f32::EPSILON.into(),
        DType::F64 => f64::EPSILON,
        _ => 0.0,
    }
}

/// Smaller numbers may count as zero on the device.
pub(super) fn least(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => f16::MIN_POSITIVE.to_f64(),
        DType::BF16 | DType::F32 => f32::MIN_POSITIVE.into(),
        DType::F64 => f64::MIN_POSITIVE,
        _ => 0.0,
    }
}

/// The largest number; infinite where nothing is beyond it.
pub(super) fn largest(dtype: DType) -> f64 {
    match dtype.real() {
        DType::F16 => f16::MAX.to_f64(),
        DType::BF16 => bf16::MAX.to_f64(),
        DType::F32 => f32::MAX.into(),
        DType::F64 => f64::MAX,
        _ => f64::INFINITY,
    }
}

/// The type in which many numbers of a type are combined at least.
pub(super) fn accumulator(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    }
}

/// How far rounding moves a number, by so many units in the last place.
pub(super) fn rounding(dtype: DType, units: f64, number: f64) -> f64 {
    let (size, least) = (number.abs(), least(dtype));
    if size == 0.0 || !size.is_finite() {
        return 0.0;
    }
    let lost = if size < 2.0 * least { least } else { 0.0 };
    units * epsilon(dtype) * size + lost
}

/// How far arithmetic is from its exact result.
pub(super) fn arithmetic(dtype: DType, number: f64) -> f64 {
    let units = match dtype.is_complex() {
        true => COMPLEX,
        false => ARITHMETIC,
    };
    rounding(dtype, units, number)
}

/// How far a function is from its exact result. The interpreter's own rounding counts too.
pub(super) fn function(dtype: DType, number: f64) -> f64 {
    let units = match dtype {
        DType::F16 | DType::BF16 => 1.0,
        _ if dtype.is_complex() => COMPLEX,
        _ => 4.0,
    };
    rounding(dtype, units + 1.0, number)
}

/// A size below which a function is precise in absolute terms only, near its zeros.
pub(super) const fn floor(op: UnaryOp) -> f64 {
    match op {
        UnaryOp::Lgamma => 1.0,
        // Reflection takes the logarithm of the number from a cotangent.
        UnaryOp::Digamma => 8.0,
        UnaryOp::Abs
        | UnaryOp::Negate
        | UnaryOp::Not
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
        | UnaryOp::Trigamma
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::Real
        | UnaryOp::Imag
        | UnaryOp::StopGradient
        | UnaryOp::Barrier => 0.0,
    }
}

/// Whether numbers of a type are rounded.
pub(super) fn rounds(dtype: DType) -> bool {
    match dtype.class() {
        DTypeClass::Float | DTypeClass::Complex => true,
        DTypeClass::Bool | DTypeClass::Signed | DTypeClass::Unsigned => false,
    }
}
