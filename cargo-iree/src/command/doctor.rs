use crate::{
    doctor::{Configuration, Finding, parts},
    output::say,
    project::Place,
    toolchain::{self, Compiler},
};
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use iree_abi::{CpuLevel, build::COMPILER_VARIABLE};
use std::{
    env,
    path::Path,
    process::{Command, ExitCode},
};

/// Lists what a build needs, what of that is missing, and how to mend it
#[derive(Debug, clap::Args)]
pub(super) struct Doctor {
    #[command(flatten)]
    place: Place,
}

impl Doctor {
    pub(super) fn run(self) -> Result<ExitCode> {
        let directory = match self.place.open() {
            Ok(project) => project.root().to_owned(),
            // What is installed can be told anywhere.
            Err(_) => env::current_dir()?,
        };
        let configuration = Configuration::read(&directory);
        let llvm = configuration.variable("MLIR_SYS_220_PREFIX");
        let mut findings = vec![rust(), cmake(&configuration), compiler(&configuration)];
        findings.extend(parts(llvm.as_deref().map(Path::new)));
        findings.extend(variables(&configuration));
        show(&findings);
        let best = CpuLevel::of_this_machine().target(env::consts::ARCH);
        say!("\nprograms run here on local-sync and local-task, with code for up to {best}");
        let missing = findings
            .iter()
            .filter(|finding| finding.state.is_err())
            .count();
        Ok(match missing {
            0 => ExitCode::SUCCESS,
            _ => {
                say!("{missing} of {} parts are missing", findings.len());
                ExitCode::FAILURE
            }
        })
    }
}

fn show(findings: &[Finding]) {
    let width = findings.iter().map(|finding| finding.part.len()).max();
    let width = width.unwrap_or_default();
    let red = Style::new().fg_color(Some(AnsiColor::Red.into())).bold();
    for Finding { part, state } in findings {
        match state {
            Ok(found) => say!("{part:width$}  {found}"),
            Err(cure) => say!("{part:width$}  {red}missing{red:#}: {cure}"),
        }
    }
}

/// The oldest Rust that the workspace builds with.
const RUST_VERSION: &str = env!("CARGO_PKG_RUST_VERSION");

fn rust() -> Finding {
    let output = Command::new("rustc").arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let number = |text: &str| text.split_whitespace().nth(1).map(version);
    let state = match text {
        Ok(text) if number(&text) >= Some(version(RUST_VERSION)) => Ok(text),
        Ok(text) => Err(format!("`{text}` is too old: run `rustup update stable`")),
        Err(_) => Err("see https://rustup.rs".to_owned()),
    };
    Finding::new(format!("rust {RUST_VERSION}"), state)
}

/// The oldest cmake that builds IREE's runtime.
const CMAKE_VERSION: &str = "3.26";

fn cmake(configuration: &Configuration) -> Finding {
    let program = configuration
        .variable("CMAKE")
        .unwrap_or_else(|| "cmake".to_owned());
    let output = Command::new(&program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let cure = format!("`pip install 'cmake>={CMAKE_VERSION},<5'`");
    let state = match text
        .ok()
        .as_deref()
        .and_then(|text| text.split_whitespace().nth(2))
    {
        Some(found) if version(found) >= version(CMAKE_VERSION) => {
            Ok(format!("{found}, {program}"))
        }
        Some(found) => Err(format!("{found} is too old: {cure}")),
        None => Err(cure),
    };
    Finding::new(format!("cmake {CMAKE_VERSION}"), state)
}

/// The numbers of a version, as far as there are any.
fn version(text: &str) -> Vec<u32> {
    let parts = text.split(|c: char| !c.is_ascii_digit());
    parts.map_while(|part| part.parse().ok()).collect()
}

fn compiler(configuration: &Configuration) -> Finding {
    let named = configuration.variable(COMPILER_VARIABLE);
    let state = Compiler::find(named.as_deref().map(Path::new)).and_then(|compiler| {
        let version = compiler.version()?;
        Ok(format!("{version}, {}", compiler.path().display()))
    });
    Finding::new(
        "iree-compile",
        state.map_err(|error| format!("{error}; {}", toolchain::cure())),
    )
}

/// What a build reads beside `PATH`.
const VARIABLES: [&str; 3] = [
    "MLIR_SYS_220_PREFIX",
    "TABLEGEN_220_PREFIX",
    "LIBCLANG_PATH",
];

fn variables(configuration: &Configuration) -> impl Iterator<Item = Finding> {
    let crate_root = iree_abi::build::checkout().display();
    let cure = format!("`{crate_root}/x init .` writes it into .cargo/config.toml");
    VARIABLES.into_iter().map(move |name| {
        let value = configuration.variable(name);
        let there = value.filter(|value| Path::new(value).is_dir());
        Finding::new(name, there.ok_or_else(|| cure.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(version("3.26.1") > version("3.9"));
        assert!(version("1.95.0-nightly") >= version("1.95"));
        assert!(version("") < version("1"));
    }
}
