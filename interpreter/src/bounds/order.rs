//! Which places elements come from in order.

use super::{Bound, Step, at, extremum::axis, numbers, precision};
use crate::Cause;
use iree_dsl_ir::op::ArgSort;

/// What comes first in order is known if it is before all that comes later, however far they are off.
pub(super) fn places(op: &ArgSort, step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let (elements, distances) = (numbers(step.operand(0)?)?, step.distances(0)?);
    let places = numbers(step.result)?;
    let axis = axis(op.axis, &elements)?;
    let largest = precision::largest(step.operand(0)?.dtype());
    let sign = if op.descending { -1.0 } else { 1.0 };
    let lanes = elements.lanes(axis).into_iter();
    let lanes = lanes.zip(distances.lanes(axis)).zip(places.lanes(axis));
    let mut bounds = distances.clone();
    for (mut bound, ((elements, distances), places)) in
        bounds.lanes_mut(axis).into_iter().zip(lanes)
    {
        let (elements, distances) = (elements.to_vec(), distances.to_vec());
        let range = |place: &f64| {
            let place = *place as usize;
            Range::of(sign * at(&elements, place), at(&distances, place), largest)
        };
        let in_order: Vec<_> = places.iter().map(range).collect();
        for (bound, is_decided) in bound.iter_mut().zip(decided(&in_order)) {
            *bound = if is_decided { 0.0 } else { f64::INFINITY };
        }
    }
    Ok(Bound::Within(bounds))
}

/// Where an element may be.
#[derive(Clone, Copy)]
struct Range {
    least: End,
    most: End,
}

/// An end of a range, and whether the element is known to be there.
#[derive(Clone, Copy)]
struct End {
    number: f64,
    is_exact: bool,
}

impl End {
    /// The further of two ends.
    fn or(self, other: Self, is_further: fn(&f64, &f64) -> bool) -> Self {
        if self.number == other.number {
            let is_exact = self.is_exact && other.is_exact;
            return Self { is_exact, ..self };
        }
        match is_further(&self.number, &other.number) {
            true => self,
            false => other,
        }
    }
}

impl Range {
    /// The range around an element of a type with this largest number.
    fn of(element: f64, distance: f64, largest: f64) -> Self {
        // What is no number here is the same one elsewhere.
        let is_same = distance.is_finite() && !element.is_finite();
        let is_exact = distance == 0.0 || is_same;
        let [least, most] = match (is_exact, element.is_nan()) {
            // It is behind all others.
            (true, true) => [f64::INFINITY; 2],
            (true, false) => [element; 2],
            (false, _) => [element - distance, element + distance].map(|end| {
                // What may be off by so much may be infinite.
                match end.abs() > largest {
                    true => f64::INFINITY.copysign(end),
                    false => end,
                }
            }),
        };
        let [least, most] = [least, most].map(|number| End { number, is_exact });
        Self { least, most }
    }
}

/// For each place, whether the same element stands there however far all are off: none may change sides with what is before
/// it, nor with what is behind it.
fn decided(in_order: &[Range]) -> Vec<bool> {
    let before = in_order.iter().scan(None, |most: &mut Option<End>, range| {
        *most = Some(most.map_or(range.most, |most| most.or(range.most, f64::gt)));
        *most
    });
    let behind = in_order
        .iter()
        .rev()
        .scan(None, |least: &mut Option<End>, range| {
            *least = Some(least.map_or(range.least, |least| least.or(range.least, f64::lt)));
            *least
        });
    let mut behind: Vec<_> = behind.collect();
    behind.reverse();
    let borders = before.zip(behind.into_iter().skip(1));
    let borders = borders.map(|(before, behind)| {
        let is_one = before.is_exact && behind.is_exact;
        before.number < behind.number || is_one && before.number == behind.number
    });
    let borders: Vec<_> = std::iter::once(true).chain(borders).chain([true]).collect();
    let borders = borders.windows(2);
    borders
        .map(|around| around.iter().all(|border| *border))
        .collect()
}
