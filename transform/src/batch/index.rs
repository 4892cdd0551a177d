use super::{Batch, Lane, lane::behind_batch, shape::first_and};
use crate::error::{Error, Result};
use iree_dsl_ir::{
    ValueId,
    op::{Gather, Op, Scatter},
};

/// What the axes of elements at places are, where places come first: the batch, those of the places, and then those of the
/// tensor that has the elements.
fn places_first(axes: &[usize], places: usize, rank: usize) -> Vec<Option<usize>> {
    let before = before(axes);
    let behind = places + rank.saturating_sub(axes.len());
    let own = (before..before + places).map(Some);
    let others = (0..before).chain(before + places..behind).map(Some);
    std::iter::once(None).chain(own).chain(others).collect()
}

/// How many axes of the tensor come before those of the places.
fn before(axes: &[usize]) -> usize {
    axes.first().copied().unwrap_or_default()
}

impl Batch<'_> {
    pub(super) fn gather(&mut self, op: &Gather, lanes: &[Lane]) -> Result<Lane> {
        let (x, places) = lanes.split_first().ok_or(Error::Lost("an operand"))?;
        if let Some(places) = self.mapped_places(places)? {
            return self.gathered(*x, &op.axes, places);
        }
        let axes = behind_batch(&op.axes);
        let operands: Vec<_> = lanes.iter().map(|lane| lane.value).collect();
        self.emit(Op::Gather(Gather { axes }), &operands)
    }

    /// Elements of a tensor at places of each element of the batch.
    pub(super) fn gathered(
        &mut self,
        x: Lane,
        axes: &[usize],
        mut places: Vec<ValueId>,
    ) -> Result<Lane> {
        let rank = self.element_shape(x)?.rank();
        let own = self.rank_of_places(&places)?;
        let (axes, order) = match x.is_mapped {
            true => {
                places.insert(0, self.batch_places(&places)?);
                (first_and(axes), places_first(axes, own, rank))
            }
            false => {
                let all = (own + rank).saturating_sub(axes.len());
                let first = before(axes);
                let order = (0..first).map(Some).chain([None]);
                (axes.to_vec(), order.chain((first..all).map(Some)).collect())
            }
        };
        let operands = [&[x.value], places.as_slice()].concat();
        let found = Op::Gather(Gather { axes });
        let found = self.builder.emit(found, &operands)?;
        self.in_order(found, &order).map(Lane::each)
    }

    pub(super) fn scatter(&mut self, op: &Scatter, lanes: &[Lane]) -> Result<Lane> {
        let [x, updates, places @ ..] = lanes else {
            return Err(Error::Lost("an operand"));
        };
        let rank = self.element_shape(*x)?.rank();
        let [x, updates] = [self.spread(*x)?, self.spread(*updates)?];
        let (axes, updates, places) = match self.mapped_places(places)? {
            None => {
                let places = places.iter().map(|lane| lane.value).collect();
                (behind_batch(&op.axes), updates, places)
            }
            Some(mut places) => {
                let order = places_first(&op.axes, self.rank_of_places(&places)?, rank);
                places.insert(0, self.batch_places(&places)?);
                (first_and(&op.axes), self.arranged(updates, &order)?, places)
            }
        };
        let operands = [&[x, updates], places.as_slice()].concat();
        let kind = op.kind;
        self.emit(Op::Scatter(Scatter { kind, axes }), &operands)
    }

    /// Places of each element, if some differ.
    fn mapped_places(&mut self, places: &[Lane]) -> Result<Option<Vec<ValueId>>> {
        match places.iter().any(|lane| lane.is_mapped) {
            true => self.spread_all(places).map(Some),
            false => Ok(None),
        }
    }

    /// How many axes the places of one element have.
    fn rank_of_places(&self, places: &[ValueId]) -> Result<usize> {
        let first = places.first().ok_or(Error::Lost("a place"))?;
        Ok(self.builder.shape(*first)?.rank().saturating_sub(1))
    }
}
