//! Constants that loops start with.

use iree_abi::TensorType;
use iree_dsl_ir::{Constant, ConstantData, Function, ValueId, op::Op};
use std::collections::{BTreeMap, BTreeSet};

/// The constants that a loop starts with and that are read elsewhere too, or others that are equal.
///
/// IREE 3.13 makes equal constants one. A loop of several tensors changes what it starts with in place, also where that is
/// such a constant: whoever reads it afterwards sees what the loop has left.
pub(super) fn read_elsewhere(function: &Function) -> BTreeSet<ValueId> {
    let operations = || function.operations.iter().map(|(_, operation)| operation);
    let mut constants = Constants::default();
    for operation in operations() {
        if let (Op::Constant(constant), [result]) = (&operation.op, operation.results.as_slice()) {
            constants.enter(*result, constant);
        }
    }
    let regions = operations().flat_map(|operation| &operation.regions);
    let results = regions
        .chain([&function.body])
        .map(|region| &region.results);
    let operands = operations().map(|operation| &operation.operands);
    for read in operands.chain(results).flatten() {
        constants.read(*read);
    }
    let loops = operations().filter(|operation| operation.op == Op::While);
    let starts = loops.flat_map(|operation| &operation.operands);
    let starts = starts.filter(|id| constants.reads(**id) > 1);
    starts.copied().collect()
}

/// Whether it is one element everywhere, and the bytes.
type Elements<'a> = (bool, &'a [u8]);

/// Constants, and how often each is read, or one that is equal.
#[derive(Default)]
struct Constants<'a> {
    /// The number of those that are equal, by their elements and type.
    numbers: BTreeMap<Elements<'a>, Vec<(&'a TensorType, usize)>>,
    of: BTreeMap<ValueId, usize>,
    reads: Vec<usize>,
}

impl<'a> Constants<'a> {
    fn enter(&mut self, id: ValueId, constant: &'a Constant) {
        let elements = match &constant.data {
            ConstantData::Splat(bytes) => (true, bytes.as_slice()),
            ConstantData::Dense(bytes) => (false, bytes.as_slice()),
        };
        let alike = self.numbers.entry(elements).or_default();
        let known = alike.iter().find(|(ty, _)| **ty == constant.ty);
        let number = known.map_or(self.reads.len(), |(_, number)| *number);
        if number == self.reads.len() {
            alike.push((&constant.ty, number));
            self.reads.push(0);
        }
        self.of.insert(id, number);
    }

    fn read(&mut self, id: ValueId) {
        let number = self.of.get(&id);
        if let Some(reads) = number.and_then(|number| self.reads.get_mut(*number)) {
            *reads += 1;
        }
    }

    fn reads(&self, id: ValueId) -> usize {
        let number = self.of.get(&id);
        let reads = number.and_then(|number| self.reads.get(*number));
        reads.copied().unwrap_or_default()
    }
}
