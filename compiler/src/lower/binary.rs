use super::{
    emit::{Emitter, Result, Tensor},
    remainder::remainder,
};
use crate::op::BinaryOp;
use iree_abi::{DType, DTypeClass};

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
        BinaryOp::Remainder if lhs.dtype() == DType::F64 => remainder(emitter, lhs, rhs),
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
    }
}
