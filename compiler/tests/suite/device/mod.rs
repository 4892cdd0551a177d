//! Programs that run on the CPU through IREE. What they compute is compared with plain Rust, for every
//! operation and every element type that it accepts.
//!
//! Each group of programs is one module. It is compiled for this machine and for the least one of its
//! architecture, which lacks instructions that IREE would otherwise use.

mod compare;
mod contract;
mod convert;
mod element;
mod elementwise;
mod number;
mod program;
mod reduce;
mod run;
mod shape;
mod structure;

use libtest_mimic::Trial;
use program::Program;

type Group = (&'static str, fn() -> Program);

const GROUPS: &[Group] = &[
    ("contract", contract::program),
    ("convert", convert::program),
    ("elementwise", elementwise::program),
    ("reduce", reduce::program),
    ("shape", shape::program),
    ("structure", structure::program),
];

/// One test for each group and kind of machine.
pub(crate) fn trials() -> Vec<Trial> {
    let trial = |cpu: &'static str, name: &str, program: fn() -> Program| {
        let name = format!("device/{name}/{cpu}");
        Trial::test(name, move || run::check(&program(), cpu))
    };
    let groups = GROUPS.iter();
    groups
        .flat_map(|(name, program)| ["host", "generic"].map(|cpu| trial(cpu, name, *program)))
        .collect()
}
