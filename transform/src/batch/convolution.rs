use super::{
    Batch, Lane,
    lane::{merged, replaced},
    rule::exactly,
};
use crate::error::{Error, Result};
use iree_abi::{Dim, Shape};
use iree_dsl_ir::{
    Operation, ValueId,
    op::{Convolution, Op},
};

impl Batch<'_> {
    /// Inputs that differ are more of the batch that a convolution has, and kernels more features. Where both do, features
    /// would fall into a group for each element, which takes longer than one element after the other.
    pub(super) fn convolution(
        &mut self,
        op: &Convolution,
        operation: &Operation,
        lanes: &[Lane],
    ) -> Result<Vec<Lane>> {
        let [input, kernel] = exactly(lanes)?;
        let result = match (input.is_mapped, kernel.is_mapped) {
            (_, false) => self.inputs(op, input.value, kernel.value)?,
            (false, true) if op.groups == 1 => self.kernels(op, input.value, kernel.value)?,
            (_, true) => return self.one_by_one(operation),
        };
        Ok(vec![result])
    }

    fn inputs(&mut self, op: &Convolution, input: ValueId, kernel: ValueId) -> Result<Lane> {
        let (from, to) = (role(&op.input, 0)?, role(&op.output, 0)?);
        let own = dim(&self.builder.shape(input)?, from + 1)?;
        let input = self.folded(input, from)?;
        let result = self
            .builder
            .emit(Op::Convolution(op.clone()), &[input, kernel])?;
        self.unfolded(result, to, &own).map(Lane::each)
    }

    /// Without groups.
    fn kernels(&mut self, op: &Convolution, input: ValueId, kernel: ValueId) -> Result<Lane> {
        let (from, to) = (role(&op.kernel, 0)?, role(&op.output, 1)?);
        let own = dim(&self.builder.shape(kernel)?, from + 1)?;
        let kernel = self.folded(kernel, from)?;
        let result = self
            .builder
            .emit(Op::Convolution(op.clone()), &[input, kernel])?;
        self.unfolded(result, to, &own).map(Lane::each)
    }

    /// The batch, which is the first axis, as a part of an axis of elements: the slower one.
    fn folded(&mut self, x: ValueId, axis: usize) -> Result<ValueId> {
        let rank = self.builder.shape(x)?.rank();
        let moved = self.arranged(x, &with_batch_at(axis, rank))?;
        let shape = merged(&self.builder.shape(moved)?, axis)?;
        self.builder.reshape(moved, &shape)
    }

    /// The other way around. Elements have so many places along the axis.
    fn unfolded(&mut self, x: ValueId, axis: usize, own: &Dim) -> Result<ValueId> {
        let shape = self.builder.shape(x)?;
        let parts = [self.size.clone(), own.clone()];
        let split = replaced(&shape, axis..axis + 1, &parts);
        let split = self.builder.reshape(x, &split)?;
        self.in_order(split, &with_batch_at(axis, shape.rank() + 1))
    }
}

/// So many axes, of which one is the batch.
fn with_batch_at(axis: usize, rank: usize) -> Vec<Option<usize>> {
    let axes = (0..axis).map(Some).chain([None]);
    axes.chain((axis + 1..rank).map(|behind| Some(behind - 1)))
        .collect()
}

/// The axis with a role.
fn role(axes: &[usize], role: usize) -> Result<usize> {
    let axis = axes.get(role).copied();
    axis.ok_or(Error::Lost("an axis of a convolution"))
}

fn dim(shape: &Shape, axis: usize) -> Result<Dim> {
    let dim = shape.dims().get(axis).cloned();
    dim.ok_or(Error::Lost("the size of an axis"))
}
