use crate::build::Built;
use anyhow::Result;
use std::process::ExitCode;

/// Builds programs and shows how far their compilation is
#[derive(Debug, clap::Args)]
pub(super) struct Build {
    #[command(flatten)]
    built: Built,
}

impl Build {
    pub(super) fn run(self) -> Result<ExitCode> {
        self.built.open()?;
        Ok(ExitCode::SUCCESS)
    }
}
