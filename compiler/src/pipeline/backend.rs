//! From a traced program to artifacts, and what is said when that fails.

use super::{internal, mlir::Texts};
use crate::{
    artifact::{
        self, About, Compiled, Environment, Failure, Message, Origin, Request, Settings, Severity,
        UserFlag,
    },
    ast::{Options, Program},
    diagnostic::{Code, Diagnostic},
    ir::Module,
    lower::{LowerError, Lowered, lower_located},
    span::{SpanId, SpanTable},
    verify::{Verified, verify},
};
use iree_abi::Signature;

/// Compiles a program that has no mistakes. There are no artifacts if the build has no use for them.
pub(super) fn compile(
    module: Module,
    signature: &Signature,
    program: &Program,
    spans: &SpanTable,
    environment: &Environment,
) -> Result<Vec<Compiled>, Vec<Diagnostic>> {
    let options = &program.options;
    let verified = verify(module).map_err(|errors| {
        let described = errors
            .into_iter()
            .map(|error| at(internal(&error), error.span));
        described.collect::<Vec<_>>()
    })?;
    let lowered = lower_located(&verified, spans).map_err(|error| vec![not_lowered(&error)])?;
    let Lowered { text, located } = lowered;
    let fail = |failure| vec![describe(&failure, options)];
    let settings = environment.settings(settings(options)).map_err(fail)?;
    let targets = environment.targets(&settings).map_err(fail)?;
    if !environment.generates_code() {
        return Ok(Vec::new());
    }
    let request = Request {
        name: verified.module().name.clone(),
        mlir: text,
        targets,
        preset: settings.preset.unwrap_or_default(),
        // A function of the host runs while the program waits.
        is_queued: signature.state.is_empty() && signature.imports.is_empty(),
        flags: settings.flags,
    };
    let compiled = artifact::compile(&request, environment).map_err(|failure| {
        let places = match &failure {
            Failure::Refused { .. } => {
                let texts = Texts::new(verified.module(), program, spans);
                match texts.mistakes(&request, environment) {
                    mistakes if !mistakes.is_empty() => return mistakes,
                    _ => locate(&request, environment, &verified, &located, &texts),
                }
            }
            _ => Vec::new(),
        };
        let reported = if places.is_empty() {
            vec![describe(&failure, options)]
        } else {
            places
        };
        with_reproducer(reported, &failure, &request)
    })?;
    let about = About {
        signature,
        globals: &verified.module().globals,
        located: &located,
    };
    artifact::describe(&request, &compiled, about, environment);
    Ok(compiled)
}

fn not_lowered(error: &LowerError) -> Diagnostic {
    at(internal(error), error.span)
}

fn settings(options: &Options) -> Settings {
    let targets = options.targets.iter();
    let flags = options.flags.iter();
    Settings {
        targets: targets.map(|(name, _)| name.clone()).collect(),
        preset: options.opt,
        flags: flags.map(|(flag, _)| UserFlag::parse(flag)).collect(),
        origin: Origin::Program,
    }
}

/// A failure at the option that caused it, else at the attribute.
fn describe(failure: &Failure, options: &Options) -> Diagnostic {
    let place = match failure {
        Failure::Flag { flag, .. } => find(&options.flags, flag),
        Failure::Target {
            target,
            origin: Origin::Program,
            ..
        } => find(&options.targets, target),
        _ => None,
    };
    let span = place.unwrap_or(SpanId::CALL_SITE);
    let diagnostic = Diagnostic::new(failure.code(), span, failure.to_string());
    match failure.help() {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

fn find(options: &[(String, SpanId)], wanted: &str) -> Option<SpanId> {
    let found = options.iter().find(|(value, _)| value == wanted);
    found.map(|(_, span)| *span)
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

fn at(mut diagnostic: Diagnostic, span: SpanId) -> Diagnostic {
    diagnostic.span = span;
    diagnostic
}
