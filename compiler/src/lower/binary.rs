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
        BinaryOp::Power => in_full_precision(emitter, math::power, lhs, rhs),
        BinaryOp::Atan2 => in_full_precision(emitter, math::atan2, lhs, rhs),
    }
}

type Function<'c, 'b> =
    fn(&Emitter<'c, 'b>, &Tensor<'c, 'b>, &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>>;

/// A function of narrow types computed in `f32`.
fn in_full_precision<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    function: Function<'c, 'b>,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let narrow @ (DType::F16 | DType::BF16) = lhs.dtype() else {
        return function(emitter, lhs, rhs);
    };
    let widen = |operand| convert::lower(emitter, DType::F32, operand);
    let wide = function(emitter, &widen(lhs)?, &widen(rhs)?)?;
    convert::lower(emitter, narrow, &wide)
}
