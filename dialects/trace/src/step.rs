use std::{sync::Arc, time::Duration};

use similar::{ChangeTag, TextDiff};

/// A run of a pass on an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pass: String,
    operation: String,
    before: Arc<str>,
    after: Option<Arc<str>>,
    duration: Option<Duration>,
}

/// How many lines differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Those that are there before only.
    pub removed: usize,
    /// Those that are there after only.
    pub added: usize,
}

impl Step {
    /// A step that has begun: one that failed, unless [`Self::end`] follows.
    pub fn begin(
        pass: impl Into<String>,
        operation: impl Into<String>,
        before: impl Into<Arc<str>>,
    ) -> Self {
        Self {
            pass: pass.into(),
            operation: operation.into(),
            before: before.into(),
            after: None,
            duration: None,
        }
    }

    /// The same step after the pass.
    #[must_use]
    pub fn end(self, after: impl Into<Arc<str>>) -> Self {
        Self {
            after: Some(after.into()),
            ..self
        }
    }

    /// The same step with how long it took.
    #[must_use]
    pub fn lasting(self, duration: Duration) -> Self {
        Self {
            duration: Some(duration),
            ..self
        }
    }

    /// The name of the pass.
    pub fn pass(&self) -> &str {
        &self.pass
    }

    /// The name of the operation, and that of its symbol if it has one: `func.func @main`.
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// The text of the operation before.
    pub fn before(&self) -> &str {
        &self.before
    }

    /// The text of the operation after, unless the pass failed or left it wrong.
    pub fn after(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// How long it took, with verification, if somebody measured that.
    pub fn duration(&self) -> Option<Duration> {
        self.duration
    }

    /// Whether the pass changed the operation.
    pub fn is_change(&self) -> bool {
        self.after
            .as_ref()
            .is_some_and(|after| *after != self.before)
    }

    /// How many lines differ.
    pub fn lines(&self) -> Lines {
        let mut lines = Lines::default();
        if self.is_change() {
            for change in self.comparison().iter_all_changes() {
                match change.tag() {
                    ChangeTag::Delete => lines.removed += 1,
                    ChangeTag::Insert => lines.added += 1,
                    ChangeTag::Equal => {}
                }
            }
        }
        lines
    }

    /// The lines that differ, in the unified form of `diff`, with three lines around them; empty if none does.
    pub fn difference(&self) -> String {
        let comparison = self.comparison();
        let mut unified = comparison.unified_diff();
        unified.header("before", &self.pass);
        unified.to_string()
    }

    fn comparison(&self) -> TextDiff<'_, '_, '_, str> {
        TextDiff::from_lines(self.before(), self.after().unwrap_or(self.before()))
    }
}
