//! Iterations of formulas, which hand on as many terms as they take.

use crate::{
    builder::{Builder, Error},
    sequence,
    term::Term,
};
use iree_abi::{DType, Dim, Extent, Shape};
use iree_dsl_ir::op::{CompareOp, DynamicSlice, Op};

/// The number of places from which on iterations along an axis are a loop of the program.
const MANY: usize = 5;

/// What is handed on after the last iteration.
///
/// # Errors
///
/// The first one of the formulas.
pub fn repeat<'x, V: Clone, const N: usize>(
    builder: &'x (dyn Builder<Value = V> + 'x),
    first: [Term<'x, V>; N],
    condition: impl Fn([Term<'x, V>; N]) -> Term<'x, V>,
    body: impl Fn([Term<'x, V>; N]) -> [Term<'x, V>; N],
) -> Result<[Term<'x, V>; N], Error> {
    let last = builder.repeat(
        &values(first)?,
        &mut |carried| condition(terms(builder, carried)?).value(),
        &mut |carried| values(body(terms(builder, carried)?)),
    )?;
    terms(builder, &last)
}

/// A place along an axis.
pub(crate) enum Place<'x, V> {
    /// One that is known while building.
    Known(usize),
    /// An `i32`.
    Counted(Term<'x, V>),
}

/// Applies a step to each place along an axis of a size, one after the other, and a state. Many are a loop.
pub(crate) fn along<'x, V: Clone, const N: usize>(
    builder: &'x (dyn Builder<Value = V> + 'x),
    size: &Dim,
    state: [Term<'x, V>; N],
    step: impl Fn(&Place<'x, V>, [Term<'x, V>; N]) -> [Term<'x, V>; N],
) -> Result<[Term<'x, V>; N], Error> {
    if let Some(known @ ..MANY) = size.known() {
        let places = (0..known).map(Place::Known);
        return Ok(places.fold(state, |state, place| step(&place, state)));
    }
    let size = size.extent().ok_or(Error::Lost("a size"))?;
    let count = number(builder, &size).value()?;
    let mut first = values(state)?;
    first.push(number(builder, &Extent::from(0)).value()?);
    let place_of = |carried: &[V]| -> Result<Term<'x, V>, Error> {
        let place = carried.last().ok_or(Error::Lost("a place"))?;
        Ok(Term::new(builder, place.clone()))
    };
    let mut last = builder.repeat(
        &first,
        &mut |carried| {
            let count = Term::new(builder, count.clone());
            place_of(carried)?.compare(CompareOp::Less, count).value()
        },
        &mut |carried| {
            let (place, state) = (place_of(carried)?, carried.get(..N).unwrap_or_default());
            let state = terms(builder, state)?;
            let mut next = values(step(&Place::Counted(place.clone()), state))?;
            next.push((place + 1).value()?);
            Ok(next)
        },
    )?;
    last.pop();
    terms(builder, &last)
}

impl<'x, V: Clone> Place<'x, V> {
    /// The place as far from the other end of an axis of a size.
    pub(crate) fn mirrored(&self, size: &Dim) -> Self {
        match self {
            Self::Known(place) => {
                let size = size.known().unwrap_or_default();
                Self::Known(size.saturating_sub(place + 1))
            }
            Self::Counted(place) => {
                let last = size.extent().and_then(|size| size.minus(&Extent::from(1)));
                let last = last.map(|last| number(place.builder(), &last));
                let last = last.unwrap_or_else(|| place.failed(Error::Lost("a size")));
                Self::Counted(last - place)
            }
        }
    }

    /// The place, beside a term.
    pub(crate) fn number(&self, beside: &Term<'x, V>) -> Term<'x, V> {
        match self {
            Self::Known(place) => number(beside.builder(), &Extent::from(*place)),
            Self::Counted(place) => place.clone(),
        }
    }

    /// What stands there along an axis, without that axis.
    pub(crate) fn of(&self, x: &Term<'x, V>, axis: usize) -> Term<'x, V> {
        let mut dims = x.shape().dims().to_vec();
        let part = match self {
            Self::Known(place) => x.part(axis, Extent::from(*place), Extent::from(*place + 1)),
            Self::Counted(_) => {
                let sizes = one_along(&x.shape(), axis);
                let starts = self.starts(x, axis);
                let starts: Vec<_> = starts.iter().collect();
                x.emit(Op::DynamicSlice(DynamicSlice { sizes }), &starts)
            }
        };
        if axis < dims.len() {
            dims.remove(axis);
        }
        part.reshape(&Shape::new(dims))
    }

    /// A term with something else there along an axis, which that does not have.
    pub(crate) fn replace(&self, x: &Term<'x, V>, axis: usize, by: &Term<'x, V>) -> Term<'x, V> {
        let by = by.reshape(&one_along(&x.shape(), axis));
        let mut operands = vec![by];
        operands.extend(self.starts(x, axis));
        let operands: Vec<_> = operands.iter().collect();
        x.emit(Op::DynamicUpdateSlice, &operands)
    }

    /// Where a window starts that is at this place along an axis.
    fn starts(&self, x: &Term<'x, V>, axis: usize) -> Vec<Term<'x, V>> {
        let axes = 0..x.shape().rank();
        let start = |other| match other == axis {
            true => self.number(x),
            false => number(x.builder(), &Extent::from(0)),
        };
        axes.map(start).collect()
    }
}

/// A shape with one element along an axis.
fn one_along(shape: &Shape, axis: usize) -> Shape {
    let mut dims = shape.dims().to_vec();
    if let Some(dim) = dims.get_mut(axis) {
        *dim = Dim::Static(1);
    }
    Shape::new(dims)
}

/// A size as an `i32`.
fn number<'x, V: Clone>(
    builder: &'x (dyn Builder<Value = V> + 'x),
    extent: &Extent,
) -> Term<'x, V> {
    sequence::number(builder, extent, DType::I32)
}

fn values<V: Clone, const N: usize>(terms: [Term<'_, V>; N]) -> Result<Vec<V>, Error> {
    terms.into_iter().map(Term::value).collect()
}

fn terms<'x, V: Clone, const N: usize>(
    builder: &'x (dyn Builder<Value = V> + 'x),
    values: &[V],
) -> Result<[Term<'x, V>; N], Error> {
    let values = <&[V; N]>::try_from(values).map_err(|_| Error::Lost("a value"))?;
    Ok(values
        .each_ref()
        .map(|value| Term::new(builder, value.clone())))
}
