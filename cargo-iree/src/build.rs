//! Builds a package, so that what is looked at belongs to its sources.

mod made;

use crate::{
    advice::Advice,
    doctor::Configuration,
    project::{Place, Project},
    watch,
};
use anyhow::Result;
use iree_abi::build::WITHOUT_PASSES_VARIABLE;
pub(crate) use made::Made;
use std::{env, ffi::OsString, process::Command};

/// What is looked at: a package, and a build of it.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Built {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    options: BuildOptions,
}

impl Built {
    /// Builds what is meant. What the build made is none where the user wants to see what the last one left.
    ///
    /// # Errors
    ///
    /// If there is no such package, or if the build fails.
    pub(crate) fn open(&self) -> Result<(Project, Option<Made>)> {
        let project = self.place.open()?;
        let made = self.options.build(&project)?;
        Ok((project, made))
    }
}

/// What to do about a build that failed.
fn help(project: &Project) -> String {
    let configuration = Configuration::read(project.root());
    let help = "its errors are above; `cargo iree doctor` lists what a build needs and lacks, and --no-build takes what the \
                last build left";
    match configuration.variable(LLVM_VARIABLE) {
        Some(_) => help.to_owned(),
        None => format!(
            "if it is to be compiled here, it lacks the variables that a build reads: `{}/x init {}` writes them; {help}",
            iree_abi::build::checkout().display(),
            project.root().display()
        ),
    }
}

/// How a package is built.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Build options")]
struct BuildOptions {
    /// Take what the last build left
    #[arg(long)]
    no_build: bool,
    /// Build with optimisations, for every level of the CPU
    #[arg(long, short)]
    release: bool,
    /// Build programs of all examples too
    #[arg(long)]
    examples: bool,
    /// Build programs of this example
    #[arg(long, value_name = "NAME")]
    example: Vec<String>,
    /// Build programs of tests, benches and examples too
    #[arg(long)]
    all_targets: bool,
    /// Features to activate
    #[arg(long, short = 'F', value_name = "FEATURES")]
    features: Vec<String>,
    /// What to compile for, such as `cpu:x86-64-v3,vmvx`, instead of what programs say
    #[arg(long, value_name = "TARGETS")]
    targets: Option<String>,
    /// Passes of the stage `legalize` to leave out, such as `gaps,inputs`; `cargo iree show --passes` lists them
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    without_passes: Vec<String>,
}

/// The variable that names the place of LLVM.
const LLVM_VARIABLE: &str = "MLIR_SYS_220_PREFIX";

/// The variable that says what a build compiles for.
const TARGETS_VARIABLE: &str = "IREE_DSL_TARGETS";

impl BuildOptions {
    /// Builds, unless the user does not want that. What cargo says is shown.
    fn build(&self, project: &Project) -> Result<Option<Made>> {
        if self.no_build {
            return Ok(None);
        }
        let (status, printed) = watch::run(self.command(project))?;
        match status.success() {
            true => Ok(Some(Made::read(&printed, project)?)),
            false => Err(Advice::error("the package does not build", help(project))),
        }
    }

    /// The build as a command.
    fn command(&self, project: &Project) -> Command {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.arg("build").args(self.arguments());
        command.args(["--message-format", "json-render-diagnostics"]);
        command.arg("--manifest-path").arg(project.manifest());
        if let Some(targets) = &self.targets {
            command.env(TARGETS_VARIABLE, targets);
        }
        if !self.without_passes.is_empty() {
            command.env(WITHOUT_PASSES_VARIABLE, self.without_passes.join(","));
        }
        command
    }

    fn arguments(&self) -> Vec<OsString> {
        let switches = [
            (self.release, "--release"),
            (self.examples, "--examples"),
            (self.all_targets, "--all-targets"),
        ];
        let switches = switches.into_iter().filter(|(wanted, _)| *wanted);
        let examples = self.example.iter().map(|name| ("--example", name));
        let features = self.features.iter().map(|name| ("--features", name));
        let mut arguments: Vec<OsString> = switches.map(|(_, name)| name.into()).collect();
        for (option, value) in examples.chain(features) {
            arguments.extend([option.into(), value.into()]);
        }
        arguments
    }
}
