//! Branches that do little: both sides run, and one of two results is selected.

use super::emit::Emitter;
use iree_dsl_ir::{
    Function, Module, Region, ValueId,
    op::{Cost, byte_size},
};
use iree_dsl_library::Error;
use iree_dsl_transform::has_effect;

/// A side with more operations than this is not cheap.
const CHEAP_OPERATIONS: usize = 32;

/// A side that reads or computes larger tensors than this is not cheap.
const CHEAP_BYTES: usize = 16 * 1024;

/// What stands for the results of a branch; `None` if it stays one.
pub(super) fn expand(
    module: &Module,
    emitter: &Emitter,
    condition: ValueId,
    sides: &[Region],
) -> Result<Option<Vec<ValueId>>, Error> {
    let are_cheap = emitter.with_function(|function| {
        let mut sides = sides.iter();
        sides.all(|side| is_cheap(module, function, side))
    });
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
fn is_cheap(module: &Module, function: &Function, region: &Region) -> bool {
    let operations = region.operations.iter();
    let mut operations = operations.filter_map(|id| function.operations.get(*id));
    region.operations.len() <= CHEAP_OPERATIONS
        && operations.all(|operation| {
            let is_small = || {
                is_small(function, &operation.results) && is_small(function, &operation.operands)
            };
            let is_quick = match operation.op.cost() {
                Cost::Free => true,
                Cost::Contraction | Cost::Control => false,
                Cost::View | Cost::Movement => is_small(),
                Cost::Elementwise | Cost::Transcendental => is_small(),
                Cost::Reduction | Cost::Windows | Cost::Along => is_small(),
            };
            // What is quick runs nothing else, so that this looks at the operation alone.
            is_quick && !has_effect(module, function, operation)
        })
}

fn is_small(function: &Function, values: &[ValueId]) -> bool {
    let types = function.types(values).unwrap_or_default();
    let mut sizes = types.iter().map(byte_size);
    sizes.all(|size| size.is_some_and(|size| size <= CHEAP_BYTES))
}
