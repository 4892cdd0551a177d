//! Closures and kernels with the types that a parameter declares: `f: impl Fn(A) -> B`.

use super::{
    closure::Callable,
    resolve::count,
    tracer::Tracer,
    types::{CallableType, Type},
    value::{Value, ValueLeaf},
};
use crate::{diagnostic::Code, span::SpanId};
use std::rc::Rc;

/// A closure or kernel that was handed over for a parameter.
#[derive(Debug)]
pub(crate) struct Declared {
    /// The closure or kernel itself.
    pub(crate) callable: Callable,
    /// The types that the parameter declares.
    pub(crate) ty: Rc<CallableType>,
    /// Where its result stands.
    result: SpanId,
}

impl Tracer<'_> {
    /// A closure or kernel as a parameter declares it. What it takes is checked here, its result where it is applied.
    pub(crate) fn declared(
        &mut self,
        callable: Callable,
        ty: &Rc<CallableType>,
        span: SpanId,
        place: &str,
    ) -> Value {
        let (expected, found) = (ty.parameters.len(), self.arity(&callable));
        if expected != found {
            let expected = count(expected, "parameter");
            let message = format!("{place} must have {expected}, found {found}");
            return self.error(Code::ArgumentCount, span, message);
        }
        let mut result = span;
        if let Callable::Closure(closure) = &callable {
            let mistakes = self.error_count();
            let written = closure.written_types();
            self.in_frame(closure.frame(SpanId::CALL_SITE), |tracer| {
                for (written, declared) in written.iter().zip(&ty.parameters) {
                    tracer.check_written(*written, declared);
                }
            });
            if self.error_count() > mistakes {
                return Value::POISON;
            }
            result = closure.result_span();
        }
        let ty = Rc::clone(ty);
        let declared = Rc::new(Declared {
            callable,
            ty,
            result,
        });
        Value::Leaf(ValueLeaf::Callable(Callable::Declared(declared)))
    }

    /// Compares the type that a closure's parameter is written with.
    fn check_written(&mut self, written: Option<&crate::ast::Type>, declared: &Type) {
        let Some(written) = written else {
            return;
        };
        let ty = self.resolve(written);
        if !ty.admits(declared) {
            self.mismatch(&ty, declared, written.span, "a parameter of the closure");
        }
    }

    /// The value of a call of what was handed over for a parameter.
    pub(crate) fn apply_declared(
        &mut self,
        declared: &Declared,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Value {
        let Declared {
            callable,
            ty,
            result,
        } = declared;
        let pairs = arguments.into_iter().zip(&ty.parameters);
        let arguments = pairs.map(|((value, span), ty)| {
            let value = self.conform(value, ty, span, "an argument of the closure");
            (value, span)
        });
        let arguments = arguments.collect();
        let value = self.apply(callable, arguments, Some(&ty.result), span);
        let place = match callable {
            Callable::Kernel(_) => "the result of the kernel",
            Callable::Closure(_) | Callable::Declared(_) => "the result of the closure",
            Callable::Derived(_) => "the result of the function",
        };
        self.conform(value, &ty.result, *result, place)
    }
}
