//! Artifacts from the repository.

use super::describe;
use crate::{
    artifact::{
        Compiled, Environment, Failure, Plan,
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
    _: &Signature,
    program: &Program,
    _: &SpanTable,
    environment: &Environment,
) -> Result<Vec<Compiled>, Vec<Diagnostic>> {
    let failed = |failure| vec![describe(&failure, &program.options)];
    let unable = |message| failed(Failure::Features { message });
    if matches!(environment.vendoring, Some(Vendoring::Write(_))) {
        return Err(unable("this build of iree-dsl cannot compile programs"));
    }
    if !environment.wants_artifacts() {
        return Ok(Vec::new());
    }
    if !cfg!(feature = "vendored") {
        return Err(unable(
            "this build of iree-dsl can neither compile programs nor take artifacts from the repository",
        ));
    }
    vendored::read(plan, &environment.vendored_folder()).map_err(failed)
}
