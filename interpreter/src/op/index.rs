//! Elements looked up, and elements combined with others at certain places.

use super::{Operands, array, at, from_indices, other_axes, places_of};
use crate::{
    Array, Cause, Element, Tensor,
    arithmetic::{Number, Ordered},
    tensor::{each, each_number, each_ordered, from_elements},
};
use iree_dsl_ir::op::{Gather, Scatter, ScatterKind};

pub(super) fn gather(op: &Gather, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let (operand, places) = operands
        .operands
        .split_first()
        .ok_or(Cause::Lost("an operand"))?;
    let lookup = Lookup::new(&op.axes, operand.shape(), places)?;
    let shape = operands.shape()?;
    each!(operand, array => from_indices(shape, |index| {
        let (mut whole, places) = lookup.split(index)?;
        for (axis, place) in op.axes.iter().zip(places) {
            let last = array.shape().get(*axis).and_then(|size| size.checked_sub(1));
            let last = last.ok_or(Cause::Empty)?;
            let inside = usize::try_from(place).unwrap_or(0).min(last);
            *whole.get_mut(*axis).ok_or(Cause::Lost("an axis"))? = inside;
        }
        at(array, &whole)
    }))
}

/// The places of elements, and how an index of what is looked up becomes one of the tensor.
struct Lookup<'a> {
    /// The axes of the tensor that are not looked up along.
    kept: Vec<usize>,
    /// How many of these stand before the axes of the places.
    before: usize,
    places: Vec<&'a Array<i32>>,
    rank: usize,
}

impl<'a> Lookup<'a> {
    fn new(axes: &[usize], shape: &[usize], places: &'a [Tensor]) -> Result<Self, Cause> {
        let kept = other_axes(shape.len(), axes);
        let first = axes.first().ok_or(Cause::Lost("an axis"))?;
        Ok(Self {
            before: kept.iter().filter(|axis| *axis < first).count(),
            places: places.iter().map(array).collect::<Result<_, _>>()?,
            rank: shape.len(),
            kept,
        })
    }

    /// The index in the tensor, 0 along the axes of the places, and the places along these.
    fn split(&self, index: &[usize]) -> Result<(Vec<usize>, Vec<i32>), Cause> {
        let own = self.places.first().map_or(0, |places| places.ndim());
        let end = self.before + own;
        let (Some(of_places), Some(before), Some(behind)) = (
            index.get(self.before..end),
            index.get(..self.before),
            index.get(end..),
        ) else {
            return Err(Cause::Lost("an axis of the places"));
        };
        let mut whole = vec![0; self.rank];
        for (axis, place) in self.kept.iter().zip(before.iter().chain(behind)) {
            *whole.get_mut(*axis).ok_or(Cause::Lost("an axis"))? = *place;
        }
        let places = self.places.iter().map(|places| at(places, of_places));
        Ok((whole, places.collect::<Result<_, _>>()?))
    }
}

pub(super) fn scatter(op: &Scatter, operands: &Operands<'_>) -> Result<Tensor, Cause> {
    let [operand, updates, places @ ..] = operands.operands else {
        return Err(Cause::Lost("an operand"));
    };
    let lookup = Lookup::new(&op.axes, operand.shape(), places)?;
    let scattered = Scattered {
        op,
        lookup: &lookup,
    };
    match op.kind {
        ScatterKind::Replace => {
            each!(operand, operand => scattered.plain(operand, updates, |_, update| update))
        }
        ScatterKind::Add => {
            each_number!(operand, operand => scattered.sums(operand, updates))
        }
        ScatterKind::Multiply => {
            each_number!(operand, operand => scattered.products(operand, updates))
        }
        ScatterKind::Maximum => {
            each_ordered!(operand, operand => scattered.plain(operand, updates, Ordered::maximum))
        }
        ScatterKind::Minimum => {
            each_ordered!(operand, operand => scattered.plain(operand, updates, Ordered::minimum))
        }
    }
}

struct Scattered<'a> {
    op: &'a Scatter,
    lookup: &'a Lookup<'a>,
}

impl Scattered<'_> {
    fn plain<T: Element>(
        &self,
        operand: &Array<T>,
        updates: &Tensor,
        combine: impl Fn(T, T) -> T,
    ) -> Result<Tensor, Cause> {
        let mut elements: Vec<T> = operand.iter().copied().collect();
        self.each(operand.shape(), array(updates)?, |place, update: T| {
            if let Some(element) = elements.get_mut(place) {
                *element = combine(*element, update);
            }
        })?;
        from_elements(operand.shape(), elements)
    }

    fn sums<T: Number>(&self, operand: &Array<T>, updates: &Tensor) -> Result<Tensor, Cause> {
        self.wide(operand, updates, T::add)
    }

    fn products<T: Number>(&self, operand: &Array<T>, updates: &Tensor) -> Result<Tensor, Cause> {
        self.wide(operand, updates, T::multiply)
    }

    /// Sums and products are rounded once.
    fn wide<T: Number>(
        &self,
        operand: &Array<T>,
        updates: &Tensor,
        combine: fn(T::Wide, T::Wide) -> T::Wide,
    ) -> Result<Tensor, Cause> {
        let mut elements: Vec<T::Wide> = operand.iter().map(|element| element.widen()).collect();
        self.each(operand.shape(), array(updates)?, |place, update: T| {
            if let Some(element) = elements.get_mut(place) {
                *element = combine(*element, update.widen());
            }
        })?;
        from_elements(
            operand.shape(),
            elements.into_iter().map(T::narrow).collect(),
        )
    }

    /// Goes through the updates whose places are inside, in their order, with these places in the list of elements.
    fn each<T: Element>(
        &self,
        shape: &[usize],
        updates: &Array<T>,
        mut take: impl FnMut(usize, T),
    ) -> Result<(), Cause> {
        for (index, update) in updates.indexed_iter() {
            let (mut whole, places) = self.lookup.split(&places_of(&index))?;
            for (axis, place) in self.op.axes.iter().zip(places) {
                let outside = usize::MAX;
                let place = usize::try_from(place).unwrap_or(outside);
                *whole.get_mut(*axis).ok_or(Cause::Lost("an axis"))? = place;
            }
            if let Some(place) = flat(shape, &whole) {
                take(place, *update);
            }
        }
        Ok(())
    }
}

/// The place in the list of elements, unless the index is outside.
fn flat(shape: &[usize], index: &[usize]) -> Option<usize> {
    let mut axes = index.iter().zip(shape);
    axes.try_fold(0, |place, (index, size)| {
        (index < size).then(|| place * size + index)
    })
}
