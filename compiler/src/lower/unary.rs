use super::{
    complex, double,
    emit::{Emitter, Result, Tensor},
};
use crate::op::UnaryOp;
use iree_abi::DType;

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: UnaryOp,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    match (op, operand.dtype()) {
        (UnaryOp::Abs, _) => emitter.abs(operand),
        (UnaryOp::Negate, _) => emitter.negate(operand),
        (UnaryOp::Not, _) => emitter.not(operand),
        (UnaryOp::Exp, DType::C128) => complex::exp(emitter, operand),
        (UnaryOp::Exp, _) => emitter.exponential(operand),
        (UnaryOp::Ln, DType::C128) => complex::ln(emitter, operand),
        (UnaryOp::Ln, _) => emitter.log(operand),
        (UnaryOp::Sqrt, DType::C128) => complex::sqrt(emitter, operand),
        (UnaryOp::Sqrt, _) => emitter.sqrt(operand),
        (UnaryOp::Tanh, DType::C128) => complex::tanh(emitter, operand),
        (UnaryOp::Tanh, DType::F64) => double::tanh(emitter, operand),
        (UnaryOp::Tanh, _) => emitter.tanh(operand),
    }
}
