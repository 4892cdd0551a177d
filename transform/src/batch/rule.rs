//! Which file has the rule of an operation.

use super::{Batch, Lane};
use crate::error::{Error, Result};
use iree_dsl_ir::{Operation, op::Op};

impl Batch<'_> {
    /// The results of an operation that reads what differs from element to element.
    pub(super) fn results(&mut self, operation: &Operation) -> Result<Vec<Lane>> {
        let lanes = self.all_lanes(&operation.operands);
        let op = &operation.op;
        let result = match op {
            Op::Unary(_) | Op::Convert(_) | Op::Bitcast(_) => self.elementwise(op, &lanes),
            Op::Binary(_) | Op::Compare(_) | Op::Select => self.elementwise(op, &lanes),
            Op::Broadcast(op) => self.broadcast(op, &lanes),
            Op::Reshape(shape) => self.reshape(shape, &lanes),
            Op::Transpose(op) => self.transpose(op, &lanes),
            Op::Reverse(axes) => self.reverse(axes, &lanes),
            Op::DotGeneral(op) => self.dot(op, &lanes),
            Op::Convolution(op) => return self.convolution(op, operation, &lanes),
            // Along the last axis.
            Op::Fourier(_) => self.elementwise(op, &lanes),
            // In the last two axes.
            Op::Cholesky => self.elementwise(op, &lanes),
            Op::Solve(op) => self.solve(*op, &lanes),
            Op::Reduce(op) => self.reduce(op, &lanes),
            Op::ArgReduce(op) => self.arg_reduce(op, &lanes),
            Op::ReduceWindow(op) => self.reduce_window(op, &lanes),
            Op::Slice(op) => self.slice(op, &lanes),
            Op::DynamicSlice(op) => self.dynamic_slice(op, &lanes),
            Op::DynamicUpdateSlice => self.dynamic_update(&lanes),
            Op::Concatenate(axis) => self.concatenate(*axis, &lanes),
            Op::Pad(op) => self.pad(op, &lanes),
            Op::Gather(op) => self.gather(op, &lanes),
            Op::Scatter(op) => self.scatter(op, &lanes),
            Op::ArgSort(op) => self.arg_sort(op, &lanes),
            Op::Cumulate(op) => self.cumulate(op, &lanes),
            Op::If => return self.branch(operation),
            Op::While => return self.repeat(operation),
            Op::Call(call) => return self.call(operation, call),
            Op::Mlir(_) | Op::Import(_) => return self.one_by_one(operation),
            Op::Trace(observation) => return self.trace(observation, &lanes),
            Op::Assert(observation) => return self.assert(observation, &lanes),
            Op::GlobalStore(_) => {
                return Err(Error::StoredByElement {
                    span: operation.span,
                });
            }
            Op::Constant(_) | Op::Iota(_) | Op::Size(_) | Op::GlobalLoad(_) => {
                return Err(Error::Lost("an operand of each element"));
            }
        };
        Ok(vec![result?])
    }
}

/// The operands, if there are as many.
pub(super) fn exactly<const N: usize>(lanes: &[Lane]) -> Result<[Lane; N]> {
    let lanes = lanes.try_into();
    lanes.map_err(|_| Error::Lost("an operand"))
}
