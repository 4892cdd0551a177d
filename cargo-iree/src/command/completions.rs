use super::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use std::{io, process::ExitCode};

/// Prints the completions of a shell
#[derive(Debug, clap::Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        clap_complete::generate(
            self.shell,
            &mut Cli::command(),
            "cargo-iree",
            &mut io::stdout(),
        );
        Ok(ExitCode::SUCCESS)
    }
}
