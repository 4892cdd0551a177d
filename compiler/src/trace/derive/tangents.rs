//! `jvp`: the value of a function, and how it changes with its arguments.

use super::{
    super::{
        closure::Callable,
        operation::OperationCall,
        tracer::Tracer,
        tree::Tree,
        value::{Value, ValueLeaf},
    },
    pieces::{ids, renamed},
};
use crate::{diagnostic::Code, span::SpanId};
use iree_dsl_ir::Scalar;

pub(crate) fn jvp(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let (name, span) = (call.name, call.span);
    let function = tracer.function_of(call.argument(0)?, name)?;
    let arity = tracer.arity(&function);
    let arguments = tracer.list(call.argument(1)?, arity, "the arguments", name)?;
    let tangents = tracer.list(call.argument(2)?, arity, "the tangents", name)?;
    let positions: Vec<_> = (0..arity).collect();
    let pushed = tracer.pushed(&function, arguments, &positions, tangents, name, span);
    let (value, tangent) = pushed?;
    Some(Tree::Tuple(vec![value, tangent]))
}

impl Tracer<'_> {
    /// A value for each parameter: the items of a tuple, or the value itself for the only one.
    fn list(
        &mut self,
        (value, span): (Value, SpanId),
        arity: usize,
        what: &str,
        name: &str,
    ) -> Option<Vec<(Value, SpanId)>> {
        match value {
            Tree::Tuple(items) if items.len() == arity => {
                let items = items.into_iter().enumerate();
                let items = items.map(|(at, item)| (item, self.element_span(span, at)));
                Some(items.collect())
            }
            value if arity == 1 => Some(vec![(value, span)]),
            value => {
                let found = value.ty();
                let message = format!(
                    "{what} of `{name}` are a tuple of {arity}, one for each parameter, found `{found}`"
                );
                self.error(Code::TypeMismatch, span, message);
                None
            }
        }
    }

    /// The value of a function, and its tangent, in which what has none is zero.
    pub(super) fn pushed(
        &mut self,
        function: &Callable,
        mut arguments: Vec<(Value, SpanId)>,
        positions: &[usize],
        tangents: Vec<(Value, SpanId)>,
        name: &str,
        span: SpanId,
    ) -> Option<(Value, Value)> {
        let mut given = Vec::new();
        for (position, (tangent, at)) in positions.iter().zip(tangents) {
            let (value, span) = arguments.get_mut(*position)?;
            *value = self.differentiable(value.clone(), *position, name, *span)?;
            let tangent = self.conform(tangent, &value.ty(), at, "the tangent");
            if tangent.is_poisoned() {
                return None;
            }
            given.extend(ids(&tangent));
        }
        let followed = self.follow(function, arguments, positions, name, span)?;
        let value = self.materialize(followed.value.clone(), name, span)?;
        let variables: Vec<_> = followed.variables().into_iter().zip(given).collect();
        let results = ids(&value);
        let pushed = self.with_piece(&followed.mark, |piece| {
            piece.push_forward(&variables, &results)
        });
        let (tangents, names) = pushed
            .map_err(|error| self.refused(&error, name, span))
            .ok()?;
        self.builder.rename_globals(&names);
        let value = renamed(&value, &names);
        let mut tangents = tangents.into_iter();
        let tangent = value.map(&mut |leaf| {
            let ValueLeaf::Tensor(tensor) = leaf else {
                return ValueLeaf::Poison;
            };
            let tangent = tangents.next().flatten();
            let tangent = tangent.and_then(|id| self.builder.tensor(id));
            let zero = Scalar::zero(tensor.ty.dtype);
            let (dtype, shape) = (tensor.ty.dtype, &tensor.ty.shape);
            let tangent = tangent.or_else(|| self.builder.splat(zero, dtype, shape, span).ok());
            tangent.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
        });
        Some((value, tangent))
    }
}
