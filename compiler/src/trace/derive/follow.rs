//! Traces a function with names of their own for what it is differentiated by.

use super::{
    super::{
        builder::Mark,
        closure::Callable,
        tracer::Tracer,
        types::Type,
        value::{Tensor, Value, ValueLeaf},
    },
    pieces::ids,
};
use crate::span::SpanId;
use iree_dsl_ir::ValueId;
use iree_dsl_transform::Variable;

/// A function that was traced to be differentiated.
pub(super) struct Followed {
    /// Where what it does starts.
    pub(super) mark: Mark,
    /// Its value.
    pub(super) value: Value,
    /// The arguments that it is differentiated by.
    pub(super) by: Vec<Argument>,
}

/// An argument that a function is differentiated by.
pub(super) struct Argument {
    /// What was given.
    pub(super) value: Value,
    /// Where that stands.
    pub(super) span: SpanId,
    /// The same with names of its own, which the function was traced with.
    named: Value,
}

impl Argument {
    /// What is read of it.
    pub(super) fn names(&self) -> Vec<ValueId> {
        ids(&self.named)
    }
}

impl Followed {
    /// All that the function is differentiated by.
    pub(super) fn variables(&self) -> Vec<Variable> {
        let arguments = self.by.iter().flat_map(|argument| {
            let names = argument.names().into_iter();
            names.zip(ids(&argument.value))
        });
        let variables = arguments.map(|(name, value)| Variable { name, value });
        variables.collect()
    }
}

impl Tracer<'_> {
    /// Traces a function, which is differentiated by the arguments at some positions. `None` if something was reported.
    pub(super) fn follow(
        &mut self,
        function: &Callable,
        mut arguments: Vec<(Value, SpanId)>,
        positions: &[usize],
        name: &str,
        span: SpanId,
    ) -> Option<Followed> {
        for position in positions {
            let declared = self.parameter_type(function, *position, &arguments);
            if let Some((value, span)) = arguments.get_mut(*position) {
                if let Some(ty) = declared.filter(Type::is_known) {
                    *value = self.typed(value, &ty, *span);
                }
                *value = self.open_literals(value, *span);
                *value = self.differentiable(value.clone(), *position, name, *span)?;
            }
        }
        let mark = self.builder.mark();
        let mut by = Vec::with_capacity(positions.len());
        for position in positions {
            let (value, span) = arguments.get_mut(*position)?;
            let named = self.with_own_names(value);
            by.push(Argument {
                value: std::mem::replace(value, named.clone()),
                span: *span,
                named,
            });
        }
        self.deriving += 1;
        let value = self.apply(function, arguments, None, span);
        self.deriving -= 1;
        let value = self.settled(&value, name, span);
        (!value.is_poisoned()).then_some(Followed { mark, value, by })
    }

    /// The type that a parameter is declared with, as far as the arguments tell it.
    pub(crate) fn parameter_type(
        &mut self,
        function: &Callable,
        position: usize,
        arguments: &[(Value, SpanId)],
    ) -> Option<Type> {
        match function {
            Callable::Closure(closure) => {
                let written = closure.written_types().get(position).copied().flatten()?;
                let frame = closure.frame(SpanId::CALL_SITE);
                Some(self.in_frame(frame, |tracer| tracer.resolve(written)))
            }
            Callable::Kernel(index) => {
                let kernel = self.ast.kernels.get(*index)?;
                self.told_parameter(kernel, position, arguments)
            }
            Callable::Declared(declared) => declared.ty.parameters.get(position).cloned(),
            Callable::Derived(derived) => {
                let inner = derived.function()?;
                self.parameter_type(inner, position, arguments)
            }
        }
    }

    /// The value with literals as tensors that take their element types in the function.
    fn open_literals(&mut self, value: &Value, span: SpanId) -> Value {
        let mut leaves = 0..;
        value.map(&mut |leaf| {
            let origin = leaves.next().map(|leaf| (span, leaf));
            let tensor = match (leaf, origin) {
                (ValueLeaf::Static(number), Some(origin)) if number.ty.is_weak() => {
                    self.open_literal(*number, origin)
                }
                _ => None,
            };
            tensor.map_or_else(|| leaf.clone(), ValueLeaf::Tensor)
        })
    }

    fn with_own_names(&mut self, value: &Value) -> Value {
        value.map(&mut |leaf| match leaf {
            ValueLeaf::Tensor(Tensor { ty, weak, .. }) => ValueLeaf::Tensor(Tensor {
                weak: *weak,
                ..self.builder.undefined(ty.clone())
            }),
            other => other.clone(),
        })
    }

    /// The value with what waits for its type as tensors: what that is built from is not there for long.
    fn settled(&mut self, value: &Value, name: &str, span: SpanId) -> Value {
        value.map(&mut |leaf| match leaf {
            ValueLeaf::Deferred(_) => {
                let tensor = self.tensor(Value::Leaf(leaf.clone()), name, span);
                tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
            }
            other => other.clone(),
        })
    }
}
