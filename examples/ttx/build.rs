//! Generates the dialect.

use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    let build = iree_dialects_generator::build().include("td");
    match build.dialect("ttx", "td/ttx.td").compile() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}
