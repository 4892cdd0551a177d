//! What has to happen before a part of a tensor is replaced in place.
//!
//! IREE 3.13 orders what it runs by what needs the result of what, and nothing needs the result of what only
//! has to read a tensor before it changes. So it may replace a part of a global, whose buffer it keeps, before
//! something reads what was there, though that comes first in the program; and it copies nothing for what is read
//! after the change, nor for a change that the global is not to see.

use super::{Buffers, Source, Sources, share};
use crate::{
    ir::{Function, GlobalId, Operation, OperationId, Region, ValueId},
    op::Op,
};
use std::collections::{BTreeMap, BTreeSet};

/// How a tensor is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lower) enum Change {
    /// In place.
    Now,
    /// In place, when these are computed, which read it.
    After(Vec<ValueId>),
    /// In a copy.
    Apart,
}

/// Where operations are, and who uses what.
#[derive(Default)]
pub(super) struct Places {
    users: BTreeMap<ValueId, Vec<OperationId>>,
    makers: BTreeMap<ValueId, OperationId>,
    /// The region that each operation is in.
    regions: BTreeMap<OperationId, usize>,
    /// For each region, the operation that has it.
    owners: Vec<Option<OperationId>>,
}

impl Places {
    pub(super) fn of(function: &Function) -> Self {
        let mut places = Self::default();
        places.region(function, &function.body, None);
        places
    }

    fn region(&mut self, function: &Function, region: &Region, owner: Option<OperationId>) {
        let here = self.owners.len();
        self.owners.push(owner);
        for id in &region.operations {
            let Some(operation) = function.operations.get(*id) else {
                continue;
            };
            self.regions.insert(*id, here);
            for operand in &operation.operands {
                self.users.entry(*operand).or_default().push(*id);
            }
            let made = operation.results.iter().map(|result| (*result, *id));
            self.makers.extend(made);
            for region in &operation.regions {
                self.region(function, region, Some(*id));
            }
        }
    }

    fn users(&self, value: ValueId) -> &[OperationId] {
        self.users.get(&value).map_or(&[], Vec::as_slice)
    }

    /// An operation, or the one around it that is in a region which `from` is in or inside of.
    fn seen_from(&self, from: OperationId, operation: OperationId) -> Option<OperationId> {
        let around = |id: &OperationId| *self.owners.get(*self.regions.get(id)?)?;
        let own: BTreeSet<_> = std::iter::successors(Some(from), around)
            .filter_map(|id| self.regions.get(&id))
            .collect();
        let is_seen = |id: &OperationId| self.regions.get(id).is_some_and(|it| own.contains(it));
        std::iter::successors(Some(operation), around).find(is_seen)
    }

    /// Whether a value is made by an operation of the region that another is in.
    fn is_beside(&self, value: ValueId, other: OperationId) -> bool {
        let maker = self.makers.get(&value);
        let region = maker.and_then(|maker| self.regions.get(maker));
        region.is_some() && region == self.regions.get(&other)
    }

    fn is_at_top(&self, operation: &Operation) -> bool {
        let id = operation.results.first();
        let id = id.and_then(|result| self.makers.get(result));
        id.and_then(|id| self.regions.get(id)) == Some(&0)
    }
}

