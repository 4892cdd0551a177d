//! Integers near a number, and its sign.

use super::{
    super::{super::tracer::Tracer, OperationCall},
    Result, Term, formula, is_float, of_static, require,
};
use iree_abi::{DType, DTypeClass};
use iree_dsl_ir::op::{CompareOp, UnaryOp};

/// Defines operations on floating-point numbers, with the function of numbers known while building.
macro_rules! exact {
    ($($name:ident: $of_static:path, $formula:ident;)+) => {
        $(pub(in super::super) fn $name(
            tracer: &mut Tracer<'_>,
            call: OperationCall<'_>,
        ) -> Result {
            if let Some(number) = of_static(tracer, &call, $of_static) {
                return Some(number);
            }
            let x = call.tensor(tracer, 0)?;
            require(tracer, &call, &x, is_float)?;
            let result = formula(tracer, &call, [&x], |[x]| $formula(&x))?;
            Some(result.into())
        })+
    };
}

exact! {
    ceil: f64::ceil, upwards;
    trunc: f64::trunc, towards_zero;
    fract: f64::fract, fraction;
    round: f64::round, ties_away;
}

fn upwards<'x>(x: &Term<'x>) -> Term<'x> {
    -(-x).apply(UnaryOp::Floor)
}

fn towards_zero<'x>(x: &Term<'x>) -> Term<'x> {
    copy_sign(&x.abs().apply(UnaryOp::Floor), x)
}

fn fraction<'x>(x: &Term<'x>) -> Term<'x> {
    x - towards_zero(x)
}

/// A half is tested on what was cut off: added first, it would be rounded.
fn ties_away<'x>(x: &Term<'x>) -> Term<'x> {
    let size = x.abs();
    let whole = size.apply(UnaryOp::Floor);
    let up = (&size - &whole).compare(CompareOp::GreaterEqual, 0.5);
    copy_sign(&up.choose(&whole + 1.0, &whole), x)
}

/// A number with the sign bit of another.
pub(super) fn copy_sign<'x>(x: &Term<'x>, sign: &Term<'x>) -> Term<'x> {
    let differs = is_negative(x) ^ is_negative(sign);
    differs.choose(-x, x)
}

/// Whether the sign bit is set.
fn is_negative<'x>(x: &Term<'x>) -> Term<'x> {
    let bits = x.bitcast(match x.dtype() {
        DType::F16 | DType::BF16 => DType::I16,
        DType::F64 => DType::I64,
        _ => DType::I32,
    });
    bits.compare(CompareOp::Less, 0)
}

/// As in Rust: 1 or -1 by the sign bit for floating-point numbers, and 0 for 0 only for integers.
pub(in super::super) fn signum(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    if let Some(number) = of_static(tracer, &call, f64::signum) {
        return Some(number);
    }
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, super::is_real)?;
    let result = formula(tracer, &call, [&x], |[x]| match x.dtype().class() {
        DTypeClass::Float => {
            let is_number = x.compare(CompareOp::Equal, &x);
            is_number.choose(copy_sign(&x.like(1.0), &x), &x)
        }
        DTypeClass::Unsigned => x.min(1),
        _ => x.max(-1).min(1),
    })?;
    Some(result.into())
}

pub(in super::super) fn copysign(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [x, sign] = super::operands(tracer, &call)?;
    require(tracer, &call, &x, is_float)?;
    let result = formula(tracer, &call, [&x, &sign], |[x, sign]| copy_sign(&x, &sign))?;
    Some(result.into())
}
