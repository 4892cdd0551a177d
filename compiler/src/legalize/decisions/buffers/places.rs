//! Where operations are, who uses what, and what tensors with replaced parts become.

use iree_dsl_ir::{
    Function, GlobalId, Operation, OperationId, Region, ValueId,
    op::{Effect, Op, UnaryOp},
};
use std::collections::{BTreeMap, BTreeSet};

/// Where operations are, and who uses what.
#[derive(Default)]
pub(super) struct Places {
    users: BTreeMap<ValueId, Vec<OperationId>>,
    /// What regions hand back.
    ends: BTreeSet<ValueId>,
    /// The regions that each value is used in.
    uses: BTreeMap<ValueId, BTreeSet<usize>>,
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
                self.uses.entry(*operand).or_default().insert(here);
            }
            let made = operation.results.iter().map(|result| (*result, *id));
            self.makers.extend(made);
            for region in &operation.regions {
                self.region(function, region, Some(*id));
            }
        }
        self.ends.extend(&region.results);
        for result in &region.results {
            self.uses.entry(*result).or_default().insert(here);
        }
    }

    pub(super) fn users(&self, value: ValueId) -> &[OperationId] {
        self.users.get(&value).map_or(&[], Vec::as_slice)
    }

    /// Whether a value is used in several branches or iterations, or in one and outside of it.
    pub(super) fn is_used_in_several_regions(&self, value: ValueId) -> bool {
        self.uses
            .get(&value)
            .is_some_and(|regions| regions.len() > 1)
    }

    pub(super) fn maker(&self, value: ValueId) -> Option<OperationId> {
        self.makers.get(&value).copied()
    }

    /// A value, or what it is behind barriers of that nothing else reads.
    pub(super) fn before_barriers(&self, function: &Function, value: ValueId) -> ValueId {
        let before = |value: &ValueId| {
            let maker = function.operations.get(self.maker(*value)?)?;
            let operand = maker
                .operands
                .first()
                .filter(|_| maker.op == Op::Unary(UnaryOp::Barrier));
            let is_alone = |operand: &&ValueId| {
                self.users(**operand).len() == 1 && !self.ends.contains(operand)
            };
            operand.filter(is_alone).copied()
        };
        let last = std::iter::successors(Some(value), before).last();
        last.unwrap_or(value)
    }

    /// An operation, or the one around it that is in a region which `from` is in or inside of.
    pub(super) fn seen_from(
        &self,
        from: OperationId,
        operation: OperationId,
    ) -> Option<OperationId> {
        let around = |id: &OperationId| *self.owners.get(*self.regions.get(id)?)?;
        let own: BTreeSet<_> = std::iter::successors(Some(from), around)
            .filter_map(|id| self.regions.get(&id))
            .collect();
        let is_seen = |id: &OperationId| self.regions.get(id).is_some_and(|it| own.contains(it));
        std::iter::successors(Some(operation), around).find(is_seen)
    }

    /// Whether a value is made by an operation of the region that another is in.
    pub(super) fn is_beside(&self, value: ValueId, other: OperationId) -> bool {
        let maker = self.maker(value);
        let region = maker.and_then(|maker| self.regions.get(&maker));
        region.is_some() && region == self.regions.get(&other)
    }

    pub(super) fn is_at_top(&self, operation: &Operation) -> bool {
        let result = operation.results.first();
        let id = result.and_then(|result| self.maker(*result));
        id.and_then(|id| self.regions.get(&id)) == Some(&0)
    }
}

/// What becomes of values, perhaps after more of their parts are replaced.
#[derive(Default)]
pub(super) struct Kept {
    /// They are stored in a global.
    stored: BTreeSet<(GlobalId, ValueId)>,
    /// They are handed to a loop.
    handed_on: BTreeSet<ValueId>,
}

impl Kept {
    pub(super) fn of(function: &Function, places: &Places) -> Self {
        let mut kept = Self::default();
        for (value, users) in &places.users {
            let chain = std::iter::successors(Some(*value), |value| {
                let before = places.before_barriers(function, *value);
                if before != *value {
                    return Some(before);
                }
                let maker = function.operations.get(places.maker(*value)?)?;
                let is_update = maker.op == Op::DynamicUpdateSlice;
                is_update.then(|| maker.operands.first().copied())?
            });
            for user in users {
                let Some(user) = function.operations.get(*user) else {
                    continue;
                };
                if let Effect::Writes(store) = user.op.effect() {
                    let mut chain = chain.clone();
                    chain.all(|value| kept.stored.insert((store.global, value)));
                }
                if user.op == Op::While {
                    let mut chain = chain.clone();
                    chain.all(|value| kept.handed_on.insert(value));
                }
            }
        }
        kept
    }

    pub(super) fn is_stored(&self, value: ValueId, global: GlobalId) -> bool {
        self.stored.contains(&(global, value))
    }

    pub(super) fn is_handed_on(&self, value: ValueId) -> bool {
        self.handed_on.contains(&value)
    }
}
