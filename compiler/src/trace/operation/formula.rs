//! Operations that are written with others, as formulas.

use super::{
    super::{statics::Static, tracer::Tracer, value::Tensor},
    OperationCall,
    term::{Emit, Term},
};
use crate::{diagnostic::Code, span::SpanId};
use iree_abi::{DType, Shape, TensorType};
use iree_dsl_ir::op::Op;
use std::cell::RefCell;

/// Where formulas are traced. What operations refuse is reported under the name of the operation that the
/// formula stands for, at its call; what depends on it is nothing.
pub(super) struct Formula<'f, 't> {
    tracer: RefCell<&'f mut Tracer<'t>>,
    name: &'static str,
    span: SpanId,
}

/// What a formula makes of tensors.
pub(super) fn formula<const N: usize>(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operands: [&Tensor; N],
    run: impl for<'x> FnOnce([Term<'x>; N]) -> Term<'x>,
) -> Option<Tensor> {
    let formula = Formula::new(tracer, call);
    let terms = operands.map(|tensor| formula.term(tensor.clone()));
    run(terms).tensor()
}

/// The same, with narrow floating-point numbers computed as `f32`, so that they are rounded once.
pub(super) fn precise<const N: usize>(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operands: [&Tensor; N],
    run: impl for<'x> FnOnce([Term<'x>; N]) -> Term<'x>,
) -> Option<Tensor> {
    formula(tracer, call, operands, |terms| {
        let dtype = terms.first().map_or(DType::F32, Term::dtype);
        match dtype {
            DType::F16 | DType::BF16 => {
                let wide = terms.map(|term| term.convert(DType::F32));
                run(wide).convert(dtype)
            }
            _ => run(terms),
        }
    })
}

impl<'f, 't> Formula<'f, 't> {
    /// The formulas of a call.
    pub(super) fn new(tracer: &'f mut Tracer<'t>, call: &OperationCall<'_>) -> Self {
        Self {
            tracer: RefCell::new(tracer),
            name: call.name,
            span: call.span,
        }
    }

    /// A tensor as a term.
    pub(super) fn term(&self, tensor: Tensor) -> Term<'_> {
        Term::new(self, Some(tensor))
    }

    /// The same number everywhere.
    pub(super) fn constant<'x>(&'x self, number: Static, ty: &TensorType) -> Term<'x> {
        Term::new(self, Emit::constant(self, number, ty))
    }

    /// The result of an operation.
    pub(super) fn emit<'x>(&'x self, op: Op, operands: &[&Term<'x>]) -> Term<'x> {
        Term::emitted(self, op, operands.iter().copied())
    }

    /// Reports a mistake; what is wrong is nothing.
    pub(super) fn error(&self, code: Code, message: impl FnOnce(&str) -> String) -> Term<'_> {
        let mut tracer = self.tracer.borrow_mut();
        tracer.error(code, self.span, message(self.name));
        Term::new(self, None)
    }
}

impl Emit for Formula<'_, '_> {
    fn emit(&self, op: Op, operands: &[&Tensor]) -> Option<Tensor> {
        let mut tracer = self.tracer.borrow_mut();
        tracer.emit_checked(op, operands, self.name, self.span)
    }

    fn constant(&self, number: Static, ty: &TensorType) -> Option<Tensor> {
        let mut tracer = self.tracer.borrow_mut();
        tracer.constant(number, ty.dtype, &ty.shape, self.span)
    }

    fn broadcast(&self, operand: Tensor, shape: &Shape) -> Option<Tensor> {
        let mut tracer = self.tracer.borrow_mut();
        tracer.broadcast_to(operand, shape, self.name, self.span)
    }
}
