//! All stages up to MLIR, on any tokens.

use iree_dsl_compiler::{
    diagnostic::{Code, Report},
    legalize::{Manner, legalize},
    link::{Unlinked, link},
    lower::lower,
    parse::{ModuleKind, Source, parse},
    span::SpanTable,
    trace::trace,
};
use iree_dsl_ir::verify::verify;
use proc_macro2::TokenStream;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

/// No program of the seeds takes a hundredth of this.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Runs the stages, and tells whether there was a module in the end; what is wrong is a mistake of ours.
pub(crate) fn run_stages(program: TokenStream) -> Result<bool, String> {
    let start = Instant::now();
    let stages = AssertUnwindSafe(|| stages(program));
    let lowered = catch_unwind(stages).unwrap_or_else(|panic| Err(reason(&*panic)))?;
    match start.elapsed() {
        elapsed if elapsed > TIME_LIMIT => Err(format!("it took {elapsed:?}")),
        _ => Ok(lowered),
    }
}

fn reason(panic: &dyn Any) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| Some((*panic.downcast_ref::<&str>()?).to_owned()));
    format!("a panic: {}", text.unwrap_or_default())
}

fn stages(program: TokenStream) -> Result<bool, String> {
    let (mut spans, mut report) = (SpanTable::new(), Report::default());
    let source = Source::attributed(ModuleKind::Program, TokenStream::new(), program);
    let Some(parsed) = parse(&source, &mut spans, &mut report) else {
        return match report.is_empty() {
            true => Err("nothing was read, and nothing said".to_owned()),
            false => Ok(false),
        };
    };
    // What is imported only `rustc` brings.
    if !parsed.module.imports.is_empty() {
        return Ok(false);
    }
    let root = Unlinked {
        module: parsed.module,
        uses: Vec::new(),
    };
    let program = link(root, Vec::new(), &mut report);
    let traced = trace(&program, &spans, &mut report);
    let mut mistakes = report.diagnostics().iter();
    if let Some(internal) = mistakes.find(|mistake| mistake.code == Code::Internal) {
        return Err(internal.message.clone());
    }
    if !report.is_empty() {
        return Ok(false);
    }
    let verified = verify(traced.module).map_err(|errors| format!("{errors:?}"))?;
    let legalized = legalize(&verified, &Manner::default()).map_err(|error| error.to_string())?;
    lower(&legalized, None).map_err(|error| error.to_string())?;
    Ok(true)
}
