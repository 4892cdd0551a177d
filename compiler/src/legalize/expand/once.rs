//! Operations that compute the same: derivatives have many, as each of its turns takes the sine and the cosine of one number.
//!
//! IREE makes one of them too, but functions that are written out with hundreds of operations are many times as long until then, and
//! of two values with a barrier behind each it computes both.

use iree_abi::TensorType;
use iree_dsl_ir::{
    ConstantData, Function, Operation, ValueId,
    op::{Effect, Op, Structure, UnaryOp},
};
use std::collections::BTreeMap;

/// What operations compute in the blocks that are open.
#[derive(Default)]
pub(super) struct Once<'a> {
    /// The first value that is computed like another.
    first: BTreeMap<ValueId, ValueId>,
    /// Numbers everywhere, by their bytes.
    splats: BTreeMap<(&'a [u8], &'a TensorType), ValueId>,
    /// What is computed of operands, by these.
    computed: BTreeMap<Vec<ValueId>, Vec<(&'a Op, ValueId)>>,
    /// The operands of what each block that is open computes.
    blocks: Vec<Vec<Vec<ValueId>>>,
}

impl<'a> Once<'a> {
    pub(super) fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// Forgets what the last block computes.
    pub(super) fn close(&mut self) {
        for operands in self.blocks.pop().into_iter().flatten() {
            if let Some(computed) = self.computed.get_mut(&operands) {
                computed.pop();
            }
        }
    }

    /// The value that is computed before, element by element, as an operation would compute it. Others are computed where they are,
    /// since IREE reads views and numbers in place, and may change the buffers of what is not computed so.
    pub(super) fn before(
        &mut self,
        function: &'a Function,
        operation: &'a Operation,
    ) -> Option<ValueId> {
        let [result] = operation.results[..] else {
            return None;
        };
        let first = self.first(function, operation, result)?;
        self.first.insert(result, first);
        let is_of_elements = matches!(operation.op.structure(), Structure::Elementwise);
        is_of_elements.then_some(first)
    }

    /// What an operation computes, if something has before.
    fn first(
        &mut self,
        function: &'a Function,
        operation: &'a Operation,
        result: ValueId,
    ) -> Option<ValueId> {
        let op = &operation.op;
        let is_pure = matches!(op.effect(), Effect::Pure) && operation.regions.is_empty();
        if !is_pure || *op == Op::Unary(UnaryOp::Barrier) {
            return None;
        }
        if let Op::Constant(constant) = op {
            let ConstantData::Splat(bytes) = &constant.data else {
                return None;
            };
            let ty = function.ty(result)?;
            let splat = *self.splats.entry((bytes, ty)).or_insert(result);
            return Some(splat).filter(|splat| *splat != result);
        }
        let operands = operation.operands.iter();
        let operands: Vec<_> = operands
            .map(|operand| self.first.get(operand).copied().unwrap_or(*operand))
            .collect();
        let computed = self.computed.entry(operands.clone()).or_default();
        let mut before = computed.iter();
        if let Some((_, first)) = before.find(|(other, _)| *other == op) {
            return Some(*first);
        }
        computed.push((op, result));
        if let Some(block) = self.blocks.last_mut() {
            block.push(operands);
        }
        None
    }
}
