//! Classes by their logits: where the sum of logit and Gumbel noise is largest.

use super::uniform::between;
use crate::term::Term;
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{ArgReduce, ExtremumKind, Op, UnaryOp},
};

/// The classes that are drawn along an axis of the logits.
pub fn categorical<'x, V: Clone>(
    key: &Term<'x, V>,
    logits: &Term<'x, V>,
    axis: usize,
) -> Term<'x, V> {
    let ty = logits.tensor_type();
    let kind = ExtremumKind::Maximum;
    let sum = gumbel(key, &ty) + logits;
    sum.emit(Op::ArgReduce(ArgReduce { kind, axis }), &[])
}

/// The negative logarithm of the negative logarithm of uniform numbers above zero.
fn gumbel<'x, V: Clone>(key: &Term<'x, V>, ty: &TensorType) -> Term<'x, V> {
    let bounds = [smallest(ty.dtype), 1.0];
    let bounds = bounds.map(|bound| key.make_splat(Scalar::Float(bound), ty));
    let numbers = between(key, ty, bounds);
    let surprise = -numbers.apply(UnaryOp::Ln);
    -surprise.apply(UnaryOp::Ln)
}

/// The smallest positive number with full precision.
fn smallest(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => half::f16::MIN_POSITIVE.to_f64(),
        DType::BF16 => half::bf16::MIN_POSITIVE.to_f64(),
        DType::F32 => f32::MIN_POSITIVE.into(),
        _ => f64::MIN_POSITIVE,
    }
}
