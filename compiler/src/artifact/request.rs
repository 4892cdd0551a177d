use super::{flags::UserFlag, target::Target};
use crate::ast::{Emit, Preset};

/// Everything of a program that the IREE compiler may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The program's name in snake case. The artifact holds it as the name of its source file.
    pub name: String,
    /// The module, without locations, so that moving the source does not compile it again.
    pub mlir: String,
    /// What to compile for.
    pub targets: Vec<Target>,
    /// What to optimise for.
    pub preset: Preset,
    /// Whether calls return when their work is queued, where a device has workers of its own.
    pub is_queued: bool,
    /// What to compile to besides VMFBs.
    pub emit: Vec<Emit>,
    /// The user's flags, which win over ours.
    pub flags: Vec<UserFlag>,
}
