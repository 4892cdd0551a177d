//! `checkpoint`: computed again in reverse mode instead of kept.

use super::{
    super::{
        builder::Mark, closure::Callable, operation::OperationCall, tracer::Tracer, value::Value,
    },
    Derived,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};

/// A function of which nothing is kept but its arguments, or of whose loops few iterations are.
#[derive(Debug)]
pub(crate) struct Checkpointed {
    /// The function.
    pub(super) function: Callable,
    /// How many iterations of its loops are kept, if that was said.
    iterations: Option<usize>,
}

pub(crate) fn checkpoint(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let function = tracer.function_of(call.argument(0)?, call.name)?;
    let iterations = match call.generics {
        [] => None,
        [most] => {
            let most = tracer.dimension(most)?;
            let Some(most) = most.known().filter(|most| *most > 0) else {
                return tracer.wrong_bound(&call);
            };
            Some(most)
        }
        _ => return tracer.wrong_bound(&call),
    };
    let checkpointed = Checkpointed {
        function,
        iterations,
    };
    Some(Derived::Checkpointed(checkpointed).into())
}

impl Tracer<'_> {
    fn wrong_bound(&mut self, call: &OperationCall<'_>) -> Option<Value> {
        let message = "`checkpoint` takes how many iterations of a loop are kept, at least one";
        let diagnostic = Diagnostic::new(Code::ArgumentCount, call.span, message);
        self.report(diagnostic.help("`checkpoint::<32>(f)`"));
        None
    }

    pub(super) fn apply_checkpointed(
        &mut self,
        checkpointed: &Checkpointed,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Value {
        let mark = self.builder.mark();
        let value = self.apply(&checkpointed.function, arguments, None, span);
        if self.deriving > 0 {
            match checkpointed.iterations {
                None => self.builder.compute_again(&mark),
                Some(most) => self.builder.bound(&mark, most, true),
            }
        }
        value
    }

    /// Keeps few iterations of a loop that was traced since a point, if its body is such a function.
    pub(crate) fn bound_loop(&mut self, body: &Callable, mark: &Mark) {
        let Callable::Derived(derived) = body else {
            return;
        };
        if let Derived::Checkpointed(checkpointed) = derived.as_ref()
            && let Some(most) = checkpointed.iterations
            && self.deriving > 0
        {
            self.builder.bound(mark, most, false);
        }
    }
}
