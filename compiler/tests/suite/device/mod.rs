//! Programs that run on the CPU through IREE. What they compute is compared with plain Rust, for every
//! operation and every element type that it accepts.
//!
//! Each group of programs is one module, compiled for this machine. Arithmetic is also compiled for the
//! least machine of the architecture, which lacks instructions that IREE would otherwise use.

mod compare;
mod contract;
mod control;
mod convert;
mod element;
mod elementwise;
mod number;
mod program;
mod reduce;
mod run;
mod shape;
mod slice;
mod structure;

use libtest_mimic::Trial;
use program::Program;

type Group = (&'static str, fn() -> Program, &'static [&'static str]);

const HOST: &[&str] = &["host"];
const ALL: &[&str] = &["host", "generic"];

const GROUPS: &[Group] = &[
    ("contract", contract::program, ALL),
    ("control", control::program, HOST),
    ("convert", convert::program, ALL),
    ("elementwise", elementwise::program, ALL),
    ("reduce", reduce::program, ALL),
    ("shape", shape::program, HOST),
    ("slice", slice::program, HOST),
    ("structure", structure::program, HOST),
];

/// One test for each group and kind of machine.
pub(crate) fn trials() -> Vec<Trial> {
    let trial = |cpu: &'static str, name: &str, program: fn() -> Program| {
        let name = format!("device/{name}/{cpu}");
        Trial::test(name, move || run::check(&program(), cpu))
    };
    let groups = GROUPS.iter();
    groups
        .flat_map(|(name, program, cpus)| cpus.iter().map(move |cpu| trial(cpu, name, *program)))
        .collect()
}
