//! Branches that do little: both sides run, and one of two results is selected.

use super::emit::Emitter;
use iree_dsl_ir::{
    Function, Operation, Region, ValueId,
    op::{Cost, Effect, byte_size},
};
use iree_dsl_library::Error;

/// A side with more operations than this is not cheap.
const CHEAP_OPERATIONS: usize = 32;

/// A side that reads or computes larger tensors than this is not cheap.
const CHEAP_BYTES: usize = 16 * 1024;

/// What stands for the results of a branch; `None` if it stays one.
pub(super) fn expand(
    emitter: &Emitter,
    condition: ValueId,
    sides: &[Region],
) -> Result<Option<Vec<ValueId>>, Error> {
    let are_cheap =
        emitter.with_function(|function| sides.iter().all(|side| is_cheap(function, side)));
    let [then, otherwise] = sides else {
        return Ok(None);
    };
    if !are_cheap {
        return Ok(None);
    }
    emitter.append(&then.operations);
    emitter.append(&otherwise.operations);
    let select = |(then, otherwise): (&ValueId, &ValueId)| {
        let (then, otherwise) = (emitter.term(*then), emitter.term(*otherwise));
        let condition = emitter.term(condition).broadcast(&then.shape());
        condition.choose(then, &otherwise).value()
    };
    let results = then.results.iter().zip(&otherwise.results);
    results.map(select).collect::<Result<_, _>>().map(Some)
}

/// Whether a region does so little that it may run whether it is wanted or not: going one way or the other takes the
/// device some microseconds, and where neither way does anything but hand on a value, IREE 3.13 loses track of the
/// memory.
fn is_cheap(function: &Function, region: &Region) -> bool {
    let operations = region.operations.iter();
    let mut operations = operations.filter_map(|id| function.operations.get(*id));
    region.operations.len() <= CHEAP_OPERATIONS
        && operations.all(|operation| {
            let is_small = || {
                is_small(function, &operation.results) && is_small(function, &operation.operands)
            };
            !has_effect(operation)
                && match operation.op.cost() {
                    Cost::Free => true,
                    Cost::Contraction | Cost::Control => false,
                    Cost::View | Cost::Movement => is_small(),
                    Cost::Elementwise | Cost::Transcendental => is_small(),
                    Cost::Reduction | Cost::Windows | Cost::Along => is_small(),
                }
        })
}

/// Whether it matters that an operation runs, besides its results.
fn has_effect(operation: &Operation) -> bool {
    match operation.op.effect() {
        Effect::Pure | Effect::Reads(_) => false,
        Effect::Regions | Effect::Writes(_) | Effect::Calls(_) | Effect::CallsHost(_) => true,
        Effect::Shows(_) | Effect::Checks(_) | Effect::Foreign(_) => true,
    }
}

fn is_small(function: &Function, values: &[ValueId]) -> bool {
    let types = function.types(values).unwrap_or_default();
    let mut sizes = types.iter().map(byte_size);
    sizes.all(|size| size.is_some_and(|size| size <= CHEAP_BYTES))
}
