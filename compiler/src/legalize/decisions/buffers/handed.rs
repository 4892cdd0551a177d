//! Which of the tensors that a block hands on may be in one buffer.
//!
//! All have different ones then, so that what takes them is known by where it stands. A tensor that a loop carries may have the
//! buffer of what it starts with, but not that of another that the loop carries, though both may start with the same.

use super::{Source, Sources};
use iree_dsl_ir::ValueId;
use std::{
    cell::OnceCell,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Where the buffers of values come from that are handed on.
pub(super) struct Handed {
    /// Of what blocks take, that they take it.
    pub(super) sources: BTreeMap<ValueId, Sources>,
    /// What they are handed.
    taken: BTreeMap<ValueId, Sources>,
    /// What that comes from in the end.
    roots: BTreeMap<ValueId, Sources>,
}

/// A value that keeps its buffer.
struct Kept<'a> {
    handed: &'a Handed,
    sources: Sources,
    roots: Sources,
    /// The sources, and where they come from.
    all: OnceCell<Sources>,
}

impl Handed {
    pub(super) fn new(
        sources: BTreeMap<ValueId, Sources>,
        taken: BTreeMap<ValueId, Sources>,
    ) -> Self {
        Self {
            roots: roots(&taken),
            sources,
            taken,
        }
    }

    /// Which of several values, by their position, need a buffer of their own. The larger ones keep theirs.
    pub(super) fn shared(
        &self,
        values: &[ValueId],
        size: impl Fn(ValueId) -> (usize, usize),
    ) -> BTreeSet<usize> {
        if values.len() < 2 {
            return BTreeSet::new();
        }
        let mut positions: Vec<_> = (0..).zip(values).collect();
        positions.sort_by_key(|(_, value)| Reverse(size(**value)));
        let mut kept: Vec<Kept> = Vec::new();
        let mut shared = BTreeSet::new();
        for (position, value) in positions {
            let sources = self.sources.get(value).cloned().unwrap_or_default();
            let value = Kept {
                handed: self,
                roots: roots_of(&self.roots, &sources),
                sources,
                all: OnceCell::new(),
            };
            if kept.iter().any(|other| value.may_share(other)) {
                shared.insert(position);
            } else {
                kept.push(value);
            }
        }
        shared
    }

    /// Where the buffers of values may come from, as far as that is known.
    pub(super) fn known(&self, values: impl IntoIterator<Item = ValueId>) -> Sources {
        let sources = values.into_iter().filter_map(|it| self.sources.get(&it));
        let mut known = behind(&self.taken, &sources.flatten().copied().collect());
        known.remove(&Source::Constant);
        known
    }
}

impl Kept<'_> {
    /// What both take from blocks is in different buffers, wherever it comes from.
    fn may_share(&self, other: &Self) -> bool {
        // What comes from others is not worth a look at all loops that it has been through.
        !self.roots.is_disjoint(&other.roots)
            && (overlap(self.all(), &other.sources) || overlap(&self.sources, other.all()))
    }

    fn all(&self) -> &Sources {
        self.all
            .get_or_init(|| behind(&self.handed.taken, &self.sources))
    }
}

/// The sources that what blocks take comes from in the end, by what takes them.
fn roots(taken: &BTreeMap<ValueId, Sources>) -> BTreeMap<ValueId, Sources> {
    let mut takers: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
    for (taker, sources) in taken {
        for from in sources.iter().filter_map(Source::block) {
            takers.entry(from).or_default().push(*taker);
        }
    }
    let none = BTreeMap::new();
    let own = taken.iter().map(|(it, own)| (*it, roots_of(&none, own)));
    let mut roots: BTreeMap<_, _> = own.collect();
    let mut pending: Vec<_> = taken.keys().rev().copied().collect();
    while let Some(from) = pending.pop() {
        let more = roots.get(&from).cloned().unwrap_or_default();
        for taker in takers.get(&from).into_iter().flatten() {
            let known = roots.entry(*taker).or_default();
            if !more.is_subset(known) {
                known.extend(&more);
                pending.push(*taker);
            }
        }
    }
    roots
}

/// The sources that others come from in the end, which two values that may share a buffer have in common.
fn roots_of(roots: &BTreeMap<ValueId, Sources>, sources: &Sources) -> Sources {
    let of_blocks = sources.iter().filter_map(Source::block);
    let of_blocks = of_blocks.filter_map(|block| roots.get(&block)).flatten();
    let own = sources.iter().filter(|source| source.block().is_none());
    let own = own.map(|source| match source {
        // It may be one constant with all others that are computed.
        Source::Computed(_) => Source::Constant,
        source => *source,
    });
    own.chain(of_blocks.copied()).collect()
}

/// Sources, and those of what blocks take that is among them.
pub(super) fn behind(taken: &BTreeMap<ValueId, Sources>, sources: &Sources) -> Sources {
    let mut all = sources.clone();
    let mut pending: Vec<_> = sources.iter().copied().collect();
    while let Some(source) = pending.pop() {
        if let Some(value) = source.block() {
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
