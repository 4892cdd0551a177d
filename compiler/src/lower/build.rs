use super::emit::{Emitter, Result, Tensor};
use crate::{ir::Constant, op::Iota};

pub(super) fn lower_constant<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    constant: &Constant,
) -> Result<Tensor<'c, 'b>> {
    emitter.constant(constant)
}

pub(super) fn lower_iota<'c, 'b>(emitter: &Emitter<'c, 'b>, iota: &Iota) -> Result<Tensor<'c, 'b>> {
    emitter.iota(&iota.ty, iota.axis)
}
