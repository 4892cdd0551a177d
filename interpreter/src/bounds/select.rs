//! One of two elements, at each place.

use super::{Bound, Step, at, compare::distances_between, known, list, within};
use crate::{Cause, Value};

/// Where the choice is undecided, the element may be either.
pub(super) fn bound(step: &Step<'_>) -> Result<Bound, Cause> {
    if step.is_exact() {
        return Ok(Bound::Exact);
    }
    let mask = step.operand(0)?.array::<bool>().cloned();
    let mask: Vec<bool> = mask.ok_or(Cause::Lost("a mask"))?.into_iter().collect();
    let undecided = list(&step.distances(0)?);
    let (on_true, on_false) = (list(&step.distances(1)?), list(&step.distances(2)?));
    let between = distances_between(step.operand(1)?, step.operand(2)?)?;
    step.each(|place| {
        let (one, other) = (at(&on_true, place), at(&on_false, place));
        match mask.get(place) {
            _ if at(&undecided, place) > 0.0 => at(&between, place) + one.max(other),
            Some(true) => one,
            Some(false) | None => other,
        }
    })
}

/// What one side of a branch came to, where another device may have gone the other way.
pub(crate) fn either(taken: Value, other: &Value) -> Result<Value, Cause> {
    let between = distances_between(&taken.tensor, &other.tensor)?;
    let shape = taken.tensor.shape();
    let bounds = [&taken.bound, &other.bound].map(|bound| list(&bound.distances(shape)));
    let [one, two] = &bounds;
    let distances = between.iter().zip(one.iter().zip(two));
    let distances = distances.map(|(between, (one, two))| known(between + one.max(*two)));
    let bound = within(shape, distances.collect())?;
    Ok(Value { bound, ..taken })
}
