use super::Cli;
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

/// Prints the completions of a shell
#[derive(Debug, clap::Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "cargo-iree", &mut script);
        output::text(&String::from_utf8_lossy(&script));
        Ok(ExitCode::SUCCESS)
    }
}
