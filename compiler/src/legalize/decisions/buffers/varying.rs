//! What is no constant, whatever IREE finds out.

use super::{Buffers, Source, Sources};
use iree_dsl_ir::{Linkage, Operation, ValueId};
use std::collections::BTreeMap;

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
        let results = self.results.as_ref();
        results.is_some_and(|results| results.is_new(operation, |value| self.is_varying(*value)))
    }

    /// The operand that a sum is if the other one is zero, and that varies, if there is one.
    pub(super) fn summand(&self, operation: &Operation) -> Option<ValueId> {
        let results = self.results.as_ref()?;
        results.summand(operation, |value| self.is_varying(*value))
    }

    /// Whether what has its window replaced by a value is sure to be no constant afterwards.
    pub(super) fn is_replaced_by(&self, window: ValueId) -> bool {
        let shape = self.function.ty(window).map(|ty| &ty.shape);
        let is_something = shape.is_some_and(|shape| match shape.known() {
            Some(sizes) => !sizes.contains(&0),
            None => self.hides_sizes(),
        });
        self.results.is_some() && is_something && self.is_varying(window)
    }

    /// Whether IREE cannot find that a loop does nothing.
    pub(super) fn is_sure_to_run(&self, operation: &Operation) -> bool {
        let trips = self.iterations.trips(operation);
        trips.exactly().is_some_and(|trips| match trips.known() {
            // Of one that runs once, it finds what that is handed.
            Some(known) => known > 1,
            None => self.hides_sizes(),
        })
    }

    /// Whether IREE cannot know the sizes of the call: of a function that others call, it may.
    fn hides_sizes(&self) -> bool {
        self.function.linkage == Linkage::Public
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

    /// Notes which of the results of a loop are no constants, since what its iterations hand to the next is none.
    pub(super) fn note_varying_as(&mut self, handed_back: &[ValueId], results: &[ValueId]) {
        for (handed, result) in handed_back.iter().zip(results) {
            if self.is_varying(*handed) {
                self.varying.note(*result, true);
            }
        }
    }

    fn is_varying(&self, value: ValueId) -> bool {
        let sources = self.sources.get(&value);
        sources.is_some_and(|sources| self.all_vary(sources, &mut Sources::new()))
    }

    fn all_vary(&self, sources: &Sources, seen: &mut Sources) -> bool {
        sources.iter().all(|source| self.varies(source, seen))
    }

    /// Whether something is no constant, whatever IREE finds out.
    fn varies(&self, source: &Source, seen: &mut Sources) -> bool {
        match source {
            Source::Argument(_) => self.function.linkage == Linkage::Public,
            Source::Result(..) | Source::Replaced(_) => true,
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
