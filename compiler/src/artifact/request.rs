use super::{Versions, dispatches::Changes, flags::UserFlag, target::Target};
use crate::ast::{Emit, Preset};
use std::collections::BTreeSet;

/// Everything of a program that the IREE compiler may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The program's name in snake case. The artifact holds it as the name of its source file.
    pub name: String,
    /// The module, without locations, so that moving the source does not compile it again.
    pub mlir: Versions,
    /// How many bytes of a product of matrices a worker should have at a time, if not as many as usual.
    pub tile_bytes: Option<usize>,
    /// Whether the program has numbers of `f64`, other than those that it is lowered to.
    pub has_f64: bool,
    /// What is changed in the code of dispatches.
    pub changes: Changes,
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
    /// The passes of `legalize` that are left out. The module says what that makes of it; this decides what it becomes in
    /// other ways.
    pub without: BTreeSet<String>,
}
