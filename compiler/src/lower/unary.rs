use super::{
    convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    math, opaque,
};
use iree_abi::DType;
use iree_dsl_ir::op::UnaryOp;

/// Computes a tensor with an operation of IREE.
type Native = for<'c, 'b> fn(&Emitter<'c, 'b>, &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>>;

/// What is exact for every element type.
const EXACT: &[(UnaryOp, Native)] = &[
    (UnaryOp::StopGradient, |_, x| Ok(x.clone())),
    (UnaryOp::Barrier, opaque::unfused),
    (UnaryOp::Abs, |emitter, x| emitter.abs(x)),
    (UnaryOp::Negate, |emitter, x| emitter.negate(x)),
    (UnaryOp::Not, |emitter, x| emitter.not(x)),
    (UnaryOp::CountOnes, |emitter, x| emitter.population_count(x)),
    (UnaryOp::LeadingZeros, |emitter, x| {
        emitter.count_leading_zeros(x)
    }),
    (UnaryOp::Real, |emitter, x| emitter.real(x)),
    (UnaryOp::Imag, |emitter, x| emitter.imag(x)),
];

/// What IREE computes precisely for the element types that have no formula.
const PRECISE: &[(UnaryOp, Native)] = &[
    (UnaryOp::Exp, |emitter, x| emitter.exponential(x)),
    (UnaryOp::ExpM1, |emitter, x| {
        emitter.exponential_minus_one(x)
    }),
    (UnaryOp::Ln, |emitter, x| emitter.log(x)),
    (UnaryOp::Ln1p, |emitter, x| emitter.log_plus_one(x)),
    (UnaryOp::Sqrt, |emitter, x| emitter.sqrt(x)),
    (UnaryOp::Tanh, |emitter, x| emitter.tanh(x)),
    (UnaryOp::Sigmoid, |emitter, x| emitter.logistic(x)),
    (UnaryOp::Erf, |emitter, x| emitter.erf(x)),
];

/// Every operation is in one of these tables, or has a formula.
const _: () = {
    let mut ops = UnaryOp::ALL;
    while let [op, rest @ ..] = ops {
        let is_native = contains(EXACT, *op) || contains(PRECISE, *op);
        assert!(
            is_native || math::has_formula(*op),
            "an operation has no lowering"
        );
        ops = rest;
    }
};

const fn contains(mut table: &[(UnaryOp, Native)], op: UnaryOp) -> bool {
    while let [(first, _), rest @ ..] = table {
        if *first as usize == op as usize {
            return true;
        }
        table = rest;
    }
    false
}

fn find(table: &[(UnaryOp, Native)], op: UnaryOp) -> Option<Native> {
    let mut table = table.iter();
    table
        .find(|(found, _)| *found == op)
        .map(|(_, native)| *native)
}

pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: UnaryOp,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    if let Some(native) = find(EXACT, op) {
        return native(emitter, operand);
    }
    if let narrow @ (DType::F16 | DType::BF16) = operand.dtype() {
        let wide = convert::lower(emitter, DType::F32, operand)?;
        return convert::lower(emitter, narrow, &lower(emitter, op, &wide)?);
    }
    if let Some(result) = math::unary(emitter, op, operand) {
        return result;
    }
    let native = find(PRECISE, op).ok_or(LowerCause::Lost("a function"))?;
    native(emitter, operand)
}
