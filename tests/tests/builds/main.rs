//! Builds of crates with programs, and what they leave.

mod built;
mod killed;
mod many;
mod package;
mod vm_c;
