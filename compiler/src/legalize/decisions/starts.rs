//! Constants that loops start with.

use iree_dsl_ir::{Constant, Function, ValueId, op::Op};
use std::collections::{BTreeMap, BTreeSet};

/// The constants that a loop starts with and that are read elsewhere too, or others that are equal.
///
/// IREE 3.13 makes equal constants one. A loop of several tensors changes what it starts with in place, also where that is
/// such a constant: whoever reads it afterwards sees what the loop has left.
pub(super) fn read_elsewhere(function: &Function) -> BTreeSet<ValueId> {
    let operations = function.operations.iter();
    let constants = operations.filter_map(|(_, operation)| {
        let Op::Constant(constant) = &operation.op else {
            return None;
        };
        Some((*operation.results.first()?, constant))
    });
    let constants: BTreeMap<ValueId, &Constant> = constants.collect();
    let operations = || function.operations.iter().map(|(_, operation)| operation);
    let loops = operations().filter(|operation| operation.op == Op::While);
    let starts = loops.flat_map(|operation| &operation.operands);
    let is_read_elsewhere = |constant: &Constant| {
        let reads = operations().flat_map(|operation| &operation.operands);
        let reads = reads.filter(|id| constants.get(id).is_some_and(|other| *other == constant));
        reads.take(2).count() > 1
    };
    let starts = starts.filter(|id| constants.get(id).is_some_and(|it| is_read_elsewhere(it)));
    starts.copied().collect()
}
