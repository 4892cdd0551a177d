//! `vjp`: the value of a function, and one that leads changes of it back.

use super::{
    super::{closure::Callable, operation::OperationCall, tracer::Tracer, value::Value},
    Derived,
    pieces::{ids, one_or_several, renamed},
};
use crate::span::SpanId;
use iree_dsl_ir::ValueId;
use iree_dsl_transform::Linearised;

/// A function that leads changes of the value of another back to its arguments.
#[derive(Debug)]
pub(crate) struct Pullback {
    linear: Linearised,
    /// The value, of whose types cotangents are.
    value: Value,
    arguments: Vec<Value>,
}

pub(crate) fn vjp(tracer: &mut Tracer<'_>, mut call: OperationCall<'_>) -> Option<Value> {
    let (name, span) = (call.name, call.span);
    let arguments = call.arguments.split_off(1);
    let function = tracer.function_of(call.argument(0)?, name)?;
    if !tracer.takes(&function, arguments.len(), name, span) {
        return None;
    }
    let positions: Vec<_> = (0..arguments.len()).collect();
    let (value, pullback) = tracer.pullback(&function, arguments, &positions, name, span)?;
    let back = Derived::Pullback(pullback).into();
    Some(Value::Tuple(vec![value, back]))
}

impl Tracer<'_> {
    /// Whether a function is applied to so many values; reported if not.
    pub(super) fn takes(
        &mut self,
        function: &Callable,
        found: usize,
        name: &str,
        span: SpanId,
    ) -> bool {
        let arity = self.arity(function);
        if arity == found {
            return true;
        }
        let takes = super::super::resolve::count(arity, "argument");
        let message =
            format!("the function that `{name}` differentiates takes {takes}, found {found}");
        self.error(crate::diagnostic::Code::ArgumentCount, span, message);
        false
    }

    /// The value of a function, and what leads changes of it back.
    pub(super) fn pullback(
        &mut self,
        function: &Callable,
        arguments: Vec<(Value, SpanId)>,
        positions: &[usize],
        name: &str,
        span: SpanId,
    ) -> Option<(Value, Pullback)> {
        let followed = self.follow(function, arguments, positions, name, span)?;
        let value = self.materialize(followed.value.clone(), name, span)?;
        let (variables, results) = (followed.variables(), ids(&value));
        let linear = self.with_piece(&followed.mark, |piece| {
            piece.linearise(&variables, &results)
        });
        let linear = linear
            .map_err(|error| self.refused(&error, name, span))
            .ok()?;
        self.builder.rename_globals(linear.names());
        let value = renamed(&value, linear.names());
        let arguments = followed.by.into_iter().map(|argument| argument.value);
        let pullback = Pullback {
            linear,
            value: value.clone(),
            arguments: arguments.collect(),
        };
        Some((value, pullback))
    }

    pub(super) fn apply_pullback(
        &mut self,
        pullback: &Pullback,
        arguments: Vec<(Value, SpanId)>,
        span: SpanId,
    ) -> Option<Value> {
        let (cotangent, at) = arguments.into_iter().next()?;
        let cotangent = self.conform(cotangent, &pullback.value.ty(), at, "the cotangent");
        if cotangent.is_poisoned() {
            return None;
        }
        let seeds: Vec<_> = ids(&cotangent).into_iter().map(Some).collect();
        self.pulled_back(pullback, &seeds, span)
    }

    /// The cotangents of the arguments for those of the tensors of the value, of which some may be none.
    pub(super) fn pulled_back(
        &mut self,
        pullback: &Pullback,
        seeds: &[Option<ValueId>],
        span: SpanId,
    ) -> Option<Value> {
        let mark = self.builder.mark();
        let back = self.with_piece(&mark, |piece| pullback.linear.pull_back(piece, seeds));
        let back = back
            .map_err(|error| self.refused(&error, "vjp", span))
            .ok()?;
        let mut back = back.as_slice();
        let mut trees = Vec::with_capacity(pullback.arguments.len());
        for argument in &pullback.arguments {
            let (own, others) = back.split_at_checked(ids(argument).len())?;
            trees.push(self.tree_of(argument, own));
            back = others;
        }
        Some(one_or_several(trees))
    }
}
