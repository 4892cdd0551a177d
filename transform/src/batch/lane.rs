//! What becomes of a value of one element.

use super::Batch;
use crate::{
    builder::with_first,
    error::{Error, Result},
};
use iree_abi::{Dim, Shape, TensorType};
use iree_dsl_ir::{ValueId, op::Op};

/// What became of a value of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    pub(super) value: ValueId,
    /// Whether it differs from element to element: then the batch is its first axis.
    pub(super) is_mapped: bool,
}

impl Lane {
    /// One value for each element.
    pub(super) const fn each(value: ValueId) -> Self {
        Self {
            value,
            is_mapped: true,
        }
    }

    /// One value for all elements.
    pub(super) const fn shared(value: ValueId) -> Self {
        Self {
            value,
            is_mapped: false,
        }
    }
}

impl Batch<'_> {
    /// What became of a value.
    pub(super) fn lane(&self, id: ValueId) -> Lane {
        let lane = self.lanes.get(&id).copied();
        lane.unwrap_or(Lane::shared(id))
    }

    pub(super) fn all_lanes(&self, ids: &[ValueId]) -> Vec<Lane> {
        ids.iter().map(|id| self.lane(*id)).collect()
    }

    /// A type with the batch as its first axis.
    pub(super) fn batched(&self, ty: &TensorType) -> TensorType {
        TensorType::new(ty.dtype, self.with_batch(&ty.shape))
    }

    pub(super) fn with_batch(&self, shape: &Shape) -> Shape {
        with_first(self.size.clone(), shape)
    }

    /// The shape that a value has for one element.
    pub(super) fn element_shape(&self, lane: Lane) -> Result<Shape> {
        let shape = self.builder.shape(lane.value)?;
        let dims = shape.dims().iter().skip(usize::from(lane.is_mapped));
        Ok(Shape::new(dims.cloned().collect()))
    }

    /// The value of each element, repeated if it is one for all.
    pub(super) fn spread(&mut self, lane: Lane) -> Result<ValueId> {
        if lane.is_mapped {
            return Ok(lane.value);
        }
        let shape = self.builder.shape(lane.value)?;
        let axes = (1..=shape.rank()).collect();
        let shape = self.with_batch(&shape);
        self.builder.broadcast(lane.value, &shape, axes)
    }

    pub(super) fn spread_all(&mut self, lanes: &[Lane]) -> Result<Vec<ValueId>> {
        lanes.iter().map(|lane| self.spread(*lane)).collect()
    }

    /// The result of an operation for values of each element.
    pub(super) fn emit(&mut self, op: Op, operands: &[ValueId]) -> Result<Lane> {
        self.builder.emit(op, operands).map(Lane::each)
    }

    /// A value of which it is known what each axis is: the batch, or an axis of an element. The batch comes first, then the
    /// axes of elements in their order.
    pub(super) fn in_order(&mut self, x: ValueId, axes: &[Option<usize>]) -> Result<ValueId> {
        let mut order: Vec<_> = (0..axes.len()).collect();
        order.sort_by_key(|position| axes.get(*position));
        self.builder.transpose(x, order)
    }

    /// The other way around.
    pub(super) fn arranged(&mut self, x: ValueId, axes: &[Option<usize>]) -> Result<ValueId> {
        let axes = axes.iter().map(|axis| axis.map_or(0, |axis| axis + 1));
        self.builder.transpose(x, axes.collect())
    }
}

/// A shape with an axis and the next one as one.
pub(super) fn merged(shape: &Shape, axis: usize) -> Result<Shape> {
    let sizes = shape.dims().get(axis).zip(shape.dims().get(axis + 1));
    let product = sizes.and_then(|(slow, fast)| slow.extent()?.times(&fast.extent()?));
    let product = product.and_then(Dim::from_extent);
    let product = product.ok_or(Error::Lost("the product of two sizes"))?;
    Ok(replaced(shape, axis..axis + 2, &[product]))
}

/// A shape with other axes in the place of some.
pub(super) fn replaced(shape: &Shape, range: std::ops::Range<usize>, dims: &[Dim]) -> Shape {
    let own = shape.dims().iter();
    let before = own.clone().take(range.start);
    let behind = own.skip(range.end);
    Shape::new(before.chain(dims).chain(behind).cloned().collect())
}

/// Axes of an element, as they are counted where the batch comes first.
pub(super) fn behind_batch(axes: &[usize]) -> Vec<usize> {
    axes.iter().map(|axis| axis + 1).collect()
}
