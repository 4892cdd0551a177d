//! Variables that no program can name. Branches and loops carry them like those of the user.

use super::{scope::Binding, tracer::Tracer, value::Value};
use crate::span::SpanId;

impl Tracer<'_> {
    /// Binds a hidden variable in the innermost block.
    pub(crate) fn hide(&mut self, name: &str, value: Option<Value>) {
        let binding = Binding {
            value,
            ty: None,
            mutable: true,
            assigned_at: SpanId::CALL_SITE,
        };
        self.frame.scopes.bind(name, binding);
    }

    /// The value of a hidden variable, if it has one.
    pub(crate) fn hidden(&self, name: &str) -> Option<Value> {
        self.frame.scopes.get(name)?.value.clone()
    }

    /// Gives a hidden variable another value.
    pub(crate) fn set_hidden(&mut self, name: &str, value: Value) {
        if let Some(binding) = self.frame.scopes.get_mut(name) {
            binding.value = Some(value);
        }
    }
}
