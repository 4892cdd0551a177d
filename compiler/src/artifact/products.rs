//! Which products of matrices and element types a module has, since some are worth an artifact or flags of their own.

use crate::{op::Op, verify::Verified};
use iree_abi::{DType, TensorType};

/// From how many bytes on a matrix is large: it is larger than the cache of a core.
const LARGE: usize = 8 << 20;

/// Whether a module has products of matrices of `bf16`.
pub fn multiplies_bf16(module: &Verified) -> bool {
    any(module, |factor| factor.dtype == DType::BF16)
}

/// Whether a module has products of large matrices.
pub(super) fn has_large_products(module: &Verified) -> bool {
    any(module, |factor| {
        let sizes = factor.shape.known();
        let count = sizes.and_then(|sizes| sizes.into_iter().try_fold(1, usize::checked_mul));
        count.is_some_and(|count| count.saturating_mul(factor.dtype.size()) >= LARGE)
    })
}

/// Whether a module has numbers of `f64`, or complex ones of two.
pub(super) fn has_f64(module: &Verified) -> bool {
    let module = module.module();
    let mut values = module
        .functions
        .iter()
        .flat_map(|(_, function)| function.values.iter());
    let mut globals = module.globals.iter();
    values.any(|(_, value)| value.ty.dtype.real() == DType::F64)
        || globals.any(|(_, global)| global.ty.dtype.real() == DType::F64)
}

/// Whether there is a product with two such factors.
fn any(module: &Verified, is_such: impl Fn(&TensorType) -> bool) -> bool {
    let mut functions = module.module().functions.iter();
    functions.any(|(_, function)| {
        let mut operations = function.operations.iter();
        operations.any(|(_, operation)| {
            let mut factors = operation.operands.iter();
            matches!(operation.op, Op::DotGeneral(_))
                && factors.all(|id| function.ty(*id).is_some_and(&is_such))
        })
    })
}
