//! Programs of the language in tests.

use iree_abi::Signature;
use iree_dsl_compiler::{
    ast::Program,
    diagnostic::Report,
    parse::{ModuleKind, Source, parse},
    span::SpanTable,
    trace::{self, Traced},
};
use iree_dsl_ir::Module;
use libtest_mimic::Failed;
use proc_macro2::TokenStream;

/// What is wrong with a program, in the words that its user reads.
#[derive(Debug)]
pub(crate) struct Mistake {
    /// The line of the source, from 1.
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Traces a program.
pub(crate) fn trace(source: &str) -> Result<Result<Module, Vec<Mistake>>, Failed> {
    Ok(trace_whole(source)?.map(|traced| traced.module))
}

fn trace_whole(source: &str) -> Result<Result<Traced, Vec<Mistake>>, Failed> {
    let item: TokenStream = source
        .parse()
        .map_err(|error| format!("{error}\n{source}"))?;
    let source = Source::attributed(ModuleKind::Program, TokenStream::new(), item);
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let parsed = parse(&source, &mut spans, &mut report);
    let traced =
        parsed.map(|parsed| trace::trace(&Program::new(parsed.module), &spans, &mut report));
    let mistakes = report.diagnostics().iter().map(|mistake| Mistake {
        line: spans.location(mistake.span).line,
        message: mistake.message.clone(),
    });
    let mistakes: Vec<_> = mistakes.collect();
    Ok(traced.filter(|_| mistakes.is_empty()).ok_or(mistakes))
}

/// Traces a program without mistakes.
pub(crate) fn trace_right(source: &str) -> Result<Module, Failed> {
    trace_interface(source).map(|(module, _)| module)
}

/// The same, with what the program offers.
pub(crate) fn trace_interface(source: &str) -> Result<(Module, Signature), Failed> {
    let traced = trace_whole(source)?;
    let traced = traced.map(|traced| (traced.module, traced.interface.signature));
    traced.map_err(|mistakes| {
        let mistakes = mistakes.iter().map(|mistake| {
            let line = source
                .lines()
                .nth(mistake.line.saturating_sub(1))
                .unwrap_or_default();
            format!("{}\n    {line}", mistake.message)
        });
        mistakes.collect::<Vec<_>>().join("\n").into()
    })
}
