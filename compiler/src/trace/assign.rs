//! Assignment, plain and compound.

use super::{
    frame::Flow,
    globals::GlobalTree,
    index::part_shape,
    place::{Place, Step, part_mut},
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{BinaryOperator, Expr, ExprKind, Receiver},
    diagnostic::{Code, Diagnostic, nearest},
    span::SpanId,
};
use iree_abi::TensorType;

/// What an index takes a part of.
enum Indexed {
    Tensor(Tensor),
    /// An array of trees, or what cannot be indexed.
    Tree,
    /// What was reported already.
    Poison,
}

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
                let expected = self.type_at(place)?;
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

    /// The type that what is assigned to an expression must have; `None` if that is not known.
    fn type_at(&mut self, place: &Expr) -> Flow<Option<Type>> {
        match &place.kind {
            ExprKind::Wildcard
            | ExprKind::Tuple(_)
            | ExprKind::Array(_)
            | ExprKind::Struct { .. } => {
                return Ok(None);
            }
            ExprKind::Index(base, index) => match self.indexed(base)? {
                Indexed::Tensor(tensor) => return Ok(self.part_type(&tensor, index)),
                Indexed::Poison => return Ok(None),
                Indexed::Tree => {}
            },
            _ => {}
        }
        let target = self.place(place)?;
        Ok(target.and_then(|target| self.place_type(&target)))
    }

    /// The type of a part of a tensor. What its index computes is forgotten: it is computed after the value.
    fn part_type(&mut self, tensor: &Tensor, index: &Expr) -> Option<Type> {
        let (mark, state) = (self.builder.mark(), self.state());
        let mistakes = self.error_count();
        let selectors = self.selectors(tensor, index);
        self.undo(mark, &state, mistakes);
        let shape = part_shape(&selectors.ok()??)?;
        let ty = TensorType {
            dtype: tensor.ty.dtype,
            shape,
        };
        Some(Type::Leaf(TypeLeaf::Tensor(ty)))
    }

    /// Assigns a value, or what an operator makes of it and the value before.
    pub(super) fn assign_value(
        &mut self,
        place: &Expr,
        operator: Option<(BinaryOperator, SpanId)>,
        value: (Value, SpanId),
        span: SpanId,
    ) -> Flow<()> {
        if operator.is_none() && self.take_apart(place, &value)? {
            return Ok(());
        }
        if let ExprKind::Index(base, index) = &place.kind {
            match self.indexed(base)? {
                Indexed::Tensor(tensor) => {
                    return self.assign_part(base, index, tensor, operator, value, span);
                }
                Indexed::Poison => return Ok(()),
                Indexed::Tree => {}
            }
        }
        let Some(target) = self.place(place)? else {
            return Ok(());
        };
        let expected = self.place_type(&target);
        let value_span = value.1;
        let value = match operator {
            None => value.0,
            Some((operator, span)) => {
                let current = (self.expr(place, None)?, place.span);
                self.binary_value(operator, current, value, span)
            }
        };
        self.assign_place(target, expected, (value, value_span), place.span);
        Ok(())
    }

    fn assign_place(
        &mut self,
        target: Place,
        expected: Option<Type>,
        (value, value_span): (Value, SpanId),
        place_span: SpanId,
    ) {
        match target {
            Place::Global(tree, name) => {
                self.assign_global(&tree, &name, value, value_span, place_span);
            }
            Place::Variable { name, span, steps } => {
                self.assign_variable(&name, &steps, value, expected, (span, value_span));
            }
        }
    }

    /// What indexing an expression takes a part of.
    fn indexed(&mut self, base: &Expr) -> Flow<Indexed> {
        let path = matches!(
            base.kind,
            ExprKind::Path(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Reference(_)
        );
        if !path {
            return Ok(Indexed::Tree);
        }
        Ok(match self.expr(base, None)? {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => Indexed::Tensor(tensor),
            value if value.is_poisoned() => Indexed::Poison,
            _ => Indexed::Tree,
        })
    }

    /// `base[index] = value`: the whole tensor is assigned, with a part replaced.
    fn assign_part(
        &mut self,
        base: &Expr,
        index: &Expr,
        tensor: Tensor,
        operator: Option<(BinaryOperator, SpanId)>,
        value: (Value, SpanId),
        span: SpanId,
    ) -> Flow<()> {
        let Some(selectors) = self.selectors(&tensor, index)? else {
            return Ok(());
        };
        let value_span = value.1;
        let new = match operator {
            None => value.0,
            Some((operator, span)) => {
                let Some(old) = self.read_part(tensor.clone(), &selectors, index.span) else {
                    return Ok(());
                };
                self.binary_value(operator, (old.into(), index.span), value, span)
            }
        };
        if new.is_poisoned() {
            return Ok(());
        }
        match self.write_part(tensor, &selectors, (new, value_span), span) {
            Some(written) => self.assign_whole(base, written, span),
            None => Ok(()),
        }
    }

    /// Assigns a tensor to a place, which may be a part of another tensor itself.
    fn assign_whole(&mut self, base: &Expr, written: Tensor, span: SpanId) -> Flow<()> {
        if let ExprKind::Index(outer, position) = &base.kind
            && let Indexed::Tensor(whole) = self.indexed(outer)?
        {
            let Some(selectors) = self.selectors(&whole, position)? else {
                return Ok(());
            };
            let written = (written.into(), span);
            return match self.write_part(whole, &selectors, written, span) {
                Some(written) => self.assign_whole(outer, written, span),
                None => Ok(()),
            };
        }
        if let Some(target) = self.place(base)? {
            let expected = self.place_type(&target);
            self.assign_place(target, expected, (written.into(), span), base.span);
        }
        Ok(())
    }

    /// The type that the value of a place must have; `None` if it may change.
    fn place_type(&mut self, place: &Place) -> Option<Type> {
        match place {
            Place::Global(tree, _) => Some(tree.map(&mut |leaf| leaf.ty.clone())),
            Place::Variable { name, steps, .. } => {
                let binding = self.frame.scopes.get_mut(name)?;
                match steps.is_empty() {
                    true => binding.ty.clone(),
                    false => {
                        let part = part_mut(binding.value.as_mut()?, steps)?;
                        Some(part.ty())
                    }
                }
            }
        }
    }

    fn assign_global(
        &mut self,
        tree: &GlobalTree,
        name: &str,
        value: Value,
        value_span: SpanId,
        place_span: SpanId,
    ) {
        let ty = tree.map(&mut |leaf| leaf.ty.clone());
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
            self.report(diagnostic.help("remove `immutable` from its attribute"));
            return;
        }
        let value = self.conform(value, &ty, value_span, &format!("the global `{name}`"));
        if !value.is_poisoned() {
            self.store(tree, &value, place_span);
        }
    }

    fn assign_variable(
        &mut self,
        name: &str,
        steps: &[Step],
        value: Value,
        expected: Option<Type>,
        (name_span, value_span): (SpanId, SpanId),
    ) {
        if !self.check_assignable(name, steps, name_span) {
            return;
        }
        let value = match expected {
            Some(ty) => self.conform(value, &ty, value_span, &format!("the variable `{name}`")),
            None => value,
        };
        let Some(binding) = self.frame.scopes.get_mut(name) else {
            return;
        };
        binding.assigned_at = name_span;
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

    fn check_assignable(&mut self, name: &str, steps: &[Step], span: SpanId) -> bool {
        let Some(binding) = self.frame.scopes.get(name) else {
            self.unassignable(name, span);
            return false;
        };
        if self.frame.scopes.is_within(name, self.frame.captured) {
            let message = format!("a closure cannot assign to `{name}`, which is around it");
            let diagnostic = Diagnostic::new(Code::Assignment, span, message);
            self.report(diagnostic.help("hand the new value on as a result of the closure"));
            return false;
        }
        let first = binding.value.is_none() && steps.is_empty();
        if !binding.mutable && !first {
            let message = format!("`{name}` has a value and is not mutable");
            let diagnostic = Diagnostic::new(Code::Assignment, span, message);
            self.report(diagnostic.help(format!("declare it with `let mut {name}`")));
            return false;
        }
        let Some(value) = binding.value.clone() else {
            if !steps.is_empty() {
                let message = format!("a part of `{name}` is assigned before it has a value");
                self.error(Code::Assignment, span, message);
            }
            return steps.is_empty();
        };
        self.check_steps(value, steps)
    }

    /// Reports the first step that leads nowhere.
    fn check_steps(&mut self, mut value: Value, steps: &[Step]) -> bool {
        for step in steps {
            if value.is_poisoned() {
                return false;
            }
            let next = match step {
                Step::Member(member) => self.member(&value, member, Value::ty),
                Step::Element(..) if matches!(value, Value::Leaf(_)) => {
                    let message = "parts of tensors cannot be assigned";
                    self.error(Code::Unsupported, step.span(), message);
                    None
                }
                Step::Element(index, span) => self.element(&value, *index, *span),
            };
            match next {
                Some(next) => value = next,
                None => return false,
            }
        }
        true
    }

    fn unassignable(&mut self, name: &str, span: SpanId) {
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
