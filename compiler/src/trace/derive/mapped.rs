//! Functions applied along the first axis: `vmap`, and the loops of Jacobians.

use super::{
    super::{
        closure::Callable,
        operation::{OperationCall, map},
        tracer::Tracer,
        tree::Tree,
        value::{Value, ValueLeaf},
    },
    Derived,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};

/// A function of slices along the first axis, applied to all of them.
#[derive(Debug)]
pub(crate) struct Batched {
    /// The function.
    pub(super) function: Callable,
}

/// A function of one tuple, of all leaves of its arguments.
#[derive(Debug)]
pub(crate) struct OnLeaves {
    function: Callable,
    /// The structure of its arguments.
    arguments: Vec<Value>,
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
            trees.push(value);
        }
        let before = self.builder.stored_globals().clone();
        let mapped = self.mapped(trees, batched.function.clone(), name, span)?;
        let after = self.builder.stored_globals();
        if before.differing(after).is_empty() && after.differing(&before).is_empty() {
            return Some(mapped);
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

    /// The results of a function of slices along the first axis, stacked.
    pub(super) fn mapped(
        &mut self,
        arguments: Vec<Value>,
        function: Callable,
        name: &'static str,
        span: SpanId,
    ) -> Option<Value> {
        // An array among them would be taken for several slices.
        let leaves = arguments.iter().flat_map(Value::tensors).map(Value::from);
        let leaves = Tree::Tuple(leaves.collect());
        let function = Derived::OnLeaves(OnLeaves {
            function,
            arguments,
        });
        let call = OperationCall {
            name,
            generics: &[],
            arguments: vec![(leaves, span), (function.into(), span)],
            options: Vec::new(),
            expected: None,
            span,
        };
        map(self, call)
    }

    pub(super) fn apply_on_leaves(
        &mut self,
        on_leaves: &OnLeaves,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        let (leaves, at) = arguments.into_iter().next()?;
        let mut tensors = leaves.tensors().into_iter();
        let trees = on_leaves.arguments.iter().map(|tree| {
            let tree = tree.map(&mut |_| {
                let tensor = tensors.next();
                tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
            });
            (tree, at)
        });
        let trees = trees.collect();
        Some(self.apply(&on_leaves.function, trees, None, span))
    }
}
