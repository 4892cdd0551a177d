//! Artifacts from the repository.

use super::{Built, describe, fallback, source};
use crate::{
    artifact::{
        self, About, Environment, Failure, Plan,
        vendored::{self, Vendoring},
    },
    ast::Program,
    diagnostic::Diagnostic,
    span::SpanTable,
};
use iree_abi::Signature;

/// Artifacts of a repository are for every machine that has it.
pub(in crate::pipeline) fn environment() -> Environment {
    Environment {
        portable: true,
        ..Environment::detect()
    }
}

/// Finds what was compiled elsewhere.
pub(super) fn artifacts(
    plan: &Plan<'_>,
    signature: &Signature,
    program: &Program,
    spans: &SpanTable,
    environment: &Environment,
) -> Result<Built, Vec<Diagnostic>> {
    let failed = |failure| vec![describe(&failure, &program.options)];
    let unable = |message| failed(Failure::Features { message });
    if matches!(environment.vendoring, Some(Vendoring::Write(_))) {
        return Err(unable("this build of iree-dsl cannot compile programs"));
    }
    if !environment.wants_artifacts() {
        return Ok(Built::default());
    }
    if !cfg!(feature = "vendored") {
        if cfg!(feature = "interpreter") {
            return Ok(Built::default());
        }
        return Err(unable(
            "this build of iree-dsl can neither compile programs nor take artifacts from the repository, nor has it the interpreter",
        ));
    }
    let artifacts = vendored::read(plan, &environment.vendored_folder()).map_err(failed)?;
    let about = About {
        signature,
        globals: &plan.program.module().globals,
        source: &source(program, spans),
        located: None,
        legalized: None,
    };
    let description = artifact::describe(plan, &artifacts, about, environment);
    Ok(Built {
        remarks: fallback::remarks(plan, &artifacts, spans),
        artifacts,
        description,
        text: None,
    })
}
