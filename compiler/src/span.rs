//! Where things stand in the user's source.
//!
//! Stages carry a [`SpanId`]; only this table knows what `rustc` calls a span.

use proc_macro2::Span;
use std::{fmt, path::PathBuf};

pub use iree_dsl_ir::SpanId;

/// A position in the user's source. Lines and columns count from one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file, as `rustc` names it.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The first and last token of every range that has a [`SpanId`].
pub struct SpanTable {
    entries: Vec<(Span, Span)>,
    /// What every range is named, if they are not told apart.
    only: Option<SpanId>,
}

impl SpanTable {
    /// A table that knows the macro's call site only.
    pub fn new() -> Self {
        Self::called_at(Span::call_site())
    }

    /// A table for a macro that goes on with what another one began, which was called there.
    pub fn called_at(call_site: Span) -> Self {
        Self {
            entries: vec![(call_site, call_site)],
            only: None,
        }
    }

    /// A table that gives every range the name of one in another table.
    pub fn all_at(place: SpanId) -> Self {
        Self {
            only: Some(place),
            ..Self::new()
        }
    }

    /// Adds the range from the first to the last token.
    pub fn insert(&mut self, first: Span, last: Span) -> SpanId {
        if let Some(place) = self.only {
            return place;
        }
        let Ok(index) = u32::try_from(self.entries.len()) else {
            return SpanId::CALL_SITE;
        };
        self.entries.push((first, last));
        SpanId::new(index)
    }

    /// The spans of the first and last token.
    pub fn ends(&self, id: SpanId) -> (Span, Span) {
        let found = usize::try_from(id.index())
            .ok()
            .and_then(|index| self.entries.get(index));
        let call_site = self.entries.first();
        let found = found.or(call_site).copied();
        found.unwrap_or_else(|| (Span::call_site(), Span::call_site()))
    }

    /// Where the range starts.
    pub fn location(&self, id: SpanId) -> Location {
        let (first, _) = self.ends(id);
        let start = first.start();
        Location {
            file: first.file(),
            line: start.line,
            column: start.column + 1,
        }
    }

    /// The file that the range stands in, if there is one on this machine.
    pub fn file(&self, id: SpanId) -> Option<PathBuf> {
        self.ends(id).0.local_file()
    }

    /// Of these ranges the one that starts at a location; the widest, if there are several.
    pub fn widest_at(
        &self,
        location: &Location,
        candidates: impl Iterator<Item = SpanId>,
    ) -> Option<SpanId> {
        let end = |id: &SpanId| {
            let end = self.ends(*id).1.end();
            (end.line, end.column)
        };
        candidates
            .filter(|id| self.location(*id) == *location)
            .max_by_key(end)
    }
}

impl Default for SpanTable {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenStream;

    #[test]
    fn ranges_are_found_by_their_start() {
        let tokens: TokenStream = "a\n b + c * d".parse().unwrap();
        let spans: Vec<Span> = tokens.into_iter().map(|token| token.span()).collect();
        let mut table = SpanTable::new();
        let narrow = table.insert(spans[1], spans[1]);
        let wide = table.insert(spans[1], spans[5]);
        let other = table.insert(spans[3], spans[5]);
        let at = table.location(narrow);
        assert_eq!((at.line, at.column), (2, 2));
        let candidates = || [other, wide, narrow].into_iter();
        assert_eq!(table.widest_at(&at, candidates()), Some(wide));
        let elsewhere = Location { line: 7, ..at };
        assert_eq!(table.widest_at(&elsewhere, candidates()), None);
    }
}
