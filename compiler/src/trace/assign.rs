//! Assignment, plain and compound.

use super::{
    frame::Flow,
    globals::GlobalTree,
    place::{Owner, Place, Variable, global_type, part_mut},
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::Value,
};
use crate::{
    ast::{BinaryOperator, Expr, ExprKind, Receiver},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};

impl Tracer<'_> {
    /// `place = value`, `place op= value`.
    pub(crate) fn assign(
        &mut self,
        place: &Expr,
        operator: Option<(BinaryOperator, SpanId)>,
        value: &Expr,
        span: SpanId,
    ) -> Flow {
        let value = match operator {
            None => (self.value_for(place, value)?, value.span),
            Some(_) => (self.expr(value, None)?, value.span),
        };
        let assign = |tracer: &mut Self| {
            tracer.assign_value(place, operator, value, span)?;
            Ok(Tree::unit())
        };
        self.unless_left(assign, span)
    }

    /// The value of what is assigned, with the type of the place where that is known. A tuple for a tuple
    /// of places is evaluated element by element.
    fn value_for(&mut self, place: &Expr, value: &Expr) -> Flow {
        match (&place.kind, &value.kind) {
            (ExprKind::Tuple(places), ExprKind::Tuple(values)) if places.len() == values.len() => {
                Ok(Tree::Tuple(self.values_for(places, values, value.span)?))
            }
            (ExprKind::Array(places), ExprKind::Array(values)) if places.len() == values.len() => {
                Ok(Tree::Array(self.values_for(places, values, value.span)?))
            }
            _ => {
                let expected = match is_given(value) {
                    true => None,
                    false => self.expected_at(place),
                };
                self.expr(value, expected.as_ref())
            }
        }
    }

    fn values_for(&mut self, places: &[Expr], values: &[Expr], span: SpanId) -> Flow<Vec<Value>> {
        self.note_elements(span, values);
        let pairs = places.iter().zip(values);
        pairs
            .map(|(place, value)| self.value_for(place, value))
            .collect()
    }

    /// The type that what is assigned to an expression must have; `None` if that is not known. What finding out
    /// computes is forgotten: the place is found after the value.
    fn expected_at(&mut self, expr: &Expr) -> Option<Type> {
        if takes_apart(expr) {
            return None;
        }
        let (mark, state) = (self.builder.mark(), self.state());
        let mistakes = self.error_count();
        let place = self.place(expr);
        self.undo(mark, &state, mistakes);
        self.place_type(&place.ok()??)
    }

    /// Assigns a value, or what an operator makes of it and the value before.
    pub(super) fn assign_value(
        &mut self,
        expr: &Expr,
        operator: Option<(BinaryOperator, SpanId)>,
        value: (Value, SpanId),
        span: SpanId,
    ) -> Flow<()> {
        if operator.is_none() && self.take_apart(expr, &value)? {
            return Ok(());
        }
        let Some(place) = self.place(expr)? else {
            return Ok(());
        };
        let assign = |tracer: &mut Self| {
            tracer.assign_at(&place, operator, value, span);
            Ok(Tree::unit())
        };
        self.unless_left(assign, span)?;
        Ok(())
    }

    fn assign_at(
        &mut self,
        place: &Place,
        operator: Option<(BinaryOperator, SpanId)>,
        (value, value_span): (Value, SpanId),
        span: SpanId,
    ) {
        let value = match (&place.part, operator) {
            (None, None) => (value, value_span),
            (None, Some((operator, at))) => {
                let current = (self.value_at(place), place.span);
                let new = self.binary_value(operator, current, (value, value_span), at);
                (new, value_span)
            }
            // The whole tensor is assigned, with a part replaced.
            (Some(part), operator) => {
                let whole = self.whole_at(place);
                let Some(tensor) = self.tensor_around(part, whole, place.span) else {
                    return;
                };
                let value = (value, value_span);
                match self.write_indices(tensor, part, operator, value, span) {
                    Some(written) => (written.into(), span),
                    None => return,
                }
            }
        };
        match &place.owner {
            Owner::Global(tree, name) => self.assign_global(tree, name, value, place.span),
            Owner::Variable(variable) => self.assign_variable(variable, value),
        }
    }

    /// The type that the value of a place must have; `None` if it may change.
    fn place_type(&self, place: &Place) -> Option<Type> {
        if let Some(part) = &place.part {
            return Some(part.ty());
        }
        match &place.owner {
            Owner::Global(tree, _) => Some(global_type(tree)),
            Owner::Variable(variable) => self.variable_type(variable),
        }
    }

    fn variable_type(&self, variable: &Variable) -> Option<Type> {
        match variable.steps.is_empty() {
            true => self.frame.scopes.get(&variable.name)?.ty.clone(),
            false => variable.found.as_ref().map(Value::ty),
        }
    }

    fn assign_global(
        &mut self,
        tree: &GlobalTree,
        name: &str,
        (value, value_span): (Value, SpanId),
        place_span: SpanId,
    ) {
        let ty = global_type(tree);
        if matches!(ty, Type::Leaf(TypeLeaf::Poison)) {
            return;
        }
        if self.frame.receiver == Some(Receiver::Shared) {
            let procedure = self.frame.description.replacen("the procedure ", "", 1);
            let message = format!("{procedure} takes `&self` and cannot store the global `{name}`");
            let diagnostic = Diagnostic::new(Code::ImmutableStore, place_span, message);
            self.report(diagnostic.help("take `&mut self`"));
            return;
        }
        if tree.leaves().iter().any(|(_, leaf)| leaf.immutable) {
            let message = format!("the global `{name}` is immutable and cannot be stored");
            let diagnostic = Diagnostic::new(Code::ImmutableStore, place_span, message);
            let owner = self.owner_of(tree);
            self.report(match owner.filter(|owner| *owner != name) {
                Some(owner) => diagnostic.help(format!(
                    "it is another name for a part of `{owner}`: remove `immutable` from the attribute there"
                )),
                None => diagnostic.help("remove `immutable` from its attribute"),
            });
            return;
        }
        let value = self.conform(value, &ty, value_span, &format!("the global `{name}`"));
        if !value.is_poisoned() {
            self.store(tree, &value, place_span);
        }
    }

    /// The name of the global that (a part of) a global belongs to, which is another if that is an alias.
    fn owner_of(&self, tree: &GlobalTree) -> Option<&str> {
        let leaves = tree.leaves();
        let id = leaves.first().and_then(|(_, leaf)| leaf.id)?;
        let path = &self.ir.globals.get(id)?.name;
        path.split('.').next()
    }

    fn assign_variable(&mut self, variable: &Variable, (value, value_span): (Value, SpanId)) {
        if !self.check_assignable(variable) {
            return;
        }
        let Variable {
            name, span, steps, ..
        } = variable;
        let value = match self.variable_type(variable) {
            Some(ty) => self.conform(value, &ty, value_span, &format!("the variable `{name}`")),
            None => value,
        };
        let Some(binding) = self.frame.scopes.get_mut(name) else {
            return;
        };
        binding.assigned_at = *span;
        let value = match &variable.found {
            // A mistake has no structure of its own.
            Some(before) if value.is_poisoned() && !value.has_structure_of(before) => {
                Value::poison_of(&before.ty())
            }
            _ => value,
        };
        if steps.is_empty() {
            binding.value = Some(value);
        } else if let Some(part) = binding
            .value
            .as_mut()
            .and_then(|value| part_mut(value, steps))
        {
            *part = value;
        }
    }

    fn check_assignable(&mut self, variable: &Variable) -> bool {
        let (name, span) = (variable.name.as_str(), variable.span);
        if self.frame.scopes.is_within(name, self.frame.captured) {
            let message = format!("a closure cannot assign to `{name}`, which is around it");
            let diagnostic = Diagnostic::new(Code::Assignment, span, message);
            self.report(diagnostic.help("hand the new value on as a result of the closure"));
            return false;
        }
        let binding = self.frame.scopes.get(name);
        if binding.is_some_and(|binding| !binding.mutable && binding.value.is_some()) {
            let message = format!("`{name}` has a value and is not mutable");
            let diagnostic = Diagnostic::new(Code::Assignment, span, message);
            self.report(diagnostic.help(format!("declare it with `let mut {name}`")));
            return false;
        }
        true
    }

    /// Reports a name that no variable has.
    pub(super) fn no_variable(&mut self, name: &str, span: SpanId) {
        if name == "self" {
            self.bare_self(span);
            return;
        }
        let global = self.globals.get(name).is_some() && self.frame.receiver.is_some();
        let similar = nearest(name, self.frame.scopes.names()).map(str::to_owned);
        let message = format!("there is no variable `{name}` here");
        let diagnostic = Diagnostic::new(Code::UnknownName, span, message);
        self.report(match similar {
            _ if global => {
                diagnostic.help(format!("there is a global of that name: `self.{name}`"))
            }
            Some(similar) => diagnostic.help(format!(
                "there is something with a similar name: `{similar}`"
            )),
            None => diagnostic,
        });
    }
}

/// Whether an assignment takes its value apart.
const fn takes_apart(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Wildcard | ExprKind::Tuple(_) | ExprKind::Array(_) | ExprKind::Struct { .. }
    )
}

/// Whether a value is what it is wherever it is assigned.
const fn is_given(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Literal(_) | ExprKind::Path(_) | ExprKind::Field(..) | ExprKind::Index(..)
    )
}
