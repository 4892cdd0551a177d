//! What the IREE compiler says of kernels that are written as MLIR, at their text.

use crate::{
    artifact::{self, Environment, Message, Request, Severity, Target, UserFlag},
    ast::{Body, MlirText, Program},
    diagnostic::{Code, Diagnostic},
    lower::{Text, texts},
    span::{Location, SpanId, SpanTable},
};
use iree_dsl_ir::Module;

/// Reads a module as far as its operations are those of IREE's own dialects.
const READ: &str = "--compile-to=input";

/// The kernels of a program that are written as MLIR.
pub(super) struct Texts<'a> {
    texts: Vec<Text<'a>>,
    program: &'a Program,
    pub(super) spans: &'a SpanTable,
}

impl<'a> Texts<'a> {
    pub(super) fn new(module: &'a Module, program: &'a Program, spans: &'a SpanTable) -> Self {
        Self {
            texts: texts(module),
            program,
            spans,
        }
    }

    /// What is wrong with each text by itself.
    pub(super) fn mistakes(
        &self,
        request: &Request,
        target: &Target,
        environment: &Environment,
    ) -> Vec<Diagnostic> {
        let mut mistakes: Vec<Diagnostic> = Vec::new();
        for text in &self.texts {
            let module = text.module();
            let mut reading = request.clone();
            reading.flags.push(UserFlag::parse(READ));
            let messages =
                artifact::compile_for_diagnostics(&reading, target, &module, environment);
            let error = messages
                .iter()
                .find(|message| message.severity == Severity::Error);
            // Instances of a kernel have the same mistake most of the time.
            if let Some(error) = error
                && mistakes.iter().all(|known| known.span != text.span)
            {
                mistakes.push(self.mistake(text, &module, error));
            }
        }
        mistakes
    }

    fn mistake(&self, text: &Text<'_>, module: &str, error: &Message) -> Diagnostic {
        let inside = format!(" in function @{}", text.symbol);
        let message = error.text.trim_end_matches(&inside);
        let diagnostic = Diagnostic::new(Code::Mlir, text.span, message);
        let line = error.location.as_ref().map(|place| place.line);
        let note = line.and_then(|line| self.note(text.span, text.line(module, line)?));
        let diagnostic = match note {
            Some(note) => diagnostic.note(note),
            None => diagnostic,
        };
        match error.text.starts_with("block with no terminator") {
            true => diagnostic.help("end the text with `return`, its values and `: {result}`"),
            false => diagnostic,
        }
    }

    /// The text that a place in a module of the whole program belongs to, and which line of it that is.
    pub(super) fn find(&self, module: &str, place: &Location) -> Option<(SpanId, String)> {
        self.texts.iter().find_map(|text| {
            let line = text.line(module, place.line)?;
            Some((text.span, self.note(text.span, line)?))
        })
    }

    /// Where a line of a text stands in the source, and what it says.
    fn note(&self, span: SpanId, line: usize) -> Option<String> {
        let index = line.checked_sub(1)?;
        let text = self.written(span)?;
        let place = self.spans.location(span);
        let line = place.line + text.lines.get(index)?;
        let content = text.text.split('\n').nth(index)?.trim();
        Some(format!("at {}:{line}: `{content}`", place.file))
    }

    fn written(&self, span: SpanId) -> Option<&MlirText> {
        let mut kernels = self.program.kernels.iter();
        kernels.find_map(|kernel| match &kernel.body {
            Body::Mlir(text) if text.span == span => Some(text),
            _ => None,
        })
    }
}
