//! Powers, products and what keeps numbers in bounds.

use super::{
    super::{super::tracer::Tracer, OperationCall},
    Result, Term, formula, is_float, is_fractional, is_number, is_real, of_static, operands,
    precise, require,
};
use crate::diagnostic::Code;
use iree_abi::DTypeClass;
use iree_dsl_ir::op::{BinaryOp, CompareOp, UnaryOp};

pub(in super::super) fn recip(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    if let Some(number) = of_static(tracer, &call, f64::recip) {
        return Some(number);
    }
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, is_fractional)?;
    let result = formula(tracer, &call, [&x], |[x]| x.like(1.0) / x)?;
    Some(result.into())
}

pub(in super::super) fn rsqrt(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, is_fractional)?;
    let result = precise(tracer, &call, [&x], |[x]| x.like(1.0) / x.sqrt())?;
    Some(result.into())
}

/// The power to an integer known while building, by repeated squaring.
pub(in super::super) fn powi(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (exponent, span) = call.argument(1)?;
    let exponent = tracer.integer((exponent, span), call.name)?;
    let x = call.tensor(tracer, 0)?;
    require(tracer, &call, &x, is_number)?;
    if exponent < 0 && x.ty.dtype.is_integer() {
        let message = format!("`powi` of integers needs an exponent from 0 on, found {exponent}");
        return Some(tracer.error(Code::Literal, span, message));
    }
    // At 0, the derivative of the power of the reciprocal is that of the function, and not 0 by 0.
    let is_derived = tracer.deriving > 0;
    let result = precise(tracer, &call, [&x], |[x]| {
        let count = exponent.unsigned_abs();
        match exponent < 0 {
            true if is_derived => positive_power(&(x.like(1) / &x), count),
            true => x.like(1) / positive_power(&x, count),
            false => positive_power(&x, count),
        }
    })?;
    Some(result.into())
}

fn positive_power<'x>(x: &Term<'x>, exponent: u128) -> Term<'x> {
    let mut result: Option<Term<'x>> = None;
    let (mut square, mut rest) = (x.clone(), exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = Some(match result {
                Some(product) => product * &square,
                None => square.clone(),
            });
        }
        rest >>= 1;
        if rest > 0 {
            square = &square * &square;
        }
    }
    result.unwrap_or_else(|| x.like(1))
}

/// Of complex numbers eʸ ˡⁿ ˣ.
pub(in super::super) fn powf(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [x, y] = operands(tracer, &call)?;
    require(tracer, &call, &x, is_fractional)?;
    let result = formula(tracer, &call, [&x, &y], |[x, y]| {
        if !x.dtype().is_complex() {
            return x.with(BinaryOp::Power, y);
        }
        let power = (&y * x.apply(UnaryOp::Ln)).apply(UnaryOp::Exp);
        let zero = x.compare(CompareOp::Equal, 0);
        let one = y.compare(CompareOp::Equal, 0);
        one.choose(1, &zero.choose(0, &power))
    })?;
    Some(result.into())
}

/// √(x² + y²), from the ratio of the shorter to the longer side, so that no square overflows.
pub(in super::super) fn hypot(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [x, y] = operands(tracer, &call)?;
    require(tracer, &call, &x, is_float)?;
    let result = precise(tracer, &call, [&x, &y], |[x, y]| {
        let is_second = x.abs().compare(CompareOp::Less, y.abs());
        let longer = is_second.choose(&y, &x).abs();
        let shorter = is_second.choose(&x, &y);
        let none = longer.compare(CompareOp::Equal, 0.0);
        let ratio = shorter / none.choose(1.0, &longer);
        let length = &longer * (&ratio * &ratio + 1.0).sqrt();
        let infinity = length.like(f64::INFINITY);
        let infinite = x.abs().compare(CompareOp::Equal, &infinity);
        let infinite = infinite | y.abs().compare(CompareOp::Equal, &infinity);
        infinite.choose(infinity, &length)
    })?;
    Some(result.into())
}

/// The remainder that is not negative.
pub(in super::super) fn rem_euclid(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [x, y] = operands(tracer, &call)?;
    require(tracer, &call, &x, is_real)?;
    let result = formula(tracer, &call, [&x, &y], |[x, y]| {
        let rest = x.with(BinaryOp::Remainder, &y);
        if rest.dtype().class() == DTypeClass::Unsigned {
            return rest;
        }
        let negative = rest.compare(CompareOp::Less, 0);
        negative.choose(&rest + y.abs(), &rest)
    })?;
    Some(result.into())
}

pub(in super::super) fn clamp(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [x, low, high] = operands(tracer, &call)?;
    require(tracer, &call, &x, is_real)?;
    let operands = [&x, &low, &high];
    let result = formula(tracer, &call, operands, |[x, low, high]| {
        x.max(low).min(high)
    })?;
    Some(result.into())
}

pub(in super::super) fn mul_add(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [x, factor, summand] = operands(tracer, &call)?;
    let operands = [&x, &factor, &summand];
    let result = precise(tracer, &call, operands, |[x, factor, summand]| {
        x * factor + summand
    })?;
    Some(result.into())
}
