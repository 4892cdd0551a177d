//! Patterns: names for values and their parts.

use super::{
    scope::Binding,
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::Value,
};
use crate::{
    ast::{Ident, Path, Pattern, PatternKind},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};

/// What a pattern says of the type of its value, if anything: how many items there are.
pub(crate) fn expected_type(pattern: &Pattern) -> Option<Type> {
    let item = |part| expected_type(part).unwrap_or(Tree::Leaf(TypeLeaf::Unknown));
    match &pattern.kind {
        PatternKind::Tuple(parts) => Some(Tree::Tuple(parts.iter().map(item).collect())),
        PatternKind::Array(parts) => Some(Tree::Array(parts.iter().map(item).collect())),
        _ => None,
    }
}

impl Tracer<'_> {
    /// Binds the names of a pattern.
    pub(crate) fn bind(&mut self, pattern: &Pattern, value: Value) {
        self.bind_typed(pattern, Some(value), None);
    }

    /// Binds the names of a pattern; a declared type stays with a single name.
    pub(crate) fn bind_typed(&mut self, pattern: &Pattern, value: Option<Value>, ty: Option<Type>) {
        match &pattern.kind {
            PatternKind::Ident { name, mutable } => self.frame.scopes.bind(
                &name.name,
                Binding {
                    value,
                    ty,
                    mutable: *mutable,
                },
            ),
            PatternKind::Wildcard => {}
            PatternKind::Tuple(parts) => {
                let items = match value {
                    Some(Tree::Tuple(items)) => Some(items),
                    _ => self.wrong_pattern(value, "a tuple", pattern.span),
                };
                self.bind_all(parts, items, pattern.span);
            }
            PatternKind::Array(parts) => {
                let items = match value {
                    Some(Tree::Array(items)) => Some(items),
                    _ => self.wrong_pattern(value, "an array", pattern.span),
                };
                self.bind_all(parts, items, pattern.span);
            }
            PatternKind::Struct { path, fields, rest } => {
                self.bind_struct(path, fields, *rest, value, pattern.span);
            }
            PatternKind::Error => {}
        }
    }

    fn wrong_pattern(
        &mut self,
        value: Option<Value>,
        expected: &str,
        span: SpanId,
    ) -> Option<Vec<Value>> {
        match value {
            Some(value) if !value.is_poisoned() => {
                let message = format!(
                    "the pattern takes {expected} apart, but the value is a `{}`",
                    value.ty()
                );
                self.error(Code::TypeMismatch, span, message);
            }
            Some(_) => {}
            None => {
                self.error(
                    Code::Assignment,
                    span,
                    "a pattern needs a value to take apart",
                );
            }
        }
        None
    }

    fn bind_all(&mut self, parts: &[Pattern], items: Option<Vec<Value>>, span: SpanId) {
        let items = match items {
            Some(items) if items.len() == parts.len() => items,
            Some(items) => {
                let expected = super::resolve::count(parts.len(), "element");
                let message = format!("the pattern has {expected}, the value has {}", items.len());
                self.error(Code::TypeMismatch, span, message);
                vec![Value::POISON; parts.len()]
            }
            None => vec![Value::POISON; parts.len()],
        };
        for (part, item) in parts.iter().zip(items) {
            self.bind(part, item);
        }
    }

    fn bind_struct(
        &mut self,
        path: &Path,
        fields: &[(Ident, Pattern)],
        rest: bool,
        value: Option<Value>,
        span: SpanId,
    ) {
        let name = path.last().map_or("", |segment| segment.name.name.as_str());
        let value = match value {
            Some(value @ Tree::Struct(..)) => value,
            value => {
                self.wrong_pattern(value, &format!("a `{name}`"), span);
                Value::POISON
            }
        };
        if let Tree::Struct(found, _) = &value
            && !self.may_name(name, found)
        {
            let message =
                format!("the pattern takes a `{name}` apart, but the value is a `{found}`");
            self.error(Code::TypeMismatch, span, message);
        }
        for (field, part) in fields {
            let item = match &value {
                Tree::Struct(owner, known) => {
                    let item = value.field(&field.name).cloned();
                    if item.is_none() {
                        let names = known.iter().map(|(name, _)| &**name);
                        self.unknown_field(&owner.to_string(), &field.name, names, field.span);
                    }
                    item.unwrap_or(Value::POISON)
                }
                _ => Value::POISON,
            };
            self.bind(part, item);
        }
        if let (Tree::Struct(owner, known), false) = (&value, rest) {
            let missing = known.iter().map(|(name, _)| &**name);
            let missing =
                missing.filter(|name| !fields.iter().any(|(field, _)| field.name == *name));
            let missing: Vec<_> = missing.map(|name| format!("`{name}`")).collect();
            if !missing.is_empty() {
                let message = format!("the pattern of `{owner}` lacks {}", missing.join(", "));
                let diagnostic = Diagnostic::new(Code::Field, span, message);
                self.report(diagnostic.help("write `..` at its end to leave fields out"));
            }
        }
    }
}
