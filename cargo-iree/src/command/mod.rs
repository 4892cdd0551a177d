//! The subcommands, one a file.

mod bench;
mod build;
mod completions;
mod doctor;
mod graph;
mod list;
mod profile;
mod run;
mod show;
mod vendor;

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
    Run(run::Run),
    Bench(bench::Bench),
    Show(show::Show),
    Graph(graph::Graph),
    Profile(profile::Profile),
    Vendor(vendor::Vendor),
    Doctor(doctor::Doctor),
    Completions(completions::Completions),
}

impl Cli {
    /// Does what the user asked for.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::List(list) => list.run(),
            Command::Build(build) => build.run(),
            Command::Run(run) => run.run(),
            Command::Bench(bench) => bench.run(),
            Command::Show(show) => show.run(),
            Command::Graph(graph) => graph.run(),
            Command::Profile(profile) => profile.run(),
            Command::Vendor(vendor) => vendor.run(),
            Command::Doctor(doctor) => doctor.run(),
            Command::Completions(completions) => completions.run(),
        }
    }
}
