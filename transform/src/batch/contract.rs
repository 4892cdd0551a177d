use super::{Batch, Lane, lane::behind_batch, rule::exactly, shape::first_and};
use crate::error::Result;
use iree_dsl_ir::op::{DotGeneral, Op};

/// Pairs of axes.
type Pairs = (Vec<usize>, Vec<usize>);

impl Batch<'_> {
    /// Factors that both differ run along together; otherwise the batch is one more free axis.
    pub(super) fn dot(&mut self, op: &DotGeneral, lanes: &[Lane]) -> Result<Lane> {
        let [lhs, rhs] = exactly(lanes)?;
        if lhs.is_mapped && rhs.is_mapped {
            let op = DotGeneral {
                batch: (first_and(&op.batch.0), first_and(&op.batch.1)),
                contract: (behind_batch(&op.contract.0), behind_batch(&op.contract.1)),
                dtype: op.dtype,
            };
            return self.emit(Op::DotGeneral(op), &[lhs.value, rhs.value]);
        }
        let paired = op.batch.0.len();
        let summed = op.contract.0.len();
        let (own, other) = if lhs.is_mapped {
            (lhs, rhs)
        } else {
            (rhs, lhs)
        };
        let own_rank = self.element_shape(own)?.rank();
        let other_rank = self.element_shape(other)?.rank();
        let rank = (own_rank + other_rank).saturating_sub(paired + 2 * summed);
        // As the first factor, unless free axes of both would then come in the wrong order.
        let is_first = lhs.is_mapped || own_rank == paired + summed;
        let op = match lhs.is_mapped {
            true => one_more(op),
            false => mirrored(&one_more(&mirrored(op))),
        };
        let (op, operands, before) = match (is_first, lhs.is_mapped) {
            (true, true) => (op, [own.value, other.value], paired),
            (true, false) => (mirrored(&op), [own.value, other.value], paired),
            (false, _) => {
                let before = other_rank.saturating_sub(summed);
                (op, [other.value, own.value], before)
            }
        };
        let product = self.builder.emit(Op::DotGeneral(op), &operands)?;
        let axes = (0..before).map(Some).chain([None]);
        let axes: Vec<_> = axes.chain((before..rank).map(Some)).collect();
        self.in_order(product, &axes).map(Lane::each)
    }
}

/// The same for a first factor that has the batch as its first axis.
fn one_more(op: &DotGeneral) -> DotGeneral {
    DotGeneral {
        batch: (behind_batch(&op.batch.0), op.batch.1.clone()),
        contract: (behind_batch(&op.contract.0), op.contract.1.clone()),
        dtype: op.dtype,
    }
}

/// The same with the factors swapped.
fn mirrored(op: &DotGeneral) -> DotGeneral {
    let swapped = |(lhs, rhs): &Pairs| (rhs.clone(), lhs.clone());
    DotGeneral {
        batch: swapped(&op.batch),
        contract: swapped(&op.contract),
        dtype: op.dtype,
    }
}
