//! Tests of the stage as a whole; positions in the expected texts are lines and columns of the source.

mod contract;
mod foreign;
mod mistakes;
mod robust;
mod syntax;

use super::{ModuleKind, Parsed, Source, parse};
use crate::diagnostic::Report;
use crate::span::SpanTable;
use proc_macro2::TokenStream;
use std::str::FromStr;

/// What a source gives.
struct Outcome {
    parsed: Option<Parsed>,
    report: Report,
    spans: SpanTable,
}

impl Outcome {
    fn of(attribute: &str, source: &str) -> Self {
        Self::of_kind(ModuleKind::Program, attribute, source)
    }

    fn of_kind(kind: ModuleKind, attribute: &str, source: &str) -> Self {
        let tokens = |text| TokenStream::from_str(text).expect("the source is made of tokens");
        let mut spans = SpanTable::new();
        let mut report = Report::default();
        let source = Source::attributed(kind, tokens(attribute), tokens(source));
        let parsed = parse(&source, &mut spans, &mut report);
        Self {
            parsed,
            report,
            spans,
        }
    }

    /// The mistakes as `line:column code: message`, and the help behind an arrow.
    fn mistakes(&self) -> Vec<String> {
        let mistakes = self.report.diagnostics().iter();
        mistakes
            .map(|mistake| {
                let at = self.spans.location(mistake.span);
                let help = mistake.help.as_ref().map(|help| format!(" => {help}"));
                format!(
                    "{}:{} {}: {}{}",
                    at.line,
                    at.column,
                    mistake.code,
                    mistake.message,
                    help.unwrap_or_default()
                )
            })
            .collect()
    }
}

/// A program whose only procedure has this body, which starts in line 2, column 1.
fn with_body(body: &str) -> String {
    format!("mod m {{ struct P; impl P {{ pub fn run(&self) {{\n{body}\n}} }} }}")
}
