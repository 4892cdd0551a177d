//! Where the IREE compiler crashed.

use super::operation_spans;
use crate::{
    artifact::{Failure, Message, Severity},
    diagnostic::Diagnostic,
    pipeline::backend::fallback,
    span::{SpanId, SpanTable},
};
use iree_dsl_ir::Module;

/// What the compiler says of a pass that crashed, before the name of the pass.
const CRASHED: &str = "Pipeline failed while executing `";

/// A pass of the compiler that crashed.
pub(super) struct Crash<'m> {
    pass: &'m str,
    /// The expression that the code comes from which it ran on, unless that is the whole module.
    expression: Option<SpanId>,
}

/// The crash that messages tell of.
pub(super) fn find<'m>(
    messages: &'m [Message],
    module: &Module,
    spans: &SpanTable,
) -> Option<Crash<'m>> {
    messages.iter().find_map(|message| {
        let named = message.text.strip_prefix(CRASHED);
        let (pass, _) = named
            .filter(|_| message.severity == Severity::Note)?
            .split_once('`')?;
        let place = message.location.as_ref();
        let expression = place.and_then(|place| spans.widest_at(place, operation_spans(module)));
        Some(Crash { pass, expression })
    })
}

impl Crash<'_> {
    pub(super) fn describe(
        &self,
        failure: &Failure,
        module: &Module,
        spans: &SpanTable,
    ) -> Diagnostic {
        let span = self.expression.unwrap_or(SpanId::CALL_SITE);
        let what = match self.expression {
            Some(_) => "on the code of this operation and what is fused with it",
            None => "on the whole program",
        };
        let note = format!("it crashed in its pass `{}`, {what}", self.pass);
        let mut diagnostic = Diagnostic::new(failure.code(), span, failure.to_string()).note(note);
        diagnostic
            .notes
            .extend(fallback::calls(module, span, spans));
        diagnostic
    }
}
