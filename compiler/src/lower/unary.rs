use super::{
    convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    math,
};
use iree_abi::DType;
use iree_dsl_ir::op::UnaryOp;

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: UnaryOp,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    match (op, operand.dtype()) {
        (UnaryOp::StopGradient, _) => Ok(operand.clone()),
        (UnaryOp::Abs, _) => emitter.abs(operand),
        (UnaryOp::Negate, _) => emitter.negate(operand),
        (UnaryOp::Not, _) => emitter.not(operand),
        (UnaryOp::CountOnes, _) => emitter.population_count(operand),
        (UnaryOp::LeadingZeros, _) => emitter.count_leading_zeros(operand),
        (UnaryOp::Real, _) => emitter.real(operand),
        (UnaryOp::Imag, _) => emitter.imag(operand),
        (_, narrow @ (DType::F16 | DType::BF16)) => {
            let wide = convert::lower(emitter, DType::F32, operand)?;
            convert::lower(emitter, narrow, &lower(emitter, op, &wide)?)
        }
        _ => match math::unary(op, operand.dtype()) {
            Some(function) => function(emitter, operand),
            None => native(emitter, op, operand),
        },
    }
}

/// What IREE computes precisely.
fn native<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: UnaryOp,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    match op {
        UnaryOp::Exp => emitter.exponential(operand),
        UnaryOp::ExpM1 => emitter.exponential_minus_one(operand),
        UnaryOp::Ln => emitter.log(operand),
        UnaryOp::Ln1p => emitter.log_plus_one(operand),
        UnaryOp::Sqrt => emitter.sqrt(operand),
        UnaryOp::Tanh => emitter.tanh(operand),
        UnaryOp::Sigmoid => emitter.logistic(operand),
        UnaryOp::Erf => emitter.erf(operand),
        _ => Err(LowerCause::Lost("a function")),
    }
}
