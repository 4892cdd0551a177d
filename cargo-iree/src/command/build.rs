use crate::{build::BuildOptions, project::Place};
use anyhow::Result;
use std::process::ExitCode;

/// Builds programs and shows how far their compilation is
#[derive(Debug, clap::Args)]
pub(super) struct Build {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    build: BuildOptions,
}

impl Build {
    pub(super) fn run(self) -> Result<ExitCode> {
        let project = self.place.open()?;
        self.build.build(&project)?;
        Ok(ExitCode::SUCCESS)
    }
}
