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
    let mut starts = Vec::new();
    let mut reads: Vec<(&Constant, usize)> = Vec::new();
    for (_, operation) in function.operations.iter() {
        for operand in &operation.operands {
            let Some(constant) = constants.get(operand) else {
                continue;
            };
            if operation.op == Op::While {
                starts.push((*operand, *constant));
            }
            match reads.iter_mut().find(|(other, _)| other == constant) {
                Some((_, count)) => *count += 1,
                None => reads.push((constant, 1)),
            }
        }
    }
    let is_read_elsewhere = |constant: &Constant| {
        let mut reads = reads.iter();
        reads.any(|(other, count)| *other == constant && *count > 1)
    };
    let starts = starts.into_iter();
    let starts = starts.filter(|(_, constant)| is_read_elsewhere(constant));
    starts.map(|(id, _)| id).collect()
}
