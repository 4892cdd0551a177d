//! `cargo iree`: what a build of iree-dsl left, shown, run and measured.
//!
//! Everything works from the files in `target/iree`; see [`iree_abi::build`]. One subcommand is one file
//! below `command`.

mod advice;
mod build;
mod command;
mod doctor;
mod graph;
mod input;
mod measure;
mod mlir;
mod output;
mod print;
mod programs;
mod project;
mod running;
mod scratch;
mod table;
mod toolchain;
mod units;
mod watch;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = command::Cli::parse_from(arguments());
    match scratch::sweep_on_interrupt().and_then(|()| command.run()) {
        Ok(code) => code,
        Err(error) => {
            advice::report(&error);
            ExitCode::FAILURE
        }
    }
}

/// The arguments without the word `iree`, which cargo repeats: `cargo iree list` runs `cargo-iree iree list`.
fn arguments() -> Vec<std::ffi::OsString> {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|first| first == "iree") {
        arguments.remove(1);
    }
    arguments
}
