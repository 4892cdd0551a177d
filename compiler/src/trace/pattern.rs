//! Patterns: names for values and their parts.

use super::{
    parts::List,
    scope::Binding,
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::Value,
};
use crate::ast::{Pattern, PatternKind};

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
        let span = pattern.span;
        match &pattern.kind {
            PatternKind::Ident { name, mutable } => self.frame.scopes.bind(
                &name.name,
                Binding {
                    value,
                    ty,
                    mutable: *mutable,
                    assigned_at: name.span,
                },
            ),
            PatternKind::Wildcard => {}
            PatternKind::Tuple(parts) => {
                let items = self.elements(List::Tuple, value, parts.len(), span);
                self.bind_all(parts, items);
            }
            PatternKind::Array(parts) => {
                let items = self.elements(List::Array, value, parts.len(), span);
                self.bind_all(parts, items);
            }
            PatternKind::Struct { path, fields, rest } => {
                let names: Vec<_> = fields.iter().map(|(name, _)| name).collect();
                let items = self.tree_fields(value, (path, &names, *rest), span);
                for ((_, part), item) in fields.iter().zip(items) {
                    self.bind(part, item);
                }
            }
            PatternKind::Error => {}
        }
    }

    fn bind_all(&mut self, parts: &[Pattern], items: Vec<Value>) {
        for (part, item) in parts.iter().zip(items) {
            self.bind(part, item);
        }
    }
}
