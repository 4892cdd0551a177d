//! Artifacts from the IREE compiler.

mod crash;
mod mlir;
mod ways;

use super::{Built, at, describe, fallback, source};
use crate::{
    artifact::{
        self, About, Environment, Failure, Message, Plan, Request, Severity, Target, Versions,
        vendored::{self, Vendoring},
    },
    ast::Program,
    diagnostic::{Code, Diagnostic},
    legalize::{LegalizeError, Manner, Passes, Ran, Unknown, legalize},
    lower::{LowerError, lower_located},
    machine::Machine,
    pipeline::internal,
    span::{SpanId, SpanTable},
};
use iree_abi::{Signature, build};
use iree_dsl_ir::Module;
use mlir::Texts;
use ways::OtherWays;

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
) -> Result<Built, Vec<Diagnostic>> {
    if !environment.wants_artifacts() {
        return Ok(Built::default());
    }
    let compile = || {
        let texts = Texts::new(plan.program.module(), program, spans);
        compile(plan, signature, program, &texts, environment)
    };
    let Some(Vendoring::Write(folder)) = &environment.vendoring else {
        return compile();
    };
    // What the repository has stays as it is, so that another machine does not change it.
    let built = match vendored::read(plan, &environment.vendored_folder()) {
        Ok(artifacts) => Built {
            remarks: fallback::remarks(plan, &artifacts, spans),
            artifacts,
            ..Built::default()
        },
        Err(_) => compile()?,
    };
    let fail = |failure| vec![describe(&failure, &program.options)];
    vendored::write(plan, &built.artifacts, folder).map_err(fail)?;
    Ok(built)
}

fn compile(
    plan: &Plan<'_>,
    signature: &Signature,
    program: &Program,
    texts: &Texts<'_>,
    environment: &Environment,
) -> Result<Built, Vec<Diagnostic>> {
    let passes = Passes::without(plan.without.iter().map(String::as_str));
    let passes = passes.map_err(|unknown| vec![describe(&unknown.into(), &program.options)])?;
    let manner = Manner {
        passes,
        ..Manner::default()
    };
    let legalized = legalize(plan.program, &manner).map_err(not_legalized)?;
    let lower = |machine| lower_located(&legalized, machine, texts.spans).map_err(not_lowered);
    let usual = lower(Machine::default())?;
    let (mut mlir, mut located) = (Versions::from(usual.text), Versions::from(usual.located));
    for (machine, used) in plan.machines() {
        let other = lower(used)?;
        mlir.others.insert(machine, other.text);
        located.others.insert(machine, other.located);
    }
    let request = plan.request(mlir);
    let ways = OtherWays::new(plan, &manner.passes, &request, &located, texts, environment);
    let compiled = artifact::compile(&request, &ways, environment).map_err(|failure| {
        let mistakes = ways.mistakes(&failure);
        if !mistakes.is_empty() {
            return mistakes;
        }
        let places = places(&failure, &ways, &located, plan, texts);
        let reported = match places.is_empty() {
            true => vec![describe(&failure, &program.options)],
            false => places,
        };
        with_reproducer(reported, &failure, &request)
    })?;
    let ran: Vec<_> = legalized.passes().iter().map(pass).collect();
    let about = About {
        signature,
        globals: &plan.program.module().globals,
        source: &source(program, texts.spans),
        located: Some(&located),
        legalized: Some(artifact::Legalized {
            text: &legalized.located(texts.spans),
            passes: &ran,
        }),
    };
    let description = artifact::describe(plan, &compiled, about, environment);
    Ok(Built {
        remarks: fallback::remarks(plan, &compiled, texts.spans),
        artifacts: compiled,
        description,
        text: None,
    })
}

/// What is said of a pass to those who look at a build.
fn pass(ran: &Ran) -> build::Pass {
    build::Pass {
        name: ran.pass.name.to_owned(),
        summary: ran.pass.summary.to_owned(),
        avoids: ran.pass.avoids.to_owned(),
        edits: ran.edits,
    }
}

impl From<Unknown> for Failure {
    fn from(unknown: Unknown) -> Self {
        Self::Pass {
            nearest: unknown.nearest(),
            name: unknown.name().to_owned(),
        }
    }
}

fn not_legalized(error: LegalizeError) -> Vec<Diagnostic> {
    vec![at(internal(&error), error.span())]
}

fn not_lowered(error: LowerError) -> Vec<Diagnostic> {
    vec![at(internal(&error), error.span)]
}

/// The target that a program could not be compiled for.
fn failed_target<'r>(failure: &Failure, request: &'r Request) -> Option<&'r Target> {
    let mut targets = request.targets.iter();
    targets.find(|target| failure.target() == Some(&target.name))
}

/// What the IREE compiler says of a program that it failed on, at the expressions, as far as it says where.
fn places(
    failure: &Failure,
    ways: &OtherWays<'_>,
    located: &Versions,
    plan: &Plan<'_>,
    texts: &Texts<'_>,
) -> Vec<Diagnostic> {
    let Some(target) = failed_target(failure, ways.request) else {
        return Vec::new();
    };
    let (module, messages) = (plan.program.module(), ways.messages(failure));
    match failure {
        Failure::Refused { .. } => refusals(&messages, module, located.of(target.machine()), texts),
        Failure::Crashed { .. } => {
            let crash = crash::find(&messages, module, texts.spans);
            crash.map_or_else(Vec::new, |crash| {
                vec![crash.describe(failure, module, texts.spans)]
            })
        }
        _ => Vec::new(),
    }
}

fn refusals(
    messages: &[Message],
    module: &Module,
    mlir: &str,
    texts: &Texts<'_>,
) -> Vec<Diagnostic> {
    let errors = messages
        .iter()
        .filter(|message| message.severity == Severity::Error);
    let mut reported: Vec<Diagnostic> = Vec::new();
    for error in errors {
        let diagnostic = refusal(error, module, mlir, texts);
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
    let mut diagnostic = Diagnostic::new(Code::Iree, span, message);
    diagnostic.notes = fallback::calls(module, span, spans);
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
        let command = failure.command();
        last.notes
            .extend(command.map(|command| format!("`{command}` shows it again")));
    }
    reported
}
