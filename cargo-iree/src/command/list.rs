use crate::{
    build::BuildOptions,
    output::say,
    programs::{self, Program},
    project::Place,
    units,
};
use anstyle::Style;
use anyhow::Result;
use iree_abi::build::{Description, Global};
use std::process::ExitCode;

/// Lists programs with their procedures, globals and compiled files
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// The program; without a name, all of them
    program: Option<String>,
    /// Print what is known of them as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    build: BuildOptions,
}

impl List {
    pub(super) fn run(self) -> Result<ExitCode> {
        let project = self.place.open()?;
        self.build.build(&project)?;
        let programs = match &self.program {
            Some(name) => vec![programs::find(&project, Some(name))?],
            None => programs::all(&project)?,
        };
        if self.json {
            let descriptions: Vec<_> = programs
                .iter()
                .map(|program| &program.description)
                .collect();
            say!("{}", serde_json::to_string_pretty(&descriptions)?);
            return Ok(ExitCode::SUCCESS);
        }
        for (index, program) in programs.iter().enumerate() {
            if index > 0 {
                say!("");
            }
            show(program);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn show(program: &Program) {
    let bold = Style::new().bold();
    let Description {
        program: name,
        package,
        signature,
        globals,
        artifacts,
        ..
    } = &program.description;
    say!("{bold}{name}{bold:#} in {package}");
    section(
        "procedures",
        signature.functions.iter().map(ToString::to_string),
    );
    section(
        "functions of the host",
        signature.imports.iter().map(ToString::to_string),
    );
    section("globals", globals.iter().map(describe));
    let width = artifacts.iter().map(|artifact| artifact.target.len()).max();
    let width = width.unwrap_or_default();
    section(
        "compiled for",
        artifacts.iter().map(|artifact| {
            let size = units::bytes(artifact.bytes);
            format!("{:width$}  {size:>8}", artifact.target)
        }),
    );
}

fn section(title: &str, lines: impl Iterator<Item = String>) {
    let dim = Style::new().dimmed();
    for (index, line) in lines.enumerate() {
        if index == 0 {
            say!("  {dim}{title}{dim:#}");
        }
        say!("    {line}");
    }
}

/// A global with its type, its size, and what becomes of it.
fn describe(global: &Global) -> String {
    let sizes = global.ty.shape.known();
    let bytes = sizes.map(|sizes| sizes.iter().product::<usize>() * global.ty.dtype.size());
    let parts = [
        Some(format!("{}: {}", global.name, global.ty)),
        bytes.map(|bytes| units::bytes(bytes as u64)),
        global.mutable.then(|| "changes".to_owned()),
        global
            .supplied
            .as_ref()
            .map(|name| format!("supplied as `{name}`")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("  ")
}
