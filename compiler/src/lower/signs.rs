//! Integers with a sign as those without one in the same order, and back: the first bit is another.

use super::emit::{Emitter, Result, Tensor};
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::limits;

/// Integers as those of another type of the same width, of which one has a sign and one has none.
pub(super) fn exchanged<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    other: DType,
) -> Result<Tensor<'c, 'b>> {
    match other.class() {
        DTypeClass::Signed => with_other_sign(emitter, &emitter.bitcast_convert(operand, other)?),
        _ => emitter.bitcast_convert(&with_other_sign(emitter, operand)?, other),
    }
}

fn with_other_sign<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let first_bit = emitter.splat(limits::least(operand.dtype()), &operand.ty)?;
    emitter.xor(operand, &first_bit)
}
