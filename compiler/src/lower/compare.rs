use super::emit::{Emitter, Result, Tensor};
use iree_dialects::stablehlo::ComparisonDirection;
use iree_dsl_ir::op::CompareOp;

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: CompareOp,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let direction = match op {
        CompareOp::Equal => ComparisonDirection::Equal,
        CompareOp::NotEqual => ComparisonDirection::NotEqual,
        CompareOp::Less => ComparisonDirection::Less,
        CompareOp::LessEqual => ComparisonDirection::LessOrEqual,
        CompareOp::Greater => ComparisonDirection::Greater,
        CompareOp::GreaterEqual => ComparisonDirection::GreaterOrEqual,
    };
    emitter.compare(direction, lhs, rhs)
}
