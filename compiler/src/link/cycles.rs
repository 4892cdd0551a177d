//! Kernel modules that import from each other.

use super::{Unlinked, names::Linker};
use crate::{
    ast::{Import, ModuleId},
    diagnostic::{Code, Diagnostic},
};
use std::collections::{BTreeMap, VecDeque};

impl Linker<'_> {
    /// Reports imports that lead back to the module that they are in, once for each module named.
    pub(super) fn cycles(&mut self, id: ModuleId, module: &Unlinked) {
        for (index, from) in module.uses.iter().enumerate() {
            let mut imports = module.module.imports.iter();
            if let Some(import) = imports.find(|import| import.from == index) {
                self.cycle(id, *from, import);
            }
        }
    }

    fn cycle(&mut self, module: ModuleId, from: ModuleId, import: &Import) {
        let Some(way) = self.way(from, module) else {
            return;
        };
        let names = way.iter().filter_map(|id| self.unlinked(*id));
        let names = names.map(|unlinked| format!("`{}`", unlinked.module.name.name));
        let names: Vec<_> = names.collect();
        let message = match names.as_slice() {
            [only] => format!("the kernel module {only} imports from itself"),
            _ => format!(
                "kernel modules cannot import from each other: {}",
                names.join(", which imports from ")
            ),
        };
        let mistake = Diagnostic::new(Code::Recursion, import.item.span, message);
        let help = "move what both need into a module of its own";
        self.report.push(mistake.help(help));
    }

    /// The modules on the shortest way along imports, with its ends; the last imports nothing on it.
    fn way(&self, start: ModuleId, end: ModuleId) -> Option<Vec<ModuleId>> {
        let mut before = BTreeMap::from([(start, None)]);
        let mut pending = VecDeque::from([start]);
        while let Some(id) = pending.pop_front() {
            if id == end {
                return Some(backwards(&before, end));
            }
            let uses = self.unlinked(id).map_or(&[][..], |module| &module.uses);
            for next in uses {
                if !before.contains_key(next) {
                    before.insert(*next, Some(id));
                    pending.push_back(*next);
                }
            }
        }
        None
    }
}

fn backwards(before: &BTreeMap<ModuleId, Option<ModuleId>>, end: ModuleId) -> Vec<ModuleId> {
    let steps = std::iter::successors(Some(end), |id| before.get(id).copied().flatten());
    let mut way: Vec<_> = steps.collect();
    way.reverse();
    way
}