impl Buffers<'_> {
    /// How a part of a tensor is replaced by an operation.
    pub(in crate::lower) fn change(&self, id: OperationId, operation: &Operation) -> Change {
        let Some(whole) = operation.operands.first() else {
            return Change::Now;
        };
        let sources = self.all(&[*whole]);
        let mut globals = sources.iter().filter_map(Source::global).peekable();
        if globals.peek().is_none() {
            return Change::Now;
        }
        let is_lost = globals.any(|global| !self.reaches(operation, global));
        if is_lost || self.is_read_later(id, *whole) {
            return Change::Apart;
        }
        let readers = self.readers(id, *whole);
        let places = self.places();
        let is_beside = |reader: &ValueId| places.is_beside(*reader, id);
        match readers.as_slice() {
            [] => Change::Now,
            readers if readers.iter().all(is_beside) => Change::After(readers.to_vec()),
            _ => Change::Apart,
        }
    }

    /// What is computed of a tensor before an operation and used after it, or elsewhere.
    fn readers(&self, id: OperationId, whole: ValueId) -> Vec<ValueId> {
        let places = self.places();
        let mut readers = BTreeSet::new();
        let mut seen = BTreeSet::from([whole]);
        let mut pending = vec![whole];
        while let Some(value) = pending.pop() {
            for user in places.users(value) {
                let Some(user) = places.seen_from(id, *user) else {
                    continue;
                };
                if !self.uses.is_before(user, id) {
                    continue;
                }
                let user = self.function.operations.get(user);
                let results = user.map_or(&[][..], |user| &user.results);
                if results.is_empty() {
                    readers.insert(value);
                }
                let more = results.iter().filter(|result| seen.insert(**result));
                pending.extend(more);
            }
        }
        seen.remove(&whole);
        let used_later = seen.into_iter();
        readers.extend(used_later.filter(|value| self.uses.outlives(*value, id)));
        readers.into_iter().collect()
    }

    /// Whether a window that replaces a part of a tensor is a part of the same tensor, which IREE would
    /// copy within one buffer, wherever the two overlap.
    pub(in crate::lower) fn is_from_same(&self, operation: &Operation) -> bool {
        let [whole, window, ..] = operation.operands.as_slice() else {
            return false;
        };
        self.is_moved(*window) && share(&self.all(&[*whole]), &self.all(&[*window]))
    }

    /// Whether a value is a part of another, perhaps in another order, with nothing computed.
    fn is_moved(&self, value: ValueId) -> bool {
        let maker = self.places().makers.get(&value);
        let maker = maker.and_then(|maker| self.function.operations.get(*maker));
        maker.is_some_and(|maker| match &maker.op {
            Op::Slice(_) | Op::DynamicSlice(_) => true,
            Op::Reshape(_) | Op::Transpose(_) | Op::Broadcast(_) | Op::Concatenate(_) => {
                maker.operands.iter().any(|operand| self.is_moved(*operand))
            }
            _ => false,
        })
    }

    /// Whether what an operation makes of a part of a global becomes its value.
    fn reaches(&self, operation: &Operation, global: GlobalId) -> bool {
        let places = self.places();
        let mut values: Vec<ValueId> = operation.results.clone();
        while let Some(value) = values.pop() {
            for user in places.users(value) {
                let Some(user) = self.function.operations.get(*user) else {
                    continue;
                };
                match &user.op {
                    Op::GlobalStore(store) if store.global == global => return true,
                    Op::DynamicUpdateSlice if user.operands.first() == Some(&value) => {
                        values.extend(&user.results);
                    }
                    Op::While => return self.is_stored(global),
                    _ => {}
                }
            }
        }
        // A region may hand it on.
        !places.is_at_top(operation) && self.is_stored(global)
    }

    fn is_stored(&self, global: GlobalId) -> bool {
        let mut stores = self.stores.values();
        stores
            .any(|(target, sources)| *target == global && sources.contains(&Source::Global(global)))
    }

    /// Whether something that may be the same tensor is used after an operation that changes it.
    fn is_read_later(&self, id: OperationId, whole: ValueId) -> bool {
        let size = self.size(whole);
        let sources = self.all(&[whole]);
        let is_same = |(value, other): &(&ValueId, &Sources)| {
            let mut globals = other.iter().filter(|source| source.global().is_some());
            globals.any(|source| sources.contains(source)) && self.size(**value) == size
        };
        let mut same = self.sources.iter().filter(is_same);
        same.any(|(value, _)| self.uses.outlives(*value, id))
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(self.function))
    }
}
