//! Removes what nobody reads.

use crate::{copy, effect::has_effect, error::Result};
use iree_dsl_ir::{Function, Module, OperationId, Region, ValueId};
use std::collections::BTreeSet;

/// The function without operations that have no effect and whose results are not read, and without values that nothing
/// defines.
///
/// # Errors
///
/// If something reads a value that nothing defines.
pub fn remove(module: &Module, function: &Function) -> Result<Function> {
    let mut left = Function::new(function.name.clone(), function.linkage, function.span);
    left.parameter_names = function.parameter_names.clone();
    let mut search = Search {
        module,
        function,
        needed: BTreeSet::new(),
        live: BTreeSet::new(),
    };
    search.region(&function.body);
    let live = search.live;
    let keep = |id| live.contains(&id);
    let mut values = copy::Values::new();
    left.body = copy::region(function, &function.body, &keep, &mut values, &mut left)?;
    Ok(left)
}

/// A search for the operations that are needed.
struct Search<'a> {
    module: &'a Module,
    function: &'a Function,
    needed: BTreeSet<ValueId>,
    live: BTreeSet<OperationId>,
}

impl Search<'_> {
    /// Goes through a region from the last operation to the first.
    fn region(&mut self, region: &Region) {
        self.needed.extend(&region.results);
        for id in region.operations.iter().rev() {
            let Some(operation) = self.function.operations.get(*id) else {
                continue;
            };
            let mut results = operation.results.iter();
            let is_read = results.any(|result| self.needed.contains(result));
            if is_read || has_effect(self.module, self.function, operation) {
                self.live.insert(*id);
                self.needed.extend(&operation.operands);
                for region in &operation.regions {
                    self.region(region);
                }
            }
        }
    }
}
