//! Artifacts from the IREE compiler.

mod mlir;

use super::{at, describe};
use crate::{
    artifact::{
        self, About, Compiled, Environment, Failure, Message, Plan, Request, Severity, Target,
        multiplies_bf16,
        vendored::{self, Vendoring},
    },
    ast::Program,
    diagnostic::{Code, Diagnostic},
    ir::Module,
    lower::{LowerError, Lowered, Machine, lower_located},
    pipeline::internal,
    span::{SpanId, SpanTable},
    verify::Verified,
};
use iree_abi::Signature;
use mlir::Texts;

pub(in crate::pipeline) fn environment() -> Environment {
    Environment::detect()
}

/// Compiles a program, or finds what an earlier build compiled.
pub(super) fn artifacts(
    plan: &Plan<'_>,
    signature: &Signature,
    program: &Program,
    spans: &SpanTable,
    environment: &Environment,
) -> Result<Vec<Compiled>, Vec<Diagnostic>> {
    let lowered = lower_located(plan.program, spans, Machine::default());
    let lowered = lowered.map_err(|error| vec![not_lowered(&error)])?;
    if !environment.wants_artifacts() {
        return Ok(Vec::new());
    }
    let fail = |failure| vec![describe(&failure, &program.options)];
    let Some(Vendoring::Write(folder)) = &environment.vendoring else {
        return compile(plan, lowered, signature, program, spans, environment);
    };
    // What the repository has stays as it is, so that another machine does not change it.
    let compiled = match vendored::read(plan, &environment.vendored_folder()) {
        Ok(known) => known,
        Err(_) => compile(plan, lowered, signature, program, spans, environment)?,
    };
    vendored::write(plan, &compiled, folder).map_err(fail)?;
    Ok(compiled)
}

/// The program for what multiplies matrices of `bf16`, if it does and is compiled for some.
fn with_bf16(plan: &Plan<'_>, spans: &SpanTable) -> Result<Option<String>, Vec<Diagnostic>> {
    let has_target = plan.targets.iter().any(Target::multiplies_bf16);
    if !has_target || !multiplies_bf16(plan.program) {
        return Ok(None);
    }
    let machine = Machine {
        multiplies_bf16: true,
    };
    match lower_located(plan.program, spans, machine) {
        Ok(lowered) => Ok(Some(lowered.text)),
        Err(error) => Err(vec![not_lowered(&error)]),
    }
}

fn compile(
    plan: &Plan<'_>,
    Lowered { text, located }: Lowered,
    signature: &Signature,
    program: &Program,
    spans: &SpanTable,
    environment: &Environment,
) -> Result<Vec<Compiled>, Vec<Diagnostic>> {
    let request = Request {
        mlir_bf16: with_bf16(plan, spans)?,
        ..plan.request(text)
    };
    let compiled = artifact::compile(&request, environment).map_err(|failure| {
        let places = match &failure {
            Failure::Refused { .. } => {
                let texts = Texts::new(plan.program.module(), program, spans);
                match texts.mistakes(&request, environment) {
                    mistakes if !mistakes.is_empty() => return mistakes,
                    _ => locate(&request, environment, plan.program, &located, &texts),
                }
            }
            _ => Vec::new(),
        };
        let reported = if places.is_empty() {
            vec![describe(&failure, &program.options)]
        } else {
            places
        };
        with_reproducer(reported, &failure, &request)
    })?;
    let about = About {
        signature,
        globals: &plan.program.module().globals,
        located: &located,
    };
    artifact::describe(&request, &compiled, about, environment);
    Ok(compiled)
}

fn not_lowered(error: &LowerError) -> Diagnostic {
    at(internal(error), error.span)
}

/// What the IREE compiler says when it is told where operations come from, at the expressions.
fn locate(
    request: &Request,
    environment: &Environment,
    verified: &Verified,
    mlir: &str,
    texts: &Texts<'_>,
) -> Vec<Diagnostic> {
    let messages = artifact::compile_for_diagnostics(request, mlir, environment);
    let errors = messages
        .iter()
        .filter(|message| message.severity == Severity::Error);
    let mut reported: Vec<Diagnostic> = Vec::new();
    for error in errors {
        let diagnostic = refusal(error, verified.module(), mlir, texts);
        // Of several messages about one expression the first is the cause.
        if reported
            .iter()
            .all(|earlier| earlier.span != diagnostic.span)
        {
            reported.push(diagnostic);
        }
    }
    reported
}

fn refusal(error: &Message, module: &Module, mlir: &str, texts: &Texts<'_>) -> Diagnostic {
    let place = error.location.as_ref();
    let spans = texts.spans;
    let expression = place.and_then(|place| spans.widest_at(place, operation_spans(module)));
    let line = place.and_then(|place| texts.find(mlir, place));
    let (span, what) = match (expression, &line) {
        (Some(span), _) => (span, "operation"),
        (None, Some((span, _))) => (*span, "kernel"),
        (None, None) => (SpanId::CALL_SITE, "program"),
    };
    let message = format!("the IREE compiler refused this {what}: {}", error.text);
    let diagnostic = Diagnostic::new(Code::Iree, span, message);
    match line {
        Some((_, note)) => diagnostic.note(note),
        None => diagnostic,
    }
}

fn operation_spans(module: &Module) -> impl Iterator<Item = SpanId> {
    let functions = module.functions.iter().map(|(_, function)| function);
    functions.flat_map(|function| {
        let operations = function.operations.iter();
        operations.map(|(_, operation)| operation.span)
    })
}

/// The last message says what was being compiled, and how to see the failure again.
fn with_reproducer(
    mut reported: Vec<Diagnostic>,
    failure: &Failure,
    request: &Request,
) -> Vec<Diagnostic> {
    if let (Some(target), Some(last)) = (failure.target(), reported.last_mut()) {
        last.notes
            .push(format!("compiling `{}` for {target}", request.name));
        if let Some(path) = failure.reproducer() {
            let note = format!("`sh {}` shows it again", path.display());
            last.notes.push(note);
        }
    }
    reported
}
