//! Assignments that take a value apart: `(a, self.b) = (b, a)`, `[x, _] = pair`, `Params { w, .. } = p`.

use super::{frame::Flow, parts::List, tracer::Tracer, value::Value};
use crate::{
    ast::{Expr, ExprKind},
    span::SpanId,
};

impl Tracer<'_> {
    /// Assigns the parts of a value to the places in a tuple, array or tree, in order. Whether the
    /// expression is one of these.
    pub(super) fn take_apart(
        &mut self,
        place: &Expr,
        (value, value_span): &(Value, SpanId),
    ) -> Flow<bool> {
        let value = Some(value.clone());
        match &place.kind {
            ExprKind::Wildcard => {}
            ExprKind::Tuple(places) => {
                let items = self.elements(List::Tuple, value, places.len(), place.span);
                self.assign_all(places.iter(), items, *value_span)?;
            }
            ExprKind::Array(places) => {
                let items = self.elements(List::Array, value, places.len(), place.span);
                self.assign_all(places.iter(), items, *value_span)?;
            }
            ExprKind::Struct { path, fields, base } => {
                let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
                let items = self.tree_fields(value, (path, &names, base.is_some()), place.span);
                let places = fields.iter().map(|field| &field.value);
                self.assign_all(places, items, *value_span)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn assign_all<'e>(
        &mut self,
        places: impl Iterator<Item = &'e Expr>,
        items: Vec<Value>,
        value_span: SpanId,
    ) -> Flow<()> {
        for (position, (place, item)) in places.zip(items).enumerate() {
            let span = self.element_span(value_span, position);
            self.assign_value(place, None, (item, span), place.span)?;
        }
        Ok(())
    }
}
