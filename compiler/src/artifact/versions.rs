use super::target::Target;
use crate::machine::Machine;
use std::collections::BTreeMap;

/// A program in MLIR: as most targets get it, and as machines do for which it is lowered in another way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// What most targets get.
    pub usual: String,
    /// What the targets of some machines get instead.
    pub others: BTreeMap<Machine, String>,
}

impl Versions {
    /// What a target gets.
    pub fn of(&self, target: &Target) -> &str {
        self.other(target).map_or(&self.usual, |(_, text)| text)
    }

    /// What a target gets, and for which machine, if that is not the usual.
    pub(super) fn other(&self, target: &Target) -> Option<(Machine, &str)> {
        let (machine, text) = self.others.get_key_value(&target.machine())?;
        Some((*machine, text))
    }
}

/// The same for all targets.
impl From<String> for Versions {
    fn from(usual: String) -> Self {
        Self {
            usual,
            others: BTreeMap::new(),
        }
    }
}
