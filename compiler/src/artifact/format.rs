//! What the IREE compiler makes of a program.

use super::files;
use crate::{ast::Emit, machine::Machine};
use std::{fs, path::Path};

/// The form of an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A VMFB, which programs embed.
    Bytecode,
    /// A header in C, which also holds the implementation.
    C,
}

impl Format {
    /// What is made of a program that is to be compiled to this besides a VMFB.
    pub(super) fn all(emit: &[Emit]) -> impl Iterator<Item = Self> {
        let others = emit.iter().map(|emit| Self::from(*emit));
        std::iter::once(Self::Bytecode).chain(others)
    }

    /// The flag that asks for it.
    pub(super) fn flag(self) -> Option<&'static str> {
        match self {
            Self::Bytecode => None,
            Self::C => Some("--output-format=vm-c"),
        }
    }

    /// The machine that a program is lowered for, if it is to run on another.
    pub(super) const fn on(self, machine: Machine) -> Machine {
        Machine {
            is_in_c: matches!(self, Self::C),
            ..machine
        }
    }

    /// The name of the file in the cache.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Bytecode => "artifact.vmfb",
            Self::C => "artifact.h",
        }
    }

    /// Whether a file is whole, as far as its form tells.
    pub(super) fn is_whole(self, path: &Path) -> bool {
        match self {
            Self::Bytecode => files::is_whole_vmfb(path),
            Self::C => fs::read_to_string(path).is_ok_and(|text| {
                let last = text.trim_end().lines().next_back().unwrap_or_default();
                last.starts_with("#endif") && last.ends_with("EMITC_IMPLEMENTATION")
            }),
        }
    }
}

impl From<Emit> for Format {
    fn from(emit: Emit) -> Self {
        match emit {
            Emit::VmC => Self::C,
        }
    }
}
