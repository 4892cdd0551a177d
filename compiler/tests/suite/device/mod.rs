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
mod fourier;
mod fuse;
mod index;
mod machine;
mod number;
mod order;
mod program;
mod rearrange;
mod reduce;
mod round;
mod run;
mod shape;
mod slice;
mod structure;
mod window;

use iree_abi::CpuLevel;
use libtest_mimic::Trial;
use program::Program;

pub(crate) use compare::number;
pub(crate) use element::HostTensor;
pub(crate) use machine::MachineModule;
pub(crate) use program::{Call, Expected, Tolerance};
pub(crate) use run::{arrays, check_calls, check_on_all_devices, iree_compile, lowered, results};
use std::env::consts::ARCH;

type Group = (&'static str, fn() -> Program, Machines);

/// What a group is compiled for.
#[derive(Clone, Copy, PartialEq)]
enum Machines {
    This,
    ThisAndTheLeast,
}

const GROUPS: &[Group] = &[
    ("contract", contract::program, Machines::ThisAndTheLeast),
    ("control", control::program, Machines::This),
    ("convert", convert::program, Machines::ThisAndTheLeast),
    (
        "elementwise",
        elementwise::program,
        Machines::ThisAndTheLeast,
    ),
    ("fourier", fourier::program, Machines::ThisAndTheLeast),
    ("fuse", fuse::program, Machines::ThisAndTheLeast),
    ("index", index::program, Machines::This),
    ("order", order::program, Machines::This),
    ("rearrange", rearrange::program, Machines::This),
    ("reduce", reduce::program, Machines::ThisAndTheLeast),
    ("round", round::program, Machines::ThisAndTheLeast),
    ("shape", shape::program, Machines::This),
    ("slice", slice::program, Machines::This),
    ("structure", structure::program, Machines::This),
    ("window", window::program, Machines::ThisAndTheLeast),
];

/// One test for each group and kind of machine.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (name, program, machines) in GROUPS {
        let mut levels = vec![CpuLevel::of_this_machine()];
        if *machines == Machines::ThisAndTheLeast {
            levels.push(CpuLevel::Baseline);
        }
        levels.dedup();
        for level in levels {
            let name = format!("device/{name}/{}", level.target(ARCH));
            trials.push(Trial::test(name, move || run::check(&program(), level)));
        }
    }
    trials
}
