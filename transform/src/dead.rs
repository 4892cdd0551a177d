//! Removes what nobody reads.

use crate::{copy, effect::has_effect, error::Result};
use iree_dsl_ir::{Function, Module, Operation, OperationId, Region, ValueId, op::Op};
use std::collections::{BTreeMap, BTreeSet};

/// The function without operations that have no effect and whose results are not read, without results of branches and
/// values of loops that are not, and without values that nothing defines.
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
        needed: function.body.results.iter().copied().collect(),
        live: BTreeSet::new(),
        read: BTreeMap::new(),
    };
    search.block(&function.body);
    let Search { live, read, .. } = search;
    let mut function = function.clone();
    for (id, positions) in read {
        if let Some(operation) = function.operations.get_mut(id) {
            leave(operation, &positions);
        }
    }
    let keep = |id| live.contains(&id);
    let mut values = copy::Values::new();
    left.body = copy::region(&function, &function.body, &keep, &mut values, &mut left)?;
    Ok(left)
}

/// Leaves an operation with regions the results at some positions.
fn leave(operation: &mut Operation, positions: &BTreeSet<usize>) {
    let left = |values: &mut Vec<ValueId>| {
        let all = std::mem::take(values).into_iter().enumerate();
        let left = all.filter(|(position, _)| positions.contains(position));
        *values = left.map(|(_, value)| value).collect();
    };
    left(&mut operation.results);
    if operation.op == Op::If {
        for side in &mut operation.regions {
            left(&mut side.results);
        }
    } else if let [condition, body] = operation.regions.as_mut_slice() {
        left(&mut operation.operands);
        left(&mut condition.parameters);
        left(&mut body.parameters);
        left(&mut body.results);
    }
}

/// A search for the operations that are needed.
struct Search<'a> {
    module: &'a Module,
    function: &'a Function,
    needed: BTreeSet<ValueId>,
    live: BTreeSet<OperationId>,
    /// Of operations with regions, the positions of the results that are needed.
    read: BTreeMap<OperationId, BTreeSet<usize>>,
}

impl Search<'_> {
    /// Goes through the operations of a region from the last to the first.
    fn block(&mut self, region: &Region) {
        for id in region.operations.iter().rev() {
            let Some(operation) = self.function.operations.get(*id) else {
                continue;
            };
            let is_read = !self.positions(&operation.results).is_empty();
            if !is_read && !has_effect(self.module, self.function, operation) {
                continue;
            }
            self.live.insert(*id);
            match operation.regions.as_slice() {
                [condition, body] if operation.op == Op::While => {
                    self.iterations(*id, operation, condition, body);
                }
                regions => {
                    let positions = self.positions(&operation.results);
                    self.needed.extend(&operation.operands);
                    for region in regions {
                        self.need(&region.results, &positions);
                        self.block(region);
                    }
                    if operation.op == Op::If {
                        self.read.insert(*id, positions);
                    }
                }
            }
        }
    }

    /// What is needed of a loop is also what an iteration reads to compute it.
    fn iterations(
        &mut self,
        id: OperationId,
        operation: &Operation,
        condition: &Region,
        body: &Region,
    ) {
        self.needed.extend(&condition.results);
        self.block(condition);
        let mut positions = self.positions(&operation.results);
        positions.extend(self.positions(&condition.parameters));
        loop {
            let before = positions.len();
            self.need(&body.results, &positions);
            self.block(body);
            positions.extend(self.positions(&body.parameters));
            if positions.len() == before {
                break;
            }
        }
        self.need(&operation.operands, &positions);
        self.read.insert(id, positions);
    }

    /// The positions of the values that are needed.
    fn positions(&self, values: &[ValueId]) -> BTreeSet<usize> {
        let values = values.iter().enumerate();
        let needed = values.filter(|(_, value)| self.needed.contains(value));
        needed.map(|(position, _)| position).collect()
    }

    fn need(&mut self, values: &[ValueId], positions: &BTreeSet<usize>) {
        let values = values.iter().enumerate();
        let values = values.filter(|(position, _)| positions.contains(position));
        self.needed.extend(values.map(|(_, value)| value));
    }
}
