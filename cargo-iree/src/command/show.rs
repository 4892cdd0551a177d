mod passes;

use crate::{
    build::Built,
    mlir::{self, Line, Place as SourcePlace, Sources},
    output::{self, say},
    programs::{self, Program},
    scratch,
    toolchain::Compiler,
};
use anstyle::Style;
use anyhow::{Context, Result};
use clap::ValueEnum;
use iree_abi::build::Compilation;
use std::{
    ffi::OsString,
    fmt::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Prints a program after a stage, below the lines of the source that it comes from
#[derive(Debug, clap::Args)]
pub(super) struct Show {
    /// The program; without a name, the only one
    program: Option<String>,
    /// After which stage: those of the language, or those of the IREE compiler
    #[arg(long, short, value_enum, default_value = "ours")]
    stage: Stage,
    /// List passes instead, and what each did to the program: those of `legalize`, or with a stage of the IREE compiler all of its passes
    /// up to there
    #[arg(long, conflicts_with_all = ["plain", "constants", "output"])]
    passes: bool,
    /// Print what a pass of the IREE compiler left wherever it changed something, by its name or its number in the list
    #[arg(long, value_name = "PASS", conflicts_with = "passes")]
    after: Option<String>,
    /// Print what passes of the IREE compiler changed, or the one that is named, as differences
    #[arg(long, conflicts_with = "passes")]
    diff: bool,
    /// What it is compiled for, of what was built; without a name, the first
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// Leave out the lines of the source
    #[arg(long)]
    plain: bool,
    /// Print constants whole
    #[arg(long)]
    constants: bool,
    /// The file to write instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    built: Built,
}

/// The stages that a program goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Stage {
    /// With what avoids mistakes of the IREE compiler: the representation of the language
    Legalize,
    /// What the compiler of the language wrote: StableHLO
    Ours,
    /// Read by the IREE compiler: linalg
    Input,
    /// Split into dispatches: flow
    Flow,
    /// Scheduled: stream
    Stream,
    /// In terms of the device, with executables: hal
    Hal,
    /// In terms of the virtual machine: vm
    Vm,
}

impl Stage {
    /// What the IREE compiler calls it, if it is one of its.
    const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Legalize | Self::Ours => return None,
            Self::Input => "input",
            Self::Flow => "flow",
            Self::Stream => "stream",
            Self::Hal => "hal",
            Self::Vm => "vm",
        })
    }
}

/// Larger constants are left out, in elements or characters.
const LARGEST_CONSTANT: usize = 32;

impl Show {
    pub(super) fn run(self) -> Result<ExitCode> {
        let (project, made) = self.built.open()?;
        let program = programs::find(&project, made.as_ref(), self.program.as_deref())?;
        if self.passes && self.stage.name().is_none() {
            passes::of_legalize(&program)?;
            return Ok(ExitCode::SUCCESS);
        }
        if self.passes || self.diff || self.after.is_some() {
            let (trace, compiled) = self.trace(&program, self.compilation(&program)?)?;
            let shown = match self.passes {
                true => {
                    passes::list(&trace);
                    Ok(())
                }
                false => self.changes(&trace).and_then(|text| self.print(&text)),
            };
            // If a pass is not there, that the compiler did not get to it is why.
            compiled.and(shown)?;
            return Ok(ExitCode::SUCCESS);
        }
        let text = match self.stage.name() {
            None if self.stage == Stage::Legalize => program.legalized()?,
            None if self.target.is_none() => program.located()?,
            None => program.module(self.compilation(&program)?)?,
            Some(stage) => {
                compile_to(stage, &program, self.compilation(&program)?, self.constants)?
            }
        };
        let sources = Sources::new(project.root());
        let lines = mlir::lines(&text);
        self.print(&self.render(&lines, &sources))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Writes a text to where it belongs.
    fn print(&self, text: &str) -> Result<()> {
        match &self.output {
            Some(path) => {
                let text = anstream::adapter::strip_str(text).to_string();
                scratch::write_whole(path, text.as_bytes())?;
                say!("{}", path.display());
            }
            None => output::text(text),
        }
        Ok(())
    }

    fn compilation<'p>(&self, program: &'p Program) -> Result<&'p Compilation> {
        match &self.target {
            Some(target) => program.compilation(target),
            None => {
                let first = program.description.artifacts.first();
                first.context("the program was compiled for nothing")
            }
        }
    }

    /// The lines of the module; before those of one line of the source, that line as a comment.
    fn render(&self, lines: &[Line], sources: &Sources) -> String {
        let dim = Style::new().dimmed();
        let mut text = String::new();
        let mut last: &[SourcePlace] = &[];
        for Line {
            text: line, places, ..
        } in lines
        {
            if !self.plain && !places.is_empty() && places != last {
                let indent = line.len() - line.trim_start().len();
                for note in sources.notes(places) {
                    // A `String` takes all that is written to it.
                    let _ = writeln!(text, "{:indent$}{dim}// {note}{dim:#}", "");
                }
                last = places;
            }
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

/// The module after a stage of the IREE compiler, with the flags of the build, and with locations.
pub(super) fn compile_to(
    stage: &str,
    program: &Program,
    compilation: &Compilation,
    constants: bool,
) -> Result<String> {
    let compiler = Compiler::find(Some(&compilation.path))?;
    let mut arguments = arguments(stage, program, compilation, constants)?;
    arguments.push("--mlir-print-debuginfo".into());
    compiler
        .run(arguments)
        .with_context(|| format!("`{}` does not get to `{stage}`", program.name()))
}

/// A flag of the build, with the whole paths of the files beside the module that it may name.
fn beside(module: &Path, flag: &str) -> String {
    const NAMES: &str = "library-file-name=";
    let directory = module.parent().map(Path::display);
    match directory {
        Some(directory) => flag.replace(NAMES, &format!("{NAMES}{directory}/")),
        None => flag.to_owned(),
    }
}

/// What the IREE compiler is told to get a module to a stage, which it prints.
fn arguments(
    stage: &str,
    program: &Program,
    compilation: &Compilation,
    constants: bool,
) -> Result<Vec<OsString>> {
    let module = program.module_path(compilation)?;
    let flags = compilation.flags.iter();
    let flags = flags.map(|flag| beside(&module, flag).into());
    let mut arguments: Vec<OsString> = flags.collect();
    arguments.push(module.into_os_string());
    arguments.push(format!("--compile-to={stage}").into());
    if !constants {
        for option in ["elementsattrs", "resource-strings"] {
            let flag = format!("--mlir-elide-{option}-if-larger={LARGEST_CONSTANT}");
            arguments.push(flag.into());
        }
    }
    arguments.extend(["-o".into(), "-".into()]);
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::beside;
    use std::path::Path;

    #[test]
    fn all_files_that_a_flag_names_are_beside_the_module() {
        let flag = "--with=a{library-file-name=one.mlir},b{library-file-name=two.mlir}";
        let expected = "--with=a{library-file-name=/x/one.mlir},b{library-file-name=/x/two.mlir}";
        assert_eq!(beside(Path::new("/x/module.mlir"), flag), expected);
        assert_eq!(beside(Path::new("/x/module.mlir"), "--other"), "--other");
    }
}
