//! Truth values from two numbers, at each place. Rust's comparisons are those of the operations: with NaN they are
//! false, but for `!=`.

use super::{Operands, zip};
use crate::{
    Cause, Tensor,
    tensor::{each, each_ordered},
};
use iree_dsl_ir::op::CompareOp;

pub(super) fn evaluate(op: CompareOp, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [lhs, rhs] = operands.exactly()?;
    match op {
        CompareOp::Equal => each!(lhs, array => zip(array, rhs, |a, b| a == b)),
        CompareOp::NotEqual => each!(lhs, array => zip(array, rhs, |a, b| a != b)),
        CompareOp::Less => each_ordered!(lhs, array => zip(array, rhs, |a, b| a.lt(&b))),
        CompareOp::LessEqual => each_ordered!(lhs, array => zip(array, rhs, |a, b| a.le(&b))),
        CompareOp::Greater => each_ordered!(lhs, array => zip(array, rhs, |a, b| a.gt(&b))),
        CompareOp::GreaterEqual => each_ordered!(lhs, array => zip(array, rhs, |a, b| a.ge(&b))),
    }
}
