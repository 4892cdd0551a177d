//! From a traced program to artifacts, and what is said when that fails.

#[cfg(feature = "compile")]
mod compile;
mod fallback;
#[cfg(not(feature = "compile"))]
mod vendored;

#[cfg(feature = "compile")]
use compile as source;
#[cfg(not(feature = "compile"))]
use vendored as source;

pub(super) use source::environment;

use super::internal;
use crate::{
    artifact::{
        Compiled, Environment, Failure, Origin, Plan, Settings, UserFlag, multiplies_bf16,
        store_text,
        vendored::{Vendoring, expect},
    },
    ast::{Options, Program},
    diagnostic::{Diagnostic, Remark},
    span::{SpanId, SpanTable},
};
use iree_abi::Signature;
use iree_dsl_ir::{Module, verify::verify};
use std::path::PathBuf;

/// What a program became.
#[derive(Debug, Default)]
pub(super) struct Built {
    /// Its artifacts. There are none if the build has no use for them.
    pub(super) artifacts: Vec<Compiled>,
    /// Its text, for the interpreter.
    pub(super) text: Option<PathBuf>,
    /// The file that describes them.
    pub(super) description: Option<PathBuf>,
    /// What the user is told of them.
    pub(super) remarks: Vec<Remark>,
}

/// Builds a program that has no mistakes.
pub(super) fn artifacts(
    module: Module,
    signature: &Signature,
    program: &Program,
    spans: &SpanTable,
    environment: &Environment,
) -> Result<Built, Vec<Diagnostic>> {
    let options = &program.options;
    let verified = verify(module).map_err(|errors| {
        let described = errors
            .into_iter()
            .map(|error| at(internal(&error), error.span));
        described.collect::<Vec<_>>()
    })?;
    let fail = |failure| vec![describe(&failure, options)];
    let settings = environment.settings(settings(options)).map_err(fail)?;
    let targets = environment.targets(&settings, multiplies_bf16(&verified));
    let plan = Plan {
        program: &verified,
        targets: targets.map_err(fail)?,
        preset: settings.preset.unwrap_or_default(),
        // A function of the host runs while the program waits.
        is_queued: signature.imports.is_empty(),
        emit: settings.emit,
        flags: settings.flags,
        without: environment.without.clone(),
    };
    if let Some(Vendoring::Check(folder)) = &environment.vendoring {
        expect(&plan, folder).map_err(fail)?;
        return Ok(Built::default());
    }
    let built = source::artifacts(&plan, signature, program, spans, environment)?;
    let is_embedded = cfg!(feature = "interpreter") && environment.wants_artifacts();
    let text = is_embedded.then(|| store_text(&verified, environment));
    let text = text.transpose().map_err(fail)?;
    Ok(Built { text, ..built })
}

/// Where a program is in the source.
fn source(program: &Program, spans: &SpanTable) -> String {
    let item = program.program.as_ref();
    let place = spans.location(item.map_or(SpanId::CALL_SITE, |item| item.name.span));
    format!("{}:{}", place.file, place.line)
}

fn settings(options: &Options) -> Settings {
    let targets = options.targets.iter();
    let flags = options.flags.iter();
    Settings {
        targets: targets.map(|(name, _)| name.clone()).collect(),
        preset: options.opt,
        emit: options.emit.clone(),
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

fn at(mut diagnostic: Diagnostic, span: SpanId) -> Diagnostic {
    diagnostic.span = span;
    diagnostic
}
