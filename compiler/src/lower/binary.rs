use super::{
    convert,
    emit::{Emitter, Result, Tensor},
    math,
};
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::op::BinaryOp;

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: BinaryOp,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    if let (narrow, true) = (lhs.dtype(), is_computed_as_f32(op, lhs.dtype())) {
        let widen = |operand| convert::lower(emitter, DType::F32, operand);
        let wide = lower(emitter, op, &widen(lhs)?, &widen(rhs)?)?;
        return convert::lower(emitter, narrow, &wide);
    }
    let boolean = lhs.dtype() == DType::Bool;
    match op {
        BinaryOp::Add => emitter.add(lhs, rhs),
        BinaryOp::Subtract => emitter.subtract(lhs, rhs),
        BinaryOp::Multiply => emitter.multiply(lhs, rhs),
        BinaryOp::Divide => emitter.divide(lhs, rhs),
        BinaryOp::Remainder if lhs.dtype() == DType::F64 => math::remainder(emitter, lhs, rhs),
        BinaryOp::Remainder => emitter.remainder(lhs, rhs),
        BinaryOp::Maximum if boolean => emitter.or(lhs, rhs),
        BinaryOp::Maximum => emitter.maximum(lhs, rhs),
        BinaryOp::Minimum if boolean => emitter.and(lhs, rhs),
        BinaryOp::Minimum => emitter.minimum(lhs, rhs),
        BinaryOp::And => emitter.and(lhs, rhs),
        BinaryOp::Or => emitter.or(lhs, rhs),
        BinaryOp::Xor => emitter.xor(lhs, rhs),
        BinaryOp::ShiftLeft => emitter.shift_left(lhs, rhs),
        BinaryOp::ShiftRight if lhs.dtype().class() == DTypeClass::Unsigned => {
            emitter.shift_right_logical(lhs, rhs)
        }
        BinaryOp::ShiftRight => emitter.shift_right_arithmetic(lhs, rhs),
        BinaryOp::Complex if lhs.dtype() == DType::F64 => emitter.complex(lhs, rhs, DType::C128),
        BinaryOp::Complex => emitter.complex(lhs, rhs, DType::C64),
        BinaryOp::Power => math::power(emitter, lhs, rhs),
        BinaryOp::Atan2 => math::atan2(emitter, lhs, rhs),
    }
}

/// Whether an operation is computed with more digits, and then rounded. IREE 3.13 does arithmetic of `bf16` as `f32` and leaves
/// out what it should round between operations; conversions round all the same.
/// Defect `roundings-are-left-out`.
fn is_computed_as_f32(op: BinaryOp, dtype: DType) -> bool {
    match op {
        BinaryOp::Power | BinaryOp::Atan2 => matches!(dtype, DType::F16 | DType::BF16),
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => dtype == DType::BF16,
        BinaryOp::Divide | BinaryOp::Remainder => dtype == DType::BF16,
        BinaryOp::Maximum | BinaryOp::Minimum | BinaryOp::Complex => false,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => false,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => false,
    }
}
