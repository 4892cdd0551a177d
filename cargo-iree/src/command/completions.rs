use super::Cli;
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

/// Prints the completions of a shell
///
/// For bash, `source <(cargo iree completions bash)` in ~/.bashrc. For zsh, write them to a file `_cargo-iree` in a folder
/// of $fpath. For fish, write them to ~/.config/fish/conf.d/cargo-iree.fish.
#[derive(Debug, clap::Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// The name of the executable. Cargo's completions for zsh ask those of `cargo-iree` for `cargo iree`.
const NAME: &str = "cargo-iree";

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        let name = match self.shell {
            // The generator takes what a dash parts for a command and its subcommand in one place and not in another.
            Shell::Bash => NAME.replace('-', "_"),
            _ => NAME.to_owned(),
        };
        let mut command = Cli::command().bin_name(&name);
        clap_complete::generate(self.shell, &mut command, &name, &mut script);
        output::text(&String::from_utf8_lossy(&script));
        output::text(behind_cargo(self.shell));
        Ok(ExitCode::SUCCESS)
    }
}

/// What makes a shell complete `cargo iree` too, which is for cargo's own completions to do.
fn behind_cargo(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("completions/cargo.bash"),
        Shell::Fish => include_str!("completions/cargo.fish"),
        _ => "",
    }
}
