//! Operations that are composites of the library.

use super::{
    super::{tracer::Tracer, value::Tensor},
    OperationCall,
    operand::infer_diagnostic,
};
use crate::{diagnostic::Code, span::SpanId};
use iree_abi::{Extent, TensorType};
use iree_dsl_ir::{Region, Scalar, op::Op};
use iree_dsl_library::{Builder, Error, Write};
use std::cell::RefCell;

/// A tensor in a composite.
pub(super) type Term<'x> = iree_dsl_library::Term<'x, Tensor>;

/// Where composites are traced.
pub(super) struct Formula<'f, 't> {
    tracer: RefCell<&'f mut Tracer<'t>>,
    span: SpanId,
}

impl<'t> Formula<'_, 't> {
    /// A tensor as a term.
    pub(super) fn term(&self, tensor: &Tensor) -> Term<'_> {
        Term::new(self, tensor.clone())
    }

    /// A region that takes tensors of the types of others.
    fn region(
        &self,
        like: &[Tensor],
        write: Write<'_, Tensor, Vec<Tensor>>,
    ) -> Result<Region, Error> {
        let types: Vec<_> = like.iter().map(|tensor| tensor.ty.clone()).collect();
        let parameters = self.tracer.borrow_mut().builder.open_region(&types);
        let results = write(&parameters);
        let written = results.as_deref().unwrap_or_default();
        let region = self.tracer.borrow_mut().builder.close_region(written);
        results.map(|_| region)
    }

    /// What something of the program makes of terms, where the composite is traced.
    pub(super) fn called<'x, const N: usize>(
        &'x self,
        terms: [Term<'x>; N],
        call: impl FnOnce(&mut Tracer<'t>, [Tensor; N]) -> Option<Tensor>,
    ) -> Term<'x> {
        let tensors: Result<Vec<_>, _> = terms.into_iter().map(Term::value).collect();
        let called = tensors.and_then(|tensors| {
            let tensors = <[Tensor; N]>::try_from(tensors).map_err(|_| Error::Called)?;
            call(&mut self.tracer.borrow_mut(), tensors).ok_or(Error::Called)
        });
        Term::made(self, called)
    }
}

impl Builder for Formula<'_, '_> {
    type Value = Tensor;

    fn ty(&self, value: &Tensor) -> TensorType {
        value.ty.clone()
    }

    fn emit(&self, op: Op, operands: &[&Tensor]) -> Result<Tensor, Error> {
        let mut tracer = self.tracer.borrow_mut();
        Ok(tracer.emit(op, operands, self.span)?)
    }

    fn repeat(
        &self,
        first: &[Tensor],
        condition: Write<'_, Tensor, Tensor>,
        body: Write<'_, Tensor, Vec<Tensor>>,
    ) -> Result<Vec<Tensor>, Error> {
        let regions = vec![
            self.region(first, &mut |carried| Ok(vec![condition(carried)?]))?,
            self.region(first, body)?,
        ];
        let operands: Vec<_> = first.iter().collect();
        let builder = &mut self.tracer.borrow_mut().builder;
        Ok(builder.emit_with_regions(Op::While, &operands, regions, self.span)?)
    }

    fn splat(&self, number: Scalar, ty: &TensorType) -> Result<Tensor, Error> {
        let builder = &mut self.tracer.borrow_mut().builder;
        let constant = builder.splat(number, ty.dtype, &ty.shape, self.span);
        constant.map_err(|_| Error::OutOfRange(ty.dtype))
    }

    fn require_order(&self, least: &Extent, most: &Extent) -> bool {
        self.tracer.borrow_mut().require_order(least, most)
    }

    fn is_derived(&self) -> bool {
        self.tracer.borrow().deriving > 0
    }
}

/// What a composite makes of tensors; `None` if it was reported that it is refused.
pub(super) fn formula<const N: usize>(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operands: [&Tensor; N],
    run: impl for<'x> FnOnce([Term<'x>; N]) -> Term<'x>,
) -> Option<Tensor> {
    traced(tracer, call, |formula| {
        Some(run(operands.map(|tensor| formula.term(tensor))))
    })
}

/// The same of a composite of any number of tensors, or one that calls what the program gives it.
pub(super) fn traced(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    run: impl for<'x> FnOnce(&'x Formula<'_, '_>) -> Option<Term<'x>>,
) -> Option<Tensor> {
    traced_at(tracer, (call.name, call.span), run)
}

/// The same where no call is.
pub(super) fn traced_at(
    tracer: &mut Tracer<'_>,
    place: (&str, SpanId),
    run: impl for<'x> FnOnce(&'x Formula<'_, '_>) -> Option<Term<'x>>,
) -> Option<Tensor> {
    let result = attempted_at(tracer, place.1, run)?;
    result
        .map_err(|error| refuse_at(tracer, place, &error))
        .ok()
}

/// The same, with why there is none.
pub(super) fn attempted(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    run: impl for<'x> FnOnce(&'x Formula<'_, '_>) -> Option<Term<'x>>,
) -> Option<Result<Tensor, Error>> {
    attempted_at(tracer, call.span, run)
}

fn attempted_at(
    tracer: &mut Tracer<'_>,
    span: SpanId,
    run: impl for<'x> FnOnce(&'x Formula<'_, '_>) -> Option<Term<'x>>,
) -> Option<Result<Tensor, Error>> {
    let formula = Formula {
        tracer: RefCell::new(tracer),
        span,
    };
    run(&formula).map(Term::value)
}

/// Reports why a composite has no value, with what helps.
pub(super) fn refuse_with(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    error: &Error,
    help: Option<String>,
) {
    match error {
        Error::Refused(error) => {
            let diagnostic = infer_diagnostic(error, call.name, call.span);
            tracer.report(diagnostic.help_if(help));
        }
        error => refuse(tracer, call, error),
    }
}

/// Reports why a composite has no value.
pub(super) fn refuse(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, error: &Error) {
    refuse_at(tracer, (call.name, call.span), error);
}

fn refuse_at(tracer: &mut Tracer<'_>, (name, span): (&str, SpanId), error: &Error) {
    match error {
        Error::Refused(error) => _ = tracer.infer_error(error, name, span),
        Error::OutOfRange(_) | Error::TooManyNumbers => {
            let message = format!("`{name}` {error}");
            tracer.error(Code::ShapeMismatch, span, message);
        }
        Error::Lost(_) => _ = tracer.error(Code::Internal, span, error.to_string()),
        Error::Called => {}
    }
}
