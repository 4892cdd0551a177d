//! What an expression does besides giving a value: it changes variables or globals, leaves, or tells the
//! host something.

use super::{frame::Flow, tracer::Tracer};

impl Tracer<'_> {
    /// Traces something, and finds out whether it does more than give a value.
    pub(crate) fn with_effects<R>(
        &mut self,
        trace: impl FnOnce(&mut Self) -> Flow<R>,
    ) -> (Flow<R>, bool) {
        let (before, mark) = (self.state(), self.builder.mark());
        let result = trace(self);
        let is_observed = self.are_observed([&self.builder.added_since(&mark)]);
        let changed = before.changes(&self.state());
        let changes = changed.map_or(true, |slots| !slots.is_empty());
        let leaves = result.is_err();
        (result, changes || leaves || is_observed)
    }
}
