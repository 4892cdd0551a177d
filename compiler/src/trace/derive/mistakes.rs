//! What has no derivative.

use super::{
    super::{
        closure::Callable,
        tracer::Tracer,
        value::{Tensor, Value, ValueLeaf},
    },
    follow::{Argument, Followed},
};
use crate::{
    ast,
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_dsl_transform::{Error, Reason, is_differentiable};

impl Tracer<'_> {
    /// Reports a mistake, with where the function is differentiated.
    pub(super) fn not_differentiable(
        &mut self,
        diagnostic: Diagnostic,
        name: &str,
        at: SpanId,
    ) -> Value {
        let place = self.location_of(at);
        self.report(diagnostic.note(format!("differentiated by `{name}` at {place}")))
    }

    /// Where something stands of which nothing is known but what it is called with: while it is differentiated, where it
    /// is called.
    pub(crate) fn opaque_span(&self, span: SpanId) -> SpanId {
        match self.deriving > 0 && self.frame.called_at != SpanId::CALL_SITE {
            true => self.frame.called_at,
            false => span,
        }
    }

    /// An argument as tensors that have derivatives; `None` if it was reported that one has none.
    pub(super) fn differentiable(
        &mut self,
        value: Value,
        position: usize,
        name: &str,
        span: SpanId,
    ) -> Option<Value> {
        let value = self.materialize(value, name, span)?;
        let wrong = value.leaves().into_iter().find_map(|(path, leaf)| {
            let ValueLeaf::Tensor(tensor) = leaf else {
                return None;
            };
            (!is_differentiable(tensor.ty.dtype)).then(|| (path, tensor.ty.clone()))
        });
        let Some((path, ty)) = wrong else {
            return Some(value);
        };
        let what = match path.as_str() {
            "" => "this argument".to_owned(),
            path => format!("`{path}` of this argument"),
        };
        let message =
            format!("{what} is a `{ty}`, and only real and complex numbers have derivatives");
        let other = if position == 0 { 1 } else { 0 };
        let help = match name {
            "grad" | "value_and_grad" => {
                format!("differentiate by another argument, as in `{name}::<{other}>(f)`")
            }
            _ => "let a closure capture it, so that it is a constant".to_owned(),
        };
        self.report(Diagnostic::new(Code::NotDifferentiable, span, message).help(help));
        None
    }

    /// A result as a single real number; `None` if it was reported that it is none.
    pub(super) fn loss(
        &mut self,
        value: &Value,
        function: &Callable,
        name: &str,
        at: SpanId,
    ) -> Option<Tensor> {
        let span = self.result_span(function, at);
        let value = match value {
            Value::Leaf(leaf) => leaf.clone(),
            other => {
                let found = other.ty();
                let message = format!(
                    "`{name}` differentiates a single number, or the first of a pair, found `{found}`"
                );
                let diagnostic = Diagnostic::new(Code::NotDifferentiable, span, message);
                self.not_differentiable(diagnostic, name, at);
                return None;
            }
        };
        let loss = self.tensor(Value::Leaf(value), name, span)?;
        let ty = &loss.ty;
        let diagnostic = |message| Diagnostic::new(Code::NotDifferentiable, span, message);
        let diagnostic = if ty.shape.rank() > 0 {
            let message = format!("`{name}` differentiates a single number, found a `{ty}`");
            let help =
                "make it one, for example with `.mean()`, or differentiate each with `jacrev`";
            diagnostic(message).help(help)
        } else if !ty.dtype.is_float() {
            diagnostic(format!(
                "`{name}` differentiates a real number, found a `{ty}`"
            ))
        } else {
            return Some(loss);
        };
        self.not_differentiable(diagnostic, name, at);
        None
    }

    /// Where the result of a function stands.
    fn result_span(&self, function: &Callable, at: SpanId) -> SpanId {
        match function {
            Callable::Closure(closure) => self.value_span(closure.result_span()),
            Callable::Kernel(index) => match self.ast.kernels.get(*index) {
                Some(kernel) => match &kernel.body {
                    ast::Body::Block(block) => {
                        let value = block.value.as_ref();
                        value.map_or(kernel.span, |value| self.value_span(value.span))
                    }
                    ast::Body::Mlir(_) | ast::Body::Import => kernel.span,
                },
                None => at,
            },
            Callable::Declared(declared) => self.result_span(&declared.callable, at),
            Callable::Derived(_) => at,
        }
    }

    /// Whether a result depends on all arguments; one that it does not depend on is reported.
    pub(super) fn uses_all(&mut self, followed: &Followed, result: &Tensor, name: &str) -> bool {
        let unused = followed.by.iter().find(|argument| {
            let names = argument.names();
            let result = std::slice::from_ref(&result.id);
            let depends = self.with_piece(&followed.mark, |piece| piece.depends(&names, result));
            !names.is_empty() && !depends
        });
        let Some(Argument { span, .. }) = unused else {
            return true;
        };
        let message = format!("what `{name}` differentiates does not depend on this argument");
        let help = "its derivative would be 0 everywhere: differentiate by another argument";
        self.report(Diagnostic::new(Code::NotDifferentiable, *span, message).help(help));
        false
    }

    /// Reports why there is no derivative.
    pub(super) fn refused(&mut self, error: &Error, name: &str, at: SpanId) {
        let Error::NotDifferentiable {
            operation,
            reason,
            span,
        } = error
        else {
            self.error(Code::Internal, at, error.to_string());
            return;
        };
        let (message, help) = match reason {
            Reason::Opaque if *operation == "import" => (
                "a function of the host has no derivative",
                "what is passed to it may count as a constant: `x.stop_gradient()`",
            ),
            Reason::Opaque => (
                "a kernel in MLIR has no derivative",
                "what is passed to it may count as a constant: `x.stop_gradient()`",
            ),
            Reason::Uncounted => (
                "backwards, a loop has a derivative only if it counts its iterations",
                "count the iterations, and leave: `for _ in range(0, 100) { if done { break; } … }`; \
                 or keep few of them, `checkpoint::<32>(f)`; or differentiate forwards, with `jvp`",
            ),
            Reason::Backwards => (
                "a kernel with a rule for `vjp` has no derivative forwards",
                "give it a rule for `jvp`, which serves both ways: `#[kernel(jvp = rule)]`",
            ),
            Reason::Global => (
                "a loop or branch that stores a global which is differentiated has no derivative",
                "hand the value on in a variable",
            ),
        };
        let diagnostic = Diagnostic::new(Code::NotDifferentiable, *span, message);
        self.not_differentiable(diagnostic.help(help), name, at);
    }
}
