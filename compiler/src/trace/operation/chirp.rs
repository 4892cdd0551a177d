//! Fourier transforms of lengths that are known at the call only, written in the language itself.
//!
//! As Bluestein has it: with 2 j k = j² + k² - (k - j)², a transform of any length is a convolution, and that
//! is a product of transforms whose length is a power of two.

use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
    formula::formula,
    written::{apply, written},
};
use iree_abi::DType;
use iree_dsl_ir::op::Fourier;
use iree_dsl_library::{language, lines};

/// A transform along the last axis.
pub(super) fn transform(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    op: Fourier,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let axis = operand.ty.shape.rank().checked_sub(1)?;
    let table = formula(tracer, call, [operand], |[x]| lines::table(&x, axis))?;
    let size = operand.ty.shape.dims().last()?.extent()?;
    let narrow = match operand.ty.dtype {
        DType::C64 => "|x| x as f32",
        _ => "|x| x",
    };
    let sign = match op {
        Fourier::Forward => -1,
        Fourier::Inverse => 1,
    };
    let arguments = vec![
        table.into(),
        Value::size(size),
        Static::integer(sign).into(),
        Static::bool(op == Fourier::Inverse).into(),
        written(tracer, narrow, call)?,
        written(tracer, language::RADIX_2, call)?,
    ];
    let result = apply(tracer, language::CHIRP_TRANSFORM, arguments, call)?;
    let result = tracer.tensor(result, call.name, call.span)?;
    formula(tracer, call, [&result], |[x]| {
        lines::from_table(&x, &operand.ty.shape, axis)
    })
}
