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
}

impl Report {
    /// Records a mistake; the same one at the same place is recorded once, which matters for
    /// kernels that are traced several times.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let known = self.diagnostics.iter().any(|other| {
            (other.code, other.span, &other.message)
                == (diagnostic.code, diagnostic.span, &diagnostic.message)
        });
        if !known {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Takes back what was recorded last, down to this many mistakes.
    pub fn truncate(&mut self, len: usize) {
        self.diagnostics.truncate(len);
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

    #[test]
    fn a_mistake_is_recorded_once() {
        let mut report = Report::default();
        let mistake = Diagnostic::new(Code::Syntax, SpanId::CALL_SITE, "no");
        report.push(mistake.clone());
        report.push(mistake.note("in another instance"));
        assert_eq!(report.diagnostics().len(), 1);
    }
}
