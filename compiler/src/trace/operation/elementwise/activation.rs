//! What neural networks apply to each number.

use super::{
    super::{super::tracer::Tracer, OperationCall},
    Result, formula, is_float, is_real, precise, require,
};
use iree_dsl_ir::op::{CompareOp, UnaryOp};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

/// Chosen, not the larger of two, whose derivative is ½ where both are equal: that of `relu` is 0 at 0.
pub(in super::super) fn relu(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, is_real)?;
    let result = formula(tracer, &call, [&x], |[x]| {
        x.compare(CompareOp::LessEqual, 0).choose(0, &x)
    })?;
    Some(result.into())
}

/// x · ½ (1 + erf (x / √2)).
pub(in super::super) fn gelu(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, is_float)?;
    let result = precise(tracer, &call, [&x], |[x]| {
        let twice = (&x * FRAC_1_SQRT_2).apply(UnaryOp::Erf) + 1.0;
        x * 0.5 * twice
    })?;
    Some(result.into())
}

/// x · ½ (1 + tanh u), which is x times the sigmoid of 2u, with u = √(2/π) (x + 0.044715 x³).
pub(in super::super) fn gelu_tanh(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, is_float)?;
    let result = precise(tracer, &call, [&x], |[x]| {
        let cubic = &x * &x * &x * 0.044_715 + &x;
        let argument = cubic * (SQRT_2 * FRAC_2_SQRT_PI);
        x * argument.apply(UnaryOp::Sigmoid)
    })?;
    Some(result.into())
}

pub(in super::super) fn silu(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, is_float)?;
    let result = precise(tracer, &call, [&x], |[x]| &x * x.apply(UnaryOp::Sigmoid))?;
    Some(result.into())
}

/// ln (1 + eˣ), with x taken out if it is positive, so that nothing overflows. Each side is smooth, so that
/// derivatives of any order are right at 0 too.
pub(in super::super) fn softplus(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, is_float)?;
    let result = precise(tracer, &call, [&x], |[x]| {
        let positive = x.compare(CompareOp::GreaterEqual, 0.0);
        let rest = positive.choose(-&x, &x).apply(UnaryOp::Exp);
        positive.choose(&x, &x.like(0.0)) + rest.apply(UnaryOp::Ln1p)
    })?;
    Some(result.into())
}
