use crate::{
    build::Built,
    output::say,
    programs::{self, Program},
    units,
};
use anstyle::Style;
use anyhow::Result;
use iree_abi::{
    FunctionSignature, Leaf,
    build::{Description, Global},
    join_path,
};
use std::process::ExitCode;

/// Lists programs with their procedures, globals and compiled files
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// The program; without a name, all of them
    program: Option<String>,
    /// Print every leaf of large trees
    #[arg(long)]
    leaves: bool,
    /// Print what is known of them as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    built: Built,
}

impl List {
    pub(super) fn run(self) -> Result<ExitCode> {
        let (project, made) = self.built.open()?;
        let programs = match &self.program {
            Some(name) => vec![programs::find(&project, made.as_ref(), Some(name))?],
            None => programs::all(&project, made.as_ref())?,
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
            show(program, self.leaves);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn show(program: &Program, leaves: bool) {
    let bold = Style::new().bold();
    let Description {
        program: name,
        package,
        source,
        signature,
        globals,
        artifacts,
        ..
    } = &program.description;
    say!("{bold}{name}{bold:#} in {package}, {source}");
    section(
        "procedures",
        signature.functions.iter().map(|known| call(known, leaves)),
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
            let fallback = artifact.fallback.as_ref();
            let fallback = fallback.map(|fallback| format!("  falls back: {}", fallback.way));
            let fallback = fallback.unwrap_or_default();
            format!("{:width$}  {size:>8}{fallback}", artifact.target)
        }),
    );
}

/// The most leaves of a tree that are printed one by one.
const FEW: usize = 4;

/// A procedure with its types. Of large trees only the number of leaves is told, unless all are wanted.
fn call(function: &FunctionSignature, leaves: bool) -> String {
    let tree = |name: &str, all: &[Leaf]| match all.len() {
        count if count > FEW && !leaves => vec![format!("{name}{count} tensors")],
        _ => all
            .iter()
            .map(
                |leaf| match (name.trim_end_matches(": "), leaf.path.as_str()) {
                    ("", "") => leaf.ty.to_string(),
                    (name, path) => {
                        let name = join_path(name, path);
                        format!("{}: {}", name.trim_start_matches('.'), leaf.ty)
                    }
                },
            )
            .collect(),
    };
    let parameters = function.parameters.iter();
    let parameters =
        parameters.flat_map(|parameter| tree(&format!("{}: ", parameter.name), &parameter.leaves));
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let results = tree("", &function.results).join(", ");
    match results.is_empty() {
        true => format!("{}({parameters})", function.name),
        false => format!("{}({parameters}) -> {results}", function.name),
    }
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
