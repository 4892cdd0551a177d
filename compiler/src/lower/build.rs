use super::{
    convert,
    emit::{Emitter, Result, Tensor},
    types,
};
use iree_abi::DType;
use iree_dsl_ir::{Constant, op::Iota};

pub(super) fn lower_constant<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    constant: &Constant,
) -> Result<Tensor<'c, 'b>> {
    emitter.constant(constant)
}

pub(super) fn lower_iota<'c, 'b>(emitter: &Emitter<'c, 'b>, iota: &Iota) -> Result<Tensor<'c, 'b>> {
    if iota.ty.dtype == DType::BF16 {
        // IREE counts in integers, and lacks this conversion from them.
        let integers = emitter.iota(&types::with_dtype(&iota.ty, DType::I32), iota.axis)?;
        return convert::lower(emitter, DType::BF16, &integers);
    }
    emitter.iota(&iota.ty, iota.axis)
}
