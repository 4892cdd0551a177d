//! What is tried, one after the other, where the IREE compiler fails on a program that is right.
//!
//! First comes what leaves the program as fast as it was but for a few dispatches, last what always compiles if anything
//! does. A rung is for the whole of a program, since IREE has flags for whole modules only.

use super::{Failure, failure::OUT_OF_MEMORY};
use crate::machine::Machine;
use serde::{Deserialize, Serialize};

/// Fuses nothing into a dispatch that several others use. Besides, IREE 3.13 may move what uses a tensor before that tensor,
/// when it fuses several that are used more than once into dispatches of each other.
const ONE_USE: &str = "--iree-dispatch-creation-fuse-multi-use=false";

/// Multiplies matrices as they lie in memory.
const UNTILED: &str = "--iree-opt-data-tiling=false";

/// The flag that [`UNTILED`] takes back.
const TILED: &str = "--iree-opt-data-tiling";

/// What a rung has lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lowering {
    /// The module that the compiler failed on.
    AsUsual,
    /// The one where the operations that it failed on are not fused with others.
    Around,
    /// The one where no operation is fused with others.
    Apart,
}

/// One way to compile.
#[derive(Debug)]
pub(super) struct Rung {
    pub(super) name: &'static str,
    pub(super) lowering: Lowering,
    /// Flags that replace all others of their names.
    pub(super) flags: &'static [&'static str],
    /// A flag without which the rung changes nothing.
    pub(super) instead_of: Option<&'static str>,
    /// What is done, and what it costs.
    pub(super) cost: &'static str,
}

/// From the fastest code to the slowest.
pub(super) static RUNGS: [Rung; 5] = [
    Rung {
        name: "one-use",
        lowering: Lowering::AsUsual,
        flags: &[ONE_USE],
        instead_of: None,
        cost: "tensors of the program that are used more than once are computed in dispatches of their own, \
               and go through memory",
    },
    Rung {
        name: "around",
        lowering: Lowering::Around,
        flags: &[],
        instead_of: None,
        cost: "this expression is computed in dispatches of its own, and its operands and results go through memory",
    },
    Rung {
        name: "untiled",
        lowering: Lowering::AsUsual,
        flags: &[ONE_USE, UNTILED],
        instead_of: Some(TILED),
        cost: "the program is compiled without data tiling, so that products of large matrices take several times as \
               long",
    },
    Rung {
        name: "apart",
        lowering: Lowering::Apart,
        flags: &[],
        instead_of: None,
        cost: "each operation of the program is a dispatch of its own, and everything that it computes goes through \
               memory",
    },
    Rung {
        name: "plain",
        lowering: Lowering::Apart,
        flags: &[
            ONE_USE,
            UNTILED,
            "--iree-dispatch-creation-enable-aggressive-fusion=false",
            "--iree-opt-level=O0",
        ],
        instead_of: None,
        cost: "the program is compiled without optimizations, each operation as a dispatch of its own, so that it may \
               take many times as long",
    },
];

impl Rung {
    /// Whether the rung may help where this was given, which the compiler failed on in that way. What takes too much time or
    /// memory gets no more of it for small changes.
    pub(super) fn is_for(&self, failure: &Failure, flags: &[String]) -> bool {
        let is_too_much = match failure {
            Failure::TimedOut { .. } => true,
            Failure::Crashed { signal, .. } => *signal == OUT_OF_MEMORY,
            _ => false,
        };
        let mut flags = flags.iter();
        let changes = |replaced| flags.any(|flag| flag == replaced);
        (!is_too_much || self.lowering == Lowering::Apart) && self.instead_of.is_none_or(changes)
    }

    fn named(name: &str) -> Option<&'static Self> {
        RUNGS.iter().find(|rung| rung.name == name)
    }
}

/// The names and flags of all rungs: where they are others, other answers may be better.
pub(super) fn text() -> String {
    let rungs = RUNGS.iter();
    let rungs = rungs.map(|rung| format!("{} {}", rung.name, rung.flags.join(" ")));
    rungs.collect::<Vec<_>>().join("\n")
}

/// An operation of a program, by where it is in the representation, which does not change when code moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The index of its function.
    pub function: usize,
    /// Its index in the function.
    pub operation: usize,
}

/// That a program was not compiled as it should be, and how it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallback {
    /// The name of the way that helped.
    pub rung: String,
    /// How the compiler failed before.
    pub reason: String,
    /// What it failed on, as far as it said.
    pub places: Vec<Place>,
}

impl Fallback {
    /// What was done, and what it costs.
    pub fn cost(&self) -> &'static str {
        self.rung().map_or("", |rung| rung.cost)
    }

    pub(super) fn rung(&self) -> Option<&'static Rung> {
        Rung::named(&self.rung)
    }

    /// The flags that replaced others.
    pub fn flags(&self) -> &'static [&'static str] {
        self.rung().map_or(&[], |rung| rung.flags)
    }
}

/// How else to lower a program.
#[derive(Clone, Copy, Debug)]
pub enum Way<'p> {
    /// With these operations apart from all others.
    Around(&'p [Place]),
    /// With every operation apart.
    Apart,
}

/// What is known of a program beside its module. It is asked where the compiler fails.
pub trait Ways {
    /// Whether the compiler is right: it failed on what users write in its own language.
    fn are_in_vain(&self, failure: &Failure) -> bool;

    /// The operations that the compiler failed on, as far as it says.
    fn places(&self, failure: &Failure) -> Vec<Place>;

    /// The module for a machine, lowered in another way.
    fn lower(&self, machine: Machine, way: Way<'_>) -> Option<String>;
}

/// Nothing more is known.
pub struct NoWays;

impl Ways for NoWays {
    fn are_in_vain(&self, _: &Failure) -> bool {
        false
    }

    fn places(&self, _: &Failure) -> Vec<Place> {
        Vec::new()
    }

    fn lower(&self, _: Machine, _: Way<'_>) -> Option<String> {
        None
    }
}
