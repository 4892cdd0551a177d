//! Which of the tensors that a block hands on may be in one buffer.
//!
//! All have different ones then, so that what takes them is known by where it stands. A tensor that a loop carries may have the
//! buffer of what it starts with, but not that of another that the loop carries, though both may start with the same.

use super::{Buffers, Source, Sources};
use iree_dsl_ir::{Linkage, Operation, ValueId};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Where the buffers of values come from that are handed on.
pub(super) struct Handed {
    /// Of what blocks take, that they take it.
    pub(super) sources: BTreeMap<ValueId, Sources>,
    /// What they are handed.
    pub(super) taken: BTreeMap<ValueId, Sources>,
}

/// A value that keeps its buffer.
struct Kept {
    sources: Sources,
    /// Those, and where they come from.
    all: Sources,
}

impl Handed {
    /// Which of several values, by their position, need a buffer of their own. The larger ones keep theirs.
    pub(super) fn shared(
        &self,
        values: &[ValueId],
        size: impl Fn(ValueId) -> (usize, usize),
    ) -> BTreeSet<usize> {
        let mut positions: Vec<_> = (0..).zip(values).collect();
        positions.sort_by_key(|(_, value)| Reverse(size(**value)));
        let mut kept: Vec<Kept> = Vec::new();
        let mut shared = BTreeSet::new();
        for (position, value) in positions {
            let sources = self.sources.get(value).cloned().unwrap_or_default();
            let all = behind(&self.taken, &sources);
            let value = Kept { sources, all };
            if kept.iter().any(|other| value.may_share(other)) {
                shared.insert(position);
            } else {
                kept.push(value);
            }
        }
        shared
    }

    /// Where the buffer of a value may come from, as far as that is known.
    pub(super) fn known(&self, value: ValueId) -> Sources {
        let sources = self.sources.get(&value);
        let mut known = sources.map_or_else(Sources::new, |sources| behind(&self.taken, sources));
        known.remove(&Source::Constant);
        known
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
            Source::Joined(value) => {
                let handed = self.taken.get(value);
                seen.insert(*source) && handed.is_some_and(|handed| self.all_vary(handed, seen))
            }
            // In a loop, all that its rounds are handed must be one constant.
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

impl Kept {
    /// What both take from blocks is in different buffers, wherever it comes from.
    fn may_share(&self, other: &Self) -> bool {
        overlap(&self.all, &other.sources) || overlap(&self.sources, &other.all)
    }
}

/// Sources, and those of what blocks take that is among them.
pub(super) fn behind(taken: &BTreeMap<ValueId, Sources>, sources: &Sources) -> Sources {
    let mut all = sources.clone();
    let mut pending: Vec<_> = sources.iter().copied().collect();
    while let Some(source) = pending.pop() {
        if let Source::Carried(value) | Source::Joined(value) = source {
            let handed = taken.get(&value).into_iter().flatten();
            pending.extend(handed.filter(|source| all.insert(**source)));
        }
    }
    all
}

/// What two values have in common that may share a buffer because of a source of each. What was computed may
/// be a constant, or one and the same.
fn shared_by(source: &Source) -> impl Iterator<Item = Source> + use<> {
    let is_computed = matches!(source, Source::Computed(_) | Source::Constant);
    let alike = is_computed.then_some(Source::Constant);
    std::iter::once(*source).chain(alike)
}

/// Whether two values may share a buffer.
fn overlap(one: &Sources, other: &Sources) -> bool {
    !all_shared_by(one).is_disjoint(&all_shared_by(other))
}

pub(super) fn all_shared_by(sources: &Sources) -> Sources {
    sources.iter().flat_map(shared_by).collect()
}
