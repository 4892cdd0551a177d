use super::{
    Request, UserFlag, Versions,
    dispatches::Changes,
    flags,
    format::Format,
    products::{has_f64, tile_bytes, used},
    target::Target,
};
use crate::{
    ast::{Emit, Preset},
    machine::Machine,
};
use iree_dsl_ir::verify::Verified;
use std::collections::{BTreeMap, BTreeSet};

/// A program, and what is to become of it: all that decides an artifact, as far as it is known before the
/// program is lowered.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The program.
    pub program: &'a Verified,
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
    /// The passes of `legalize` that are left out.
    pub without: BTreeSet<String>,
}

impl Plan<'_> {
    /// The program's name in snake case.
    pub fn name(&self) -> &str {
        &self.program.module().name
    }

    /// The machines for which the program is lowered in another way than for most, and as what it is lowered for them.
    pub fn machines(&self) -> BTreeMap<Machine, Machine> {
        let formats = || Format::all(&self.emit);
        let machines = self
            .targets
            .iter()
            .flat_map(|target| formats().map(|format| format.on(target.machine())));
        let machines = machines.map(|machine| (machine, used(machine, self.program)));
        machines
            .filter(|(_, used)| *used != Machine::default())
            .collect()
    }

    /// What the IREE compiler gets, now that the program is lowered.
    pub fn request(&self, mlir: Versions) -> Request {
        Request {
            name: self.name().to_owned(),
            mlir,
            tile_bytes: tile_bytes(self.program),
            has_f64: has_f64(self.program),
            changes: Changes::of(self.program),
            targets: self.targets.clone(),
            preset: self.preset,
            is_queued: self.is_queued,
            emit: self.emit.clone(),
            flags: self.flags.clone(),
            without: self.without.clone(),
        }
    }

    /// The flags of the IREE compiler for a target, which do not depend on the text of the module.
    pub(super) fn flags(&self, target: &Target) -> Vec<String> {
        flags::all(target, &self.request(Versions::default()), Format::Bytecode)
    }
}
