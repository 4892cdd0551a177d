use crate::{
    build::Built,
    graph,
    mlir::{self, Sources},
    output::say,
    programs, scratch,
};
use anyhow::Result;
use std::{path::PathBuf, process::ExitCode};

/// Draws a program as an SVG: procedures, kernels, globals and shapes
///
/// A box is a line of the source, a call of a kernel, or the globals and parameters of a tree. Kernels that call others are
/// opened, and equal parts that follow each other, such as the layers of an encoder, are drawn once with their number.
#[derive(Debug, clap::Args)]
pub(super) struct Graph {
    /// The program; without a name, the only one
    program: Option<String>,
    /// A procedure to draw, instead of all
    #[arg(long, value_name = "NAME")]
    procedure: Vec<String>,
    /// Open every kernel
    #[arg(long)]
    all: bool,
    /// Draw equal parts one by one
    #[arg(long)]
    unfold: bool,
    /// The file to write, instead of one next to the program's other files
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    built: Built,
}

impl Graph {
    pub(super) fn run(self) -> Result<ExitCode> {
        let (project, made) = self.built.open()?;
        let program = programs::find(&project, made.as_ref(), self.program.as_deref())?;
        for name in &self.procedure {
            program.procedure(name)?;
        }
        let lines = mlir::lines(&program.located()?);
        let sources = Sources::new(project.root());
        let graph = graph::procedures(&graph::Program {
            functions: &mlir::functions(&lines),
            sources: &sources,
            description: &program.description,
            only: &self.procedure,
            all: self.all,
        });
        let graph = match self.unfold {
            true => graph,
            false => graph.folded(),
        };
        let heading = format!("{} in {}", program.name(), program.description.package);
        let svg = graph::draw(&heading, &graph);
        let path = self
            .output
            .unwrap_or_else(|| program.files().with_extension("svg"));
        scratch::write_whole(&path, svg.as_bytes())?;
        say!("{}", path.display());
        Ok(ExitCode::SUCCESS)
    }
}
