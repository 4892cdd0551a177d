//! The parts of a value that is taken apart by a pattern or by an assignment.

use super::{tracer::Tracer, tree::Tree, value::Value};
use crate::{
    ast::{Ident, Path},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};

/// What a pattern without names takes apart.
#[derive(Clone, Copy)]
pub(crate) enum List {
    Tuple,
    Array,
}

impl Tracer<'_> {
    /// The elements of a tuple or array, of which there must be this many.
    pub(crate) fn elements(
        &mut self,
        list: List,
        value: Option<Value>,
        count: usize,
        span: SpanId,
    ) -> Vec<Value> {
        let items = match (list, value) {
            (List::Tuple, Some(Tree::Tuple(items))) | (List::Array, Some(Tree::Array(items))) => {
                Some(items)
            }
            (List::Tuple, value) => self.not_that(value, "a tuple", span),
            (List::Array, value) => self.not_that(value, "an array", span),
        };
        match items {
            Some(items) if items.len() == count => return items,
            Some(items) => {
                let expected = super::resolve::count(count, "element");
                let message = format!("the pattern has {expected}, the value has {}", items.len());
                self.error(Code::TypeMismatch, span, message);
            }
            None => {}
        }
        vec![Value::POISON; count]
    }

    /// The fields of a tree of that name. Without `rest` they must be all.
    pub(crate) fn tree_fields(
        &mut self,
        value: Option<Value>,
        (path, names, rest): (&Path, &[&Ident], bool),
        span: SpanId,
    ) -> Vec<Value> {
        let name = path.last().map_or("", |segment| segment.name.name.as_str());
        let value = match value {
            Some(value @ Tree::Struct(..)) => value,
            value => {
                self.not_that::<()>(value, &format!("a `{name}`"), span);
                return vec![Value::POISON; names.len()];
            }
        };
        let Tree::Struct(found, known) = &value else {
            return Vec::new();
        };
        if !self.may_name(name, found) {
            let message =
                format!("the pattern takes a `{name}` apart, but the value is a `{found}`");
            self.error(Code::TypeMismatch, span, message);
            return vec![Value::POISON; names.len()];
        }
        let known: Vec<&str> = known.iter().map(|(name, _)| &**name).collect();
        if !rest {
            self.check_all_fields(&found.to_string(), &known, names, span);
        }
        let fields = names.iter().map(|name| {
            let field = value.field(&name.name).cloned();
            if field.is_none() {
                let known = known.iter().copied();
                self.unknown_field(&found.to_string(), &name.name, known, name.span);
            }
            field.unwrap_or(Value::POISON)
        });
        fields.collect()
    }

    fn check_all_fields(&mut self, owner: &str, known: &[&str], names: &[&Ident], span: SpanId) {
        let missing = known
            .iter()
            .filter(|known| !names.iter().any(|name| name.name == **known))
            .map(|name| format!("`{name}`"));
        let missing: Vec<_> = missing.collect();
        if !missing.is_empty() {
            let message = format!("the pattern of `{owner}` lacks {}", missing.join(", "));
            let diagnostic = Diagnostic::new(Code::Field, span, message);
            self.report(diagnostic.help("write `..` at its end to leave fields out"));
        }
    }

    /// Reports a value that is not what a pattern takes apart.
    fn not_that<T>(&mut self, value: Option<Value>, expected: &str, span: SpanId) -> Option<T> {
        match value {
            Some(value) if value.is_poisoned() => {}
            Some(value) => {
                let message = format!(
                    "the pattern takes {expected} apart, but the value is a `{}`",
                    value.ty()
                );
                let help = match &value {
                    Tree::Array(_) => Some("an array is taken apart with `[a, b]`"),
                    Tree::Tuple(_) => Some("a tuple is taken apart with `(a, b)`"),
                    _ => None,
                };
                let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
                self.report(diagnostic.help_if(help.map(str::to_owned)));
            }
            None => {
                let message = "a pattern needs a value to take apart";
                self.error(Code::Assignment, span, message);
            }
        }
        None
    }
}
