use super::{Batch, Lane, lane::behind_batch, rule::exactly, shape::first_and};
use crate::error::Result;
use iree_dsl_ir::op::{DotGeneral, Op};

/// Pairs of axes.
type Pairs = (Vec<usize>, Vec<usize>);

impl Batch<'_> {
    /// Factors that both differ run along together; otherwise the batch is one more free axis.
    pub(super) fn dot(&mut self, op: &DotGeneral, lanes: &[Lane]) -> Result<Lane> {
        let [lhs, rhs] = exactly(lanes)?;
        let operands = [lhs.value, rhs.value];
        if lhs.is_mapped && rhs.is_mapped {
            let batch = (first_and(&op.batch.0), first_and(&op.batch.1));
            let contract = (behind_batch(&op.contract.0), behind_batch(&op.contract.1));
            let dtype = op.dtype;
            let op = DotGeneral {
                batch,
                contract,
                dtype,
            };
            return self.emit(Op::DotGeneral(op), &operands);
        }
        let paired = op.batch.0.len();
        let free = |rank: usize| rank - (paired + op.contract.0.len()).min(rank);
        let (own, other) = match lhs.is_mapped {
            true => (lhs, rhs),
            false => (rhs, lhs),
        };
        let own_free = free(self.element_shape(own)?.rank());
        let other_free = free(self.element_shape(other)?.rank());
        // What differs as the first factor, unless free axes of both would come in the wrong order.
        let is_first = lhs.is_mapped || own_free == 0;
        let (batch, contract) = match lhs.is_mapped {
            true => (op.batch.clone(), op.contract.clone()),
            false => (swapped(&op.batch), swapped(&op.contract)),
        };
        let own_axes = |pairs: &Pairs| (behind_batch(&pairs.0), pairs.1.clone());
        let (batch, contract) = (own_axes(&batch), own_axes(&contract));
        let (batch, contract, operands, before) = match is_first {
            true => (batch, contract, [own.value, other.value], paired),
            false => {
                let operands = [other.value, own.value];
                (
                    swapped(&batch),
                    swapped(&contract),
                    operands,
                    paired + other_free,
                )
            }
        };
        let dtype = op.dtype;
        let op = DotGeneral {
            batch,
            contract,
            dtype,
        };
        let product = self.builder.emit(Op::DotGeneral(op), &operands)?;
        let rank = paired + own_free + other_free;
        let axes = (0..before).map(Some).chain([None]);
        let axes: Vec<_> = axes.chain((before..rank).map(Some)).collect();
        self.in_order(product, &axes).map(Lane::each)
    }
}

fn swapped((lhs, rhs): &Pairs) -> Pairs {
    (rhs.clone(), lhs.clone())
}
