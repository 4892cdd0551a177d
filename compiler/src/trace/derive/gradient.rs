//! `grad` and `value_and_grad`.

use super::{
    super::{
        closure::Callable,
        operation::OperationCall,
        resolve::count,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value},
    },
    Derived,
    follow::Followed,
    pieces::{ids, one_or_several, renamed},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::Shape;
use iree_dsl_ir::{Scalar, ValueId};

/// A function that computes the derivative of another.
#[derive(Debug)]
pub(crate) struct Gradient {
    /// The other.
    pub(super) function: Callable,
    /// The arguments that it is differentiated by.
    positions: Vec<usize>,
    /// Whether its value comes first.
    with_value: bool,
    name: &'static str,
}

pub(crate) fn grad(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    gradient(tracer, &call, false)
}

pub(crate) fn value_and_grad(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    gradient(tracer, &call, true)
}

fn gradient(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, with_value: bool) -> Option<Value> {
    let (function, span) = call.argument(0)?;
    let function = tracer.function_of((function, span), call.name)?;
    let positions = tracer.positions(call, &function)?;
    let gradient = Gradient {
        function,
        positions,
        with_value,
        name: call.name,
    };
    Some(Derived::Gradient(gradient).into())
}

impl Gradient {
    /// The derivative of a function by some arguments, without its value.
    pub(super) const fn new(function: Callable, positions: Vec<usize>, name: &'static str) -> Self {
        Self {
            function,
            positions,
            with_value: false,
            name,
        }
    }
}

impl Tracer<'_> {
    /// The arguments that stand between the angle brackets, the first without any.
    pub(super) fn positions(
        &mut self,
        call: &OperationCall<'_>,
        function: &Callable,
    ) -> Option<Vec<usize>> {
        let arity = self.arity(function);
        let mut positions = Vec::with_capacity(call.generics.len());
        for argument in call.generics {
            let dim = self.dimension(argument)?;
            let Some(position) = dim.known().filter(|at| !positions.contains(at)) else {
                let message = format!("`{}` takes the numbers of different arguments", call.name);
                self.error(Code::ArgumentCount, call.span, message);
                return None;
            };
            positions.push(position);
        }
        if call.generics.is_empty() {
            positions.push(0);
        }
        match positions.iter().find(|position| **position >= arity) {
            None => Some(positions),
            Some(position) => {
                let takes = count(arity, "parameter");
                let message = format!(
                    "`{}` differentiates by argument {position}, but the function has {takes}",
                    call.name
                );
                let diagnostic = Diagnostic::new(Code::ArgumentCount, call.span, message);
                self.report(diagnostic.help("arguments count from 0"));
                None
            }
        }
    }

    pub(super) fn apply_gradient(
        &mut self,
        gradient: &Gradient,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        let Gradient {
            function,
            positions,
            with_value,
            name,
        } = gradient;
        let followed = self.follow(function, arguments, positions, name, span)?;
        let (loss, rest) = match &followed.value {
            Tree::Tuple(parts) if parts.len() == 2 => (parts.first()?, parts.get(1)),
            value => (value, None),
        };
        let loss = self.loss(loss, function, name, span)?;
        if !self.uses_all(&followed, &loss, name) {
            return None;
        }
        let (loss, names, cotangents) = self.gradient_of(&followed, &loss, name, span)?;
        let rest = rest.map(|rest| renamed(rest, &names));
        let mut cotangents = cotangents.as_slice();
        let mut gradients = Vec::with_capacity(followed.by.len());
        for argument in &followed.by {
            let (own, others) = cotangents.split_at_checked(ids(&argument.value).len())?;
            gradients.push(self.tree_of(&argument.value, own));
            cotangents = others;
        }
        let gradients = one_or_several(gradients);
        Some(match (with_value, rest) {
            (true, Some(rest)) => Tree::Tuple(vec![Tree::Tuple(vec![loss, rest]), gradients]),
            (true, None) => Tree::Tuple(vec![loss, gradients]),
            (false, Some(rest)) => Tree::Tuple(vec![gradients, rest]),
            (false, None) => gradients,
        })
    }

    /// The loss, what stands for other values now, and the derivative of the loss.
    fn gradient_of(
        &mut self,
        followed: &Followed,
        loss: &Tensor,
        name: &str,
        span: SpanId,
    ) -> Option<(Value, iree_dsl_transform::Names, Vec<ValueId>)> {
        let (variables, results) = (followed.variables(), [loss.id]);
        let linear = self.with_piece(&followed.mark, |piece| {
            piece.linearise(&variables, &results)
        });
        let linear = linear
            .map_err(|error| self.refused(&error, name, span))
            .ok()?;
        self.builder.rename_globals(linear.names());
        let one = self
            .builder
            .splat(Scalar::Integer(1), loss.ty.dtype, &Shape::default(), span)
            .ok()?;
        let mark = self.builder.mark();
        let back = self.with_piece(&mark, |piece| linear.pull_back(piece, &[Some(one.id)]));
        let back = back
            .map_err(|error| self.refused(&error, name, span))
            .ok()?;
        let loss = renamed(&loss.clone().into(), linear.names());
        Some((loss, linear.names().clone(), back))
    }
}
