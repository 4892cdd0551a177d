//! The passes, by their names.

use super::{
    concatenated, contained, dispatch::DISPATCH_PASSES, edits::Edits, factors, fusion, gaps,
    inputs, known, program::Program, repetitions, separation, softmax, unpacked,
};
use crate::diagnostic::nearest;
use std::{collections::BTreeSet, fmt};

/// A pass: what it does, what that is for, and how it finds where.
pub struct Pass {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What IREE 3.13 does otherwise.
    pub avoids: &'static str,
    pub(super) run: fn(&Program<'_>, &mut Edits),
}

impl Pass {
    /// What it asks for.
    pub(super) fn run(&self, program: &Program<'_>) -> Edits {
        let mut edits = Edits::default();
        (self.run)(program, &mut edits);
        edits
    }
}

/// What became of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// The pass.
    pub pass: &'static Pass,
    /// How much it asked for; `None` if it was left out.
    pub edits: Option<usize>,
}

impl fmt::Debug for Pass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// Passes are the same if they have one name.
impl PartialEq for Pass {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Pass {}

/// Those that are not about dispatches of known sizes.
const PASSES: [Pass; 11] = [
    Pass {
        name: "known",
        summary: "removes barriers behind what is computed from constants alone",
        avoids: "it refuses barriers behind constants that are not the same number everywhere",
        run: known::erase,
    },
    Pass {
        name: "sizes",
        summary: "barriers behind what several operations read and some reduce, of sizes of the call",
        avoids: "it cannot divide such a dispatch among workers, or needs a stack without bounds",
        run: fusion::run,
    },
    Pass {
        name: "inputs",
        summary: "barriers inside expressions of more than 16 tensors",
        avoids: "it loads no dispatch with more than 32 buffers",
        run: inputs::run,
    },
    Pass {
        name: "repetitions",
        summary: "barriers before products of repeated tensors",
        avoids: "with data tiling, it crashes on them",
        run: repetitions::run,
    },
    Pass {
        name: "factors",
        summary: "barriers before products of what is computed, or read along two axes, of sizes of the call",
        avoids: "it computes factors in the dispatch that packs them and cannot divide that, or keeps what it widens on the stack",
        run: factors::run,
    },
    Pass {
        name: "concatenated",
        summary: "barriers before concatenations of what is computed, of sizes of the call",
        avoids: "it computes parts in the dispatch of their transposes, and converts all of a part for each element",
        run: concatenated::run,
    },
    Pass {
        name: "gaps",
        summary: "barriers before lookups in parts of tensors with gaps between their elements",
        avoids: "it reads parts in place, and cannot look up elements of what has gaps",
        run: gaps::run,
    },
    Pass {
        name: "softmax",
        summary: "subtracts the largest numbers along an axis by adding their negatives",
        avoids: "it takes a softmax for one operation, and refuses dispatches of it that have other results",
        run: softmax::run,
    },
    Pass {
        name: "unpacked",
        summary: "leaves the factors of a function as they lie in memory where few rows are multiplied by large matrices",
        avoids: "it packs all factors, which then takes longer than to multiply them",
        run: unpacked::run,
    },
    Pass {
        name: "contained",
        summary: "runs small loops in a dispatch each",
        avoids: "it makes dispatches of each iteration, which take longer than what they compute",
        run: contained::run,
    },
    Pass {
        name: "separation",
        summary: "barriers around the operations that a build has found to be refused",
        avoids: "it refuses a dispatch that no other pass knows of",
        run: separation::run,
    },
];

/// All passes.
pub fn passes() -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().chain(&DISPATCH_PASSES)
}

/// Which passes run: as a rule, all.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Passes {
    without: BTreeSet<&'static str>,
}

impl Passes {
    /// All but some, by their names.
    ///
    /// # Errors
    ///
    /// The first name that no pass has.
    pub fn without<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, Unknown> {
        let without = names.into_iter().map(find);
        Ok(Self {
            without: without.collect::<Result<_, _>>()?,
        })
    }

    /// One alone, by its name.
    ///
    /// # Errors
    ///
    /// The name, if no pass has it.
    pub fn only(name: &str) -> Result<Self, Unknown> {
        let only = find(name)?;
        let others = passes().map(|pass| pass.name);
        Ok(Self {
            without: others.filter(|other| *other != only).collect(),
        })
    }

    /// Whether a pass runs.
    pub fn contains(&self, pass: &Pass) -> bool {
        !self.without.contains(pass.name)
    }

    /// The names of those that do not run, in the order of the alphabet.
    pub fn left_out(&self) -> impl Iterator<Item = &'static str> {
        self.without.iter().copied()
    }
}

fn find(name: &str) -> Result<&'static str, Unknown> {
    let found = passes().find(|pass| pass.name == name);
    let found = found.map(|pass| pass.name);
    found.ok_or_else(|| Unknown(name.to_owned()))
}

/// A name that no pass has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown(String);

impl Unknown {
    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The pass that was most likely meant.
    pub fn nearest(&self) -> Option<&'static str> {
        nearest(&self.0, passes().map(|pass| pass.name))
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "there is no pass `{}`", self.0)
    }
}

impl std::error::Error for Unknown {}
