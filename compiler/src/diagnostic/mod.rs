//! Mistakes in a user's program: what is said, and where.

mod code;
mod suggest;

pub use code::Code;
pub use suggest::nearest;

use crate::span::SpanId;

/// One mistake, reported at the token that caused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that was broken.
    pub code: Code,
    /// Where.
    pub span: SpanId,
    /// What was expected and what was found.
    pub message: String,
    /// How it came to this: `in the kernel `linear` called at src/main.rs:12:9`.
    pub notes: Vec<String>,
    /// The obvious fix, if there is one.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake without notes and help.
    pub fn new(code: Code, span: SpanId, message: impl Into<String>) -> Self {
        Self {
            code,
            span,
            message: message.into(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Adds the obvious fix.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the obvious fix, if there is one.
    #[must_use]
    pub fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds how it came to this.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// What the user is told while building, though nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What it is about, as an identifier.
    pub topic: &'static str,
    /// Where it belongs.
    pub span: SpanId,
    /// What is told.
    pub text: String,
}

/// The mistakes found so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
    /// Which tracing of a function each comes from; nothing for what is read once.
    tracings: Vec<Option<usize>>,
}

impl Report {
    /// Records a mistake; the same one at the same place is recorded once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.record(diagnostic, None);
    }

    /// Records a mistake that was found while a function was traced. What other tracings of the function find of the
    /// same kind at the same place is the same mistake, though the types in its message are others: a generic kernel
    /// is traced once for each instance, a closure each time that it is applied.
    pub fn push_traced(&mut self, diagnostic: Diagnostic, tracing: usize) {
        self.record(diagnostic, Some(tracing));
    }

    fn record(&mut self, diagnostic: Diagnostic, tracing: Option<usize>) {
        let is_known = |(other, of): (&Diagnostic, &Option<usize>)| {
            let is_placed = diagnostic.span != SpanId::CALL_SITE;
            let is_retraced = is_placed && of.is_some() && tracing.is_some() && *of != tracing;
            (other.code, other.span) == (diagnostic.code, diagnostic.span)
                && (is_retraced || other.message == diagnostic.message)
        };
        let mut known = self.diagnostics.iter().zip(&self.tracings);
        if !known.any(is_known) {
            self.diagnostics.push(diagnostic);
            self.tracings.push(tracing);
        }
    }

    /// Takes back what was recorded last, down to this many mistakes.
    pub fn truncate(&mut self, len: usize) {
        self.diagnostics.truncate(len);
        self.tracings.truncate(len);
    }

    /// Whether nothing was wrong.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// The mistakes in the order in which they were found.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::SpanTable;

    #[test]
    fn a_mistake_is_recorded_once() {
        let mut report = Report::default();
        let mistake = Diagnostic::new(Code::Syntax, SpanId::CALL_SITE, "no");
        report.push(mistake.clone());
        report.push(mistake.note("in another instance"));
        assert_eq!(report.diagnostics().len(), 1);
    }

    #[test]
    fn a_mistake_of_several_instances_is_recorded_once() {
        let token = proc_macro2::Span::call_site();
        let place = SpanTable::new().insert(token, token);
        let mistake = |message: &str| Diagnostic::new(Code::ShapeMismatch, place, message);
        let mut report = Report::default();
        report.push_traced(mistake("3 and 4 differ"), 1);
        report.push_traced(mistake("the result is no scalar"), 1);
        report.push_traced(mistake("5 and 6 differ"), 2);
        report.push_traced(Diagnostic::new(Code::Axis, place, "no axis 2"), 2);
        let messages = report.diagnostics().iter();
        let messages: Vec<_> = messages.map(|mistake| mistake.message.as_str()).collect();
        let expected = ["3 and 4 differ", "the result is no scalar", "no axis 2"];
        assert_eq!(messages, expected);
    }
}
