//! Parts of tensors.

use super::{Batch, Lane, rule::exactly, shape::first_and};
use crate::error::{Error, Result};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{BinaryOp, DynamicSlice, Op, Scatter, ScatterKind, Slice},
};

/// A window of a tensor, of which elements of the batch may have another one each.
struct Window<'a> {
    /// The shape of the tensor of one element.
    whole: &'a Shape,
    sizes: &'a Shape,
    /// Where it starts along each axis.
    starts: &'a [Lane],
}

impl Window<'_> {
    /// The axes along which it is not all of the tensor.
    fn partial(&self) -> impl Iterator<Item = usize> {
        let dims = self.whole.dims().iter().zip(self.sizes.dims());
        let partial = dims.enumerate().filter(|(_, (whole, part))| whole != part);
        partial.map(|(axis, _)| axis)
    }

    fn differs_along(&self, axis: usize) -> bool {
        self.starts.get(axis).is_some_and(|start| start.is_mapped)
    }
}

impl Batch<'_> {
    pub(super) fn slice(&mut self, op: &Slice, lanes: &[Lane]) -> Result<Lane> {
        let [x] = exactly(lanes)?;
        let all = self.size.extent();
        let all = all.ok_or(Error::Lost("the size of a batch"))?;
        let op = Slice {
            start: [&[Extent::from(0)], op.start.as_slice()].concat(),
            limit: [&[all], op.limit.as_slice()].concat(),
            stride: [&[1], op.stride.as_slice()].concat(),
        };
        self.emit(Op::Slice(op), &[x.value])
    }

    pub(super) fn concatenate(&mut self, axis: usize, lanes: &[Lane]) -> Result<Lane> {
        let operands = self.spread_all(lanes)?;
        self.emit(Op::Concatenate(axis + 1), &operands)
    }

    /// Windows that start at the same place are one window. Others are looked up.
    pub(super) fn dynamic_slice(&mut self, op: &DynamicSlice, lanes: &[Lane]) -> Result<Lane> {
        let (x, starts) = lanes.split_first().ok_or(Error::Lost("an operand"))?;
        let whole = self.element_shape(*x)?;
        let window = Window {
            whole: &whole,
            sizes: &op.sizes,
            starts,
        };
        let axes: Vec<_> = window
            .partial()
            .filter(|axis| window.differs_along(*axis))
            .collect();
        let x = self.common_window(*x, &window)?;
        let Some(first) = axes.first().copied() else {
            return self.spread(x).map(Lane::each);
        };
        let places = self.window_places(&window, &axes)?;
        let found = self.gathered(x, &axes, places)?;
        let others = 0..whole.rank();
        let others = others.filter(|axis| !axes.contains(axis)).map(Some);
        let before = [None].into_iter().chain(others.clone().take(first));
        let order = before.chain(axes.iter().copied().map(Some));
        let order: Vec<_> = order.chain(others.skip(first)).collect();
        self.in_order(found.value, &order).map(Lane::each)
    }

    pub(super) fn dynamic_update(&mut self, lanes: &[Lane]) -> Result<Lane> {
        let [x, update, starts @ ..] = lanes else {
            return Err(Error::Lost("an operand"));
        };
        let (whole, sizes) = (self.element_shape(*x)?, self.element_shape(*update)?);
        let [x, update] = [self.spread(*x)?, self.spread(*update)?];
        if starts.iter().all(|start| !start.is_mapped) {
            let zero = self.zero()?;
            let starts = starts.iter().map(|start| start.value);
            let operands: Vec<_> = [x, update, zero].into_iter().chain(starts).collect();
            return self.emit(Op::DynamicUpdateSlice, &operands);
        }
        let window = Window {
            whole: &whole,
            sizes: &sizes,
            starts,
        };
        let axes: Vec<_> = window.partial().collect();
        if axes.is_empty() {
            return Ok(Lane::each(update));
        }
        let mut places = self.window_places(&window, &axes)?;
        places.insert(0, self.batch_places(&places)?);
        let others = (0..whole.rank())
            .filter(|axis| !axes.contains(axis))
            .map(Some);
        let order = std::iter::once(None).chain(axes.iter().copied().map(Some));
        let order: Vec<_> = order.chain(others).collect();
        let update = self.arranged(update, &order)?;
        let scatter = Op::Scatter(Scatter {
            kind: ScatterKind::Replace,
            axes: first_and(&axes),
        });
        let operands = [&[x, update], places.as_slice()].concat();
        self.emit(scatter, &operands)
    }

    /// The part of a tensor that the windows of all elements are in: along axes where they start apart, all of it.
    fn common_window(&mut self, x: Lane, window: &Window<'_>) -> Result<Lane> {
        let is_common = |axis: &usize| !window.differs_along(*axis);
        let common: Vec<_> = window.partial().filter(is_common).collect();
        if common.is_empty() {
            return Ok(x);
        }
        let zero = self.zero()?;
        let starts = window.starts.iter().enumerate();
        let starts = starts.map(|(axis, start)| match common.contains(&axis) {
            true => start.value,
            false => zero,
        });
        let starts: Vec<_> = starts.collect();
        let dims = window.whole.dims().iter().zip(window.sizes.dims());
        let dims = dims
            .enumerate()
            .map(|(axis, (whole, part))| match common.contains(&axis) {
                true => part.clone(),
                false => whole.clone(),
            });
        let sizes = Shape::new(dims.collect());
        let (sizes, first) = match x.is_mapped {
            true => (self.with_batch(&sizes), vec![x.value, zero]),
            false => (sizes, vec![x.value]),
        };
        let operands = [first, starts].concat();
        let value = self
            .builder
            .emit(Op::DynamicSlice(DynamicSlice { sizes }), &operands)?;
        Ok(Lane { value, ..x })
    }

    /// The places of the elements of windows along some axes: the batch comes first, then the axes of a window.
    fn window_places(&mut self, window: &Window<'_>, axes: &[usize]) -> Result<Vec<ValueId>> {
        let dims = axes
            .iter()
            .filter_map(|axis| window.sizes.dims().get(*axis));
        let shape = self.with_batch(&Shape::new(dims.cloned().collect()));
        let mut places = Vec::with_capacity(axes.len());
        for (position, axis) in axes.iter().enumerate() {
            let sizes = window
                .whole
                .dims()
                .get(*axis)
                .zip(window.sizes.dims().get(*axis));
            let (whole, part) = sizes.ok_or(Error::Lost("the size of a window"))?;
            let start = window.starts.get(*axis).copied();
            let start = start.ok_or(Error::Lost("where a window starts"))?;
            let first = self.clamped(start.value, whole, part)?;
            let along = if start.is_mapped { vec![0] } else { Vec::new() };
            let first = self.builder.broadcast(first, &shape, along)?;
            places.push(match part.is_one() {
                true => first,
                false => {
                    let next = self.builder.iota(&shape, position + 1)?;
                    self.builder.add(first, next)?
                }
            });
        }
        Ok(places)
    }

    /// Where a window starts that is moved until it fits.
    fn clamped(&mut self, start: ValueId, whole: &Dim, part: &Dim) -> Result<ValueId> {
        let room = whole.extent().zip(part.extent());
        let room = room.and_then(|(whole, part)| whole.minus(&part));
        let room = room.ok_or(Error::Lost("the size of a window"))?;
        let shape = self.builder.shape(start)?;
        let most = self.builder.place(&room)?;
        let most = self.builder.broadcast(most, &shape, Vec::new())?;
        let zero = self.builder.splat_like(0.0, start)?;
        let start = self.builder.binary(BinaryOp::Maximum, start, zero)?;
        self.builder.binary(BinaryOp::Minimum, start, most)
    }

    /// The place of each element in the batch, in the shape of other places.
    pub(super) fn batch_places(&mut self, like: &[ValueId]) -> Result<ValueId> {
        let like = like.first().ok_or(Error::Lost("a place"))?;
        let shape = self.builder.shape(*like)?;
        self.builder.iota(&shape, 0)
    }

    fn zero(&mut self) -> Result<ValueId> {
        self.builder.zeros(&TensorType::new(DType::I32, []))
    }
}
