//! Values that are computed alike. IREE makes them one, which has one buffer.

use iree_abi::TensorType;
use iree_dsl_ir::{ConstantData, Function, ValueId, op::Op};
use std::collections::BTreeMap;

/// The values of a function that are computed alike.
#[derive(Default)]
pub(in crate::legalize) struct Alike {
    /// The first of them, for each but that.
    first: BTreeMap<ValueId, ValueId>,
    /// The others, by the first.
    others: BTreeMap<ValueId, Vec<ValueId>>,
}

/// The first values of their kind.
#[derive(Default)]
pub(in crate::legalize) struct Known<'a> {
    /// Numbers everywhere, by their bytes.
    splats: BTreeMap<(&'a [u8], &'a TensorType), ValueId>,
    /// What is computed of operands, by these.
    computed: BTreeMap<Vec<ValueId>, Vec<(&'a Op, ValueId)>>,
    /// The operands of what each block that is open computes first.
    blocks: Vec<Vec<Vec<ValueId>>>,
}

impl Alike {
    /// Looks at some operations, and takes what others compute for different.
    pub(in crate::legalize) fn of(function: &Function, is_seen: impl Fn(&Op) -> bool) -> Self {
        let (mut alike, mut known) = (Self::default(), Known::default());
        for (_, operation) in function.operations.iter() {
            let ([result], true) = (operation.results.as_slice(), is_seen(&operation.op)) else {
                continue;
            };
            let operands = operation
                .operands
                .iter()
                .map(|operand| alike.first(*operand));
            let first = known.first(&operation.op, operands.collect(), *result);
            if first != *result {
                alike.first.insert(*result, first);
                alike.others.entry(first).or_default().push(*result);
            }
        }
        alike
    }

    /// The first that is computed like a value.
    pub(in crate::legalize) fn first(&self, value: ValueId) -> ValueId {
        self.first.get(&value).copied().unwrap_or(value)
    }

    /// A value and all that are computed alike.
    pub(in crate::legalize) fn all(&self, value: ValueId) -> Vec<ValueId> {
        let first = self.first(value);
        let others = self.others.get(&first).map_or(&[][..], Vec::as_slice);
        [&[first], others].concat()
    }
}

impl<'a> Known<'a> {
    /// Begins a block.
    pub(in crate::legalize) fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// Ends the last block that is open, and forgets what it computes.
    pub(in crate::legalize) fn close(&mut self) {
        for operands in self.blocks.pop().into_iter().flatten() {
            if let Some(computed) = self.computed.get_mut(&operands) {
                computed.pop();
            }
        }
    }

    /// The first that an operation computes of operands, which is the result if there is none before.
    pub(in crate::legalize) fn first(
        &mut self,
        op: &'a Op,
        operands: Vec<ValueId>,
        result: ValueId,
    ) -> ValueId {
        match op {
            Op::Constant(constant) => match &constant.data {
                ConstantData::Splat(bytes) => {
                    let splat = self.splats.entry((bytes, &constant.ty));
                    *splat.or_insert(result)
                }
                // Each has a buffer that nothing changes.
                ConstantData::Dense(_) => result,
            },
            op => {
                let computed = self.computed.entry(operands.clone()).or_default();
                let first = computed.iter().find(|(other, _)| *other == op);
                if let Some((_, first)) = first {
                    return *first;
                }
                computed.push((op, result));
                if let Some(block) = self.blocks.last_mut() {
                    block.push(operands);
                }
                result
            }
        }
    }
}
