//! The subcommands, one a file.

mod build;
mod completions;
mod doctor;
mod list;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Looks into programs of iree-dsl, runs them and measures them.
#[derive(Debug, Parser)]
#[command(name = "cargo-iree", bin_name = "cargo iree", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Build(build::Build),
    Doctor(doctor::Doctor),
    Completions(completions::Completions),
}

impl Cli {
    /// Does what the user asked for.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::List(list) => list.run(),
            Command::Build(build) => build.run(),
            Command::Doctor(doctor) => doctor.run(),
            Command::Completions(completions) => completions.run(),
        }
    }
}
