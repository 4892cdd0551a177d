//! `vmap`: a function that is traced on one element, and applied to a batch.

use super::{
    super::{
        builder::Mark,
        closure::Callable,
        operation::{OperationCall, leading_size},
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    Derived,
    pieces::ids,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{Dim, Shape, TensorType};
use iree_dsl_transform::Variable;

/// A function of slices along the first axis, applied to all of them.
#[derive(Debug)]
pub(crate) struct Batched {
    /// The function.
    pub(super) function: Callable,
}

pub(crate) fn vmap(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    let function = tracer.function_of(call.argument(0)?, call.name)?;
    Some(Derived::Batched(Batched { function }).into())
}

impl Tracer<'_> {
    pub(super) fn apply_batched(
        &mut self,
        batched: &Batched,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        let name = "vmap";
        let mut trees = Vec::with_capacity(arguments.len());
        for (value, span) in arguments {
            let value = self.materialize(value, name, span)?;
            self.check_first_axis(&value, name, span)?;
            trees.push((value, span));
        }
        let tensors: Vec<_> = trees.iter().flat_map(|(tree, _)| tree.tensors()).collect();
        let all = tensors.iter().cloned().map(Value::from);
        let size = leading_size(self, &Tree::Tuple(all.collect()), name, span)?;
        let mark = self.builder.mark();
        let elements = trees
            .iter()
            .map(|(tree, span)| (self.one_of_each(tree), *span));
        let elements: Vec<_> = elements.collect();
        let names = elements.iter().flat_map(|(tree, _)| ids(tree));
        let variables = names.zip(&tensors).map(|(name, tensor)| Variable {
            name,
            value: tensor.id,
        });
        let variables: Vec<_> = variables.collect();
        let before = self.builder.stored_globals().clone();
        let value = self.apply(&batched.function, elements, None, span);
        let value = self.materialize(value, name, span)?;
        let after = self.builder.stored_globals();
        if before.differing(after).is_empty() && after.differing(&before).is_empty() {
            return self.in_batch(&mark, &size, &variables, &value, (name, span));
        }
        let message = "a function that `vmap` applies to slices cannot store globals";
        let diagnostic = Diagnostic::new(Code::Unsupported, span, message);
        self.report(
            diagnostic.help("return the value, and store what `vmap` makes of all of them"),
        );
        None
    }

    /// Refuses tensors without axes.
    fn check_first_axis(&mut self, value: &Value, name: &str, span: SpanId) -> Option<()> {
        let mut tensors = value.tensors().into_iter();
        let Some(scalar) = tensors.find(|tensor| tensor.ty.shape.rank() == 0) else {
            return Some(());
        };
        let message = format!(
            "`{name}` maps the first axis, and a `{}` has none",
            scalar.ty
        );
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, span, message);
        self.report(diagnostic.help("let the closure capture it, so that it is the same for all"));
        None
    }

    /// A tree with names for one slice of each tensor.
    fn one_of_each(&mut self, tree: &Value) -> Value {
        tree.map(&mut |leaf| match leaf {
            ValueLeaf::Tensor(Tensor { ty, .. }) => {
                let dims = ty.shape.dims().iter().skip(1).cloned();
                let ty = TensorType::new(ty.dtype, Shape::new(dims.collect()));
                ValueLeaf::Tensor(self.builder.undefined(ty))
            }
            other => other.clone(),
        })
    }

    /// Applies what was added since a point to a batch of this size, and returns its value for all elements.
    pub(super) fn in_batch(
        &mut self,
        mark: &Mark,
        size: &Dim,
        variables: &[Variable],
        value: &Value,
        (name, span): (&str, SpanId),
    ) -> Option<Value> {
        let results = ids(value);
        let done = self.with_batching(mark, |batching| batching.map(size, variables, &results));
        let (results, names) = done
            .map_err(|error| self.refused(&error, name, span))
            .ok()?;
        self.builder.rename_globals(&names);
        Some(self.tree_of(value, &results))
    }
}
