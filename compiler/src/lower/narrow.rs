//! Conversions to floating-point numbers of 16 bits, rounded once.
//!
//! IREE makes them by way of `f32`, so numbers with more digits than that would be rounded twice. They are rounded to
//! odd instead, as [`iree_abi::to_odd_f32`] does: the last digit then says whether there was more, and the rounding to 16 bits
//! is the only one that decides.
//! Defects `rounded-twice-to-f16` and `integers-to-bf16-are-undefined`.

use super::emit::{Emitter, Result, Tensor};
use iree_abi::{DType, DTypeClass};
use iree_dialects::stablehlo::ComparisonDirection;
use iree_dsl_ir::Scalar;

/// A number of `f64` in `f32`, rounded to odd.
pub(super) fn from_f64<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let nearest = emitter.convert(operand, DType::F32)?;
    let back = emitter.convert(&nearest, DType::F64)?;
    let bits = emitter.bitcast_convert(&nearest, DType::I32)?;
    let one = emitter.splat(Scalar::Integer(1), &bits.ty)?;
    let (back_size, size) = (emitter.abs(&back)?, emitter.abs(operand)?);
    let is_beyond = emitter.compare(ComparisonDirection::Greater, &back_size, &size)?;
    let before = emitter.subtract(&bits, &one)?;
    let towards_zero = emitter.select(&is_beyond, &before, &bits)?;
    let is_other = emitter.compare(ComparisonDirection::NotEqual, &back, operand)?;
    let odd = emitter.or(&towards_zero, &one)?;
    let odd = emitter.select(&is_other, &odd, &towards_zero)?;
    emitter.bitcast_convert(&odd, DType::F32)
}

/// An integer in `f32`, rounded to odd.
pub(super) fn from_integer<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let bits = 8 * operand.dtype().size() as i128;
    let excess = bits - i128::from(f32::MANTISSA_DIGITS);
    if excess <= 0 {
        return emitter.convert(operand, DType::F32);
    }
    let number = |number| emitter.splat(Scalar::Integer(number), &operand.ty);
    // So many of the last digits `f32` has no room for.
    let zeros = emitter.minimum(&leading_digits(emitter, operand, bits)?, &number(excess)?)?;
    let less = emitter.subtract(&number(excess)?, &zeros)?;
    let kept = match operand.dtype().class() {
        DTypeClass::Signed => emitter.shift_right_arithmetic(operand, &less)?,
        _ => emitter.shift_right_logical(operand, &less)?,
    };
    let back = emitter.shift_left(&kept, &less)?;
    let is_other = emitter.compare(ComparisonDirection::NotEqual, &back, operand)?;
    let odd = emitter.or(&kept, &number(1)?)?;
    let odd = emitter.select(&is_other, &odd, &kept)?;
    emitter.convert(&emitter.shift_left(&odd, &less)?, DType::F32)
}

/// Numbers of `f32` as `bf16`. IREE 3.13 leaves out the conversion to `bf16` where one back follows, so that the digits stay
/// there; hence they are rounded before.
/// Defect `roundings-are-left-out`.
pub(super) fn to_bf16<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let bits = emitter.bitcast_convert(operand, DType::I32)?;
    let number = |number| emitter.splat(Scalar::Integer(number), &bits.ty);
    let last = emitter.shift_right_logical(&bits, &number(16)?)?;
    let last = emitter.and(&last, &number(1)?)?;
    // Of two that are as near, the even one.
    let half = emitter.add(&last, &number(0x7fff)?)?;
    let kept = emitter.and(&emitter.add(&bits, &half)?, &number(-0x1_0000)?)?;
    let rounded = emitter.bitcast_convert(&kept, DType::F32)?;
    let is_number = emitter.compare(ComparisonDirection::Equal, operand, operand)?;
    emitter.convert(&emitter.select(&is_number, &rounded, operand)?, DType::BF16)
}

/// How many digits before the first that counts: zeros, or of negative numbers ones.
fn leading_digits<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    bits: i128,
) -> Result<Tensor<'c, 'b>> {
    if operand.dtype().class() != DTypeClass::Signed {
        return emitter.count_leading_zeros(operand);
    }
    let last = emitter.splat(Scalar::Integer(bits - 1), &operand.ty)?;
    let sign = emitter.shift_right_arithmetic(operand, &last)?;
    emitter.count_leading_zeros(&emitter.xor(operand, &sign)?)
}
