use super::{Batch, Lane, lane::behind_batch, rule::exactly};
use crate::error::Result;
use iree_abi::Shape;
use iree_dsl_ir::op::{Broadcast, Op, Transpose};

impl Batch<'_> {
    pub(super) fn broadcast(&mut self, op: &Broadcast, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let op = Broadcast {
            shape: self.with_batch(&op.shape),
            axes: first_and(&op.axes),
        };
        self.emit(Op::Broadcast(op), &[x.value])
    }

    pub(super) fn reshape(&mut self, shape: &Shape, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let shape = self.with_batch(shape);
        self.emit(Op::Reshape(shape), &[x.value])
    }

    pub(super) fn transpose(&mut self, op: &Transpose, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let permutation = first_and(&op.permutation);
        self.emit(Op::Transpose(Transpose { permutation }), &[x.value])
    }

    pub(super) fn reverse(&mut self, axes: &[usize], lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        self.emit(Op::Reverse(behind_batch(axes)), &[x.value])
    }
}

/// The batch, then axes of an element.
pub(super) fn first_and(axes: &[usize]) -> Vec<usize> {
    std::iter::once(0).chain(behind_batch(axes)).collect()
}
