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
    /// What a machine gets.
    pub fn of(&self, machine: Machine) -> &str {
        self.others.get(&machine).unwrap_or(&self.usual)
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
