//! Derivatives: functions of functions, which are there while tracing only.
//!
//! The function is traced where its derivative is asked for, with names of their own for what it is differentiated by
//! (`follow`). Then `iree_dsl_transform` goes over the operations that it made, and adds those of the derivative behind them.

mod checkpoint;
mod follow;
mod gradient;
mod jacobian;
mod mapped;
mod mistakes;
mod pieces;
mod pullback;
mod rules;
mod tangents;
mod trees;

pub(crate) use checkpoint::checkpoint;
pub(crate) use gradient::{grad, value_and_grad};
pub(crate) use jacobian::{hessian, jacfwd, jacrev};
pub(crate) use mapped::vmap;
pub(crate) use pullback::vjp;
pub(crate) use tangents::jvp;
pub(crate) use trees::{fold_tree, map_tree, stop_gradient, zip_tree};

use super::{
    closure::Callable,
    operation,
    tracer::Tracer,
    value::{Value, ValueLeaf},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use checkpoint::Checkpointed;
use gradient::Gradient;
use jacobian::Jacobian;
use mapped::Batched;
use pullback::Pullback;
use std::rc::Rc;

/// A function that is made of another.
#[derive(Debug)]
pub(crate) enum Derived {
    /// `grad(f)` and `value_and_grad(f)`.
    Gradient(Gradient),
    /// What `vjp` returns beside the value.
    Pullback(Pullback),
    /// `jacfwd(f)`, `jacrev(f)` and `hessian(f)`.
    Jacobian(Jacobian),
    /// `vmap(f)`.
    Batched(Batched),
    /// `checkpoint(f)`.
    Checkpointed(Checkpointed),
}

impl Derived {
    /// The function that it is made of, if it takes the same arguments.
    const fn function(&self) -> Option<&Callable> {
        match self {
            Self::Gradient(gradient) => Some(&gradient.function),
            Self::Jacobian(jacobian) => Some(&jacobian.function),
            Self::Checkpointed(checkpointed) => Some(&checkpointed.function),
            Self::Pullback(_) | Self::Batched(_) => None,
        }
    }
}

impl From<Derived> for Callable {
    fn from(derived: Derived) -> Self {
        Self::Derived(Rc::new(derived))
    }
}

impl From<Derived> for Value {
    fn from(derived: Derived) -> Self {
        Self::Leaf(ValueLeaf::Callable(derived.into()))
    }
}

impl Tracer<'_> {
    /// How many values a function that is made of another is applied to.
    pub(crate) fn derived_arity(&self, derived: &Derived) -> usize {
        match derived {
            Derived::Gradient(gradient) => self.arity(&gradient.function),
            Derived::Jacobian(jacobian) => self.arity(&jacobian.function),
            Derived::Batched(batched) => self.arity(&batched.function),
            Derived::Checkpointed(checkpointed) => self.arity(&checkpointed.function),
            Derived::Pullback(_) => 1,
        }
    }

    /// The value of a call of a function that is made of another.
    pub(crate) fn apply_derived(
        &mut self,
        derived: &Derived,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Value {
        let value = match derived {
            Derived::Gradient(gradient) => self.apply_gradient(gradient, arguments, span),
            Derived::Pullback(pullback) => self.apply_pullback(pullback, arguments, span),
            Derived::Jacobian(jacobian) => self.apply_jacobian(jacobian, arguments, span),
            Derived::Batched(batched) => self.apply_batched(batched, arguments, span),
            Derived::Checkpointed(checkpointed) => {
                Some(self.apply_checkpointed(checkpointed, arguments, span))
            }
        };
        value.unwrap_or(Value::POISON)
    }

    /// What can be differentiated; `None` if it was reported that a value cannot.
    fn function_of(&mut self, (value, span): (Value, SpanId), name: &str) -> Option<Callable> {
        match value {
            Value::Leaf(ValueLeaf::Callable(callable)) => Some(callable),
            value => {
                if !value.is_poisoned() {
                    let found = value.ty();
                    let message = format!("`{name}` takes a closure or a kernel, found `{found}`");
                    let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
                    self.report(diagnostic.help_if(operation::called_as(name)));
                }
                None
            }
        }
    }
}
