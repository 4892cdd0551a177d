//! Loops that run once, or never: what they do stands in their place. IREE finds that out too, but only when it has decided which
//! values are handed on in which memory, and refuses what is left of some of them.

use super::super::iterations::Iterations;
use iree_abi::Extent;
use iree_dsl_ir::{Function, Module, Operation, Region, op::Structure};
use iree_dsl_transform::has_effect;

/// How often a loop runs, if that is once or never, and asking whether there is an iteration does nothing else.
pub(super) enum Few {
    Never,
    Once,
}

impl Few {
    pub(super) fn of(
        module: &Module,
        function: &Function,
        iterations: &Iterations<'_>,
        operation: &Operation,
    ) -> Option<Self> {
        let (Structure::Iterations, [condition, _]) =
            (operation.op.structure(), operation.regions.as_slice())
        else {
            return None;
        };
        let few = match iterations
            .trips(operation)
            .exactly()
            .and_then(Extent::known)?
        {
            0 => Self::Never,
            1 => Self::Once,
            _ => return None,
        };
        is_pure(module, function, condition).then_some(few)
    }
}

fn is_pure(module: &Module, function: &Function, region: &Region) -> bool {
    let operations = region.operations.iter();
    let mut operations = operations.filter_map(|id| function.operations.get(*id));
    !operations.any(|operation| has_effect(module, function, operation))
}
