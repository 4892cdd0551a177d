//! What is no constant, whatever IREE finds out.

use super::{Buffers, Source, Sources};
use iree_dsl_ir::{Linkage, Operation, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Which results of branches and loops are no constants. To follow each to where it comes from for every question would take long
/// behind many loops.
#[derive(Default)]
pub(super) struct Varying {
    known: BTreeMap<ValueId, bool>,
    /// In the order in which they were noted.
    noted: Vec<ValueId>,
}

impl Varying {
    fn get(&self, result: ValueId) -> Option<bool> {
        self.known.get(&result).copied()
    }

    fn note(&mut self, result: ValueId, varies: bool) {
        self.known.insert(result, varies);
        self.noted.push(result);
    }

    /// How much is noted.
    pub(super) fn mark(&self) -> usize {
        self.noted.len()
    }

    /// Forgets what was noted since: what a loop hands on to its iterations may have changed it.
    pub(super) fn forget_since(&mut self, mark: usize) {
        for result in self.noted.drain(mark..) {
            self.known.remove(&result);
        }
    }
}

impl Buffers<'_> {
    /// Whether the result of an operation is sure to be neither an operand nor a constant.
    pub(super) fn is_result(&self, operation: &Operation) -> bool {
        let varies = |value: &ValueId| {
            let sources = self.sources.get(value);
            sources.is_some_and(|sources| self.all_vary(sources, &mut BTreeSet::new()))
        };
        let results = self.results.as_ref();
        results.is_some_and(|results| results.is_new(operation, varies))
    }

    /// Notes which of the results of a branch or a loop are no constants, when all is known that they are handed.
    pub(super) fn note_varying(&mut self, results: &[ValueId]) {
        if self.results.is_none() {
            return;
        }
        for result in results {
            let varies = self.varies(&Source::Joined(*result), &mut Sources::new());
            self.varying.note(*result, varies);
        }
    }

    fn all_vary(&self, sources: &Sources, seen: &mut Sources) -> bool {
        sources.iter().all(|source| self.varies(source, seen))
    }

    /// Whether something is no constant, whatever IREE finds out.
    fn varies(&self, source: &Source, seen: &mut Sources) -> bool {
        match source {
            Source::Argument(_) => self.function.linkage == Linkage::Public,
            Source::Result(..) => true,
            Source::Computed(computed) => !self.constants.contains(computed),
            Source::Global(_) | Source::Constant => false,
            // IREE may find that a loop does nothing.
            Source::Joined(value) if let Some(varies) = self.varying.get(*value) => varies,
            Source::Joined(value) => {
                let handed = self.taken.get(value);
                seen.insert(*source) && handed.is_some_and(|handed| self.all_vary(handed, seen))
            }
            // In a loop, all that its iterations are handed must be one constant.
            Source::Carried(value) => {
                let joined = self.taken.get(value).into_iter().flatten();
                let mut handed = joined.filter_map(|joined| self.handed_to(joined)).flatten();
                seen.insert(*source) && handed.any(|handed| self.varies(handed, seen))
            }
        }
    }

    fn handed_to(&self, joined: &Source) -> Option<&Sources> {
        match joined {
            Source::Joined(value) => self.taken.get(value),
            _ => None,
        }
    }
}
