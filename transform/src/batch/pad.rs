use super::{Batch, Lane, rule::exactly};
use crate::error::Result;
use iree_abi::{DType, TensorType};
use iree_dsl_ir::op::{Op, Pad};

impl Batch<'_> {
    pub(super) fn pad(&mut self, op: &Pad, lanes: &[Lane]) -> Result<Lane> {
        let [x, number] = exactly(lanes)?;
        if !number.is_mapped {
            let padded = Op::Pad(along_batch(op));
            return self.emit(padded, &[x.value, number.value]);
        }
        let padded = match x.is_mapped {
            true => self.builder.pad(x.value, &along_batch(op), 0.0)?,
            false => {
                let padded = self.builder.pad(x.value, op, 0.0)?;
                self.spread(Lane::shared(padded))?
            }
        };
        let inside = TensorType::new(DType::Bool, self.element_shape(x)?);
        let inside = self.builder.splat(1.0, &inside)?;
        let inside = self.builder.pad(inside, op, 0.0)?;
        let inside = self.spread(Lane::shared(inside))?;
        let shape = self.builder.shape(padded)?;
        let number = self.builder.broadcast(number.value, &shape, vec![0])?;
        self.emit(Op::Select, &[inside, padded, number])
    }
}

/// The same with the batch, which is not padded.
fn along_batch(op: &Pad) -> Pad {
    Pad {
        low: [&[0], op.low.as_slice()].concat(),
        high: [&[0], op.high.as_slice()].concat(),
        interior: [&[0], op.interior.as_slice()].concat(),
    }
}
