//! The commands as a user runs them, on the programs of this very test: building it left their files.

mod errors;
mod list;
mod programs;
mod tool;
