use super::{
    super::{
        super::{tracer::Tracer, value::Tensor},
        OperationCall,
    },
    Result, Term, formula, is_fractional, require,
};
use iree_dsl_ir::op::CompareOp;

pub(in super::super) fn is_finite(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = operand(tracer, &call)?;
    let result = formula(tracer, &call, [&x], |[x]| match x.dtype().is_complex() {
        true => finite(&x.real()) & finite(&x.imag()),
        false => finite(&x),
    })?;
    Some(result.into())
}

pub(in super::super) fn is_infinite(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = operand(tracer, &call)?;
    let result = formula(tracer, &call, [&x], |[x]| match x.dtype().is_complex() {
        true => infinite(&x.real()) | infinite(&x.imag()),
        false => infinite(&x),
    })?;
    Some(result.into())
}

pub(in super::super) fn is_nan(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let x = operand(tracer, &call)?;
    let result = formula(tracer, &call, [&x], |[x]| {
        x.compare(CompareOp::NotEqual, &x)
    })?;
    Some(result.into())
}

fn operand(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let x = call.tensor(tracer, 0)?;
    require(tracer, call, &x, is_fractional)?;
    Some(x)
}

fn finite<'x>(x: &Term<'x>) -> Term<'x> {
    x.abs().compare(CompareOp::Less, f64::INFINITY)
}

fn infinite<'x>(x: &Term<'x>) -> Term<'x> {
    x.abs().compare(CompareOp::Equal, f64::INFINITY)
}
