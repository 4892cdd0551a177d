//! The commands as a user runs them, on the programs of this very test: building it left their files.

mod build;
mod errors;
mod list;
mod look;
mod programs;
mod refused;
mod run;
mod tool;
mod vendor;
