//! Which globals may come to share a buffer.
//!
//! IREE 3.13 updates a part of a global in place, as if nothing else could have its buffer. But a store
//! keeps the buffer of what is stored: of another global, of something that is stored in another global
//! as well, or of what IREE finds to be computed twice. An update of the one would then change the other.

use crate::{
    ir::{Function, GlobalId, Operation, OperationId, Region, ValueId},
    op::Op,
};
use std::collections::{BTreeMap, BTreeSet};

/// The stores of a function whose operands need a buffer of their own.
pub(super) fn shared_stores(function: &Function) -> BTreeSet<OperationId> {
    let mut buffers = Buffers {
        function,
        sources: BTreeMap::new(),
        stores: BTreeMap::new(),
    };
    buffers.walk(&function.body);
    let fresh = buffers.stores.values();
    let mut fresh = fresh.filter(|(_, sources)| sources.is_empty());
    let first = fresh.next().map(|(target, _)| *target);
    let shared = |(target, sources): &(GlobalId, Sources)| match sources.is_empty() {
        true => first != Some(*target),
        false => sources.iter().any(|source| source != target),
    };
    let stores = buffers.stores.iter();
    let stores = stores.filter(|(_, store)| shared(store));
    stores.map(|(id, _)| *id).collect()
}

/// The globals whose buffer a value may have.
type Sources = BTreeSet<GlobalId>;

struct Buffers<'a> {
    function: &'a Function,
    sources: BTreeMap<ValueId, Sources>,
    /// For each store, the global that is stored and what its new value may have the buffer of.
    stores: BTreeMap<OperationId, (GlobalId, Sources)>,
}

impl Buffers<'_> {
    fn walk(&mut self, region: &Region) {
        for id in &region.operations {
            if let Some(operation) = self.function.operations.get(*id) {
                self.operation(*id, operation);
            }
        }
    }

    fn operation(&mut self, id: OperationId, operation: &Operation) {
        match &operation.op {
            Op::GlobalLoad(load) => self.set(&operation.results, &BTreeSet::from([load.global])),
            Op::GlobalStore(store) => {
                let sources = self.all(&operation.operands);
                self.stores.insert(id, (store.global, sources));
            }
            Op::If => {
                for region in &operation.regions {
                    self.walk(region);
                    self.hand_on(&region.results, &operation.results);
                }
            }
            Op::While => self.rounds(operation),
            Op::DotGeneral(_) | Op::Compare(_) | Op::ArgReduce(_) => {}
            // What computes something may turn out to change nothing, `x + 0` for example.
            _ => {
                let sources = self.all(&operation.operands);
                self.set(&operation.results, &sources);
            }
        }
    }

    /// Walks the rounds of a loop until no more sources reach what they hand on.
    fn rounds(&mut self, operation: &Operation) {
        self.hand_on(&operation.operands, &operation.results);
        loop {
            for region in &operation.regions {
                self.hand_on(&operation.results, &region.parameters);
                self.walk(region);
            }
            let body = operation.regions.last();
            let handed_back = body.map(|body| body.results.as_slice());
            if !self.hand_on(handed_back.unwrap_or_default(), &operation.results) {
                return;
            }
        }
    }

    /// Adds the sources of values to those of others, and returns whether any was new.
    fn hand_on(&mut self, from: &[ValueId], to: &[ValueId]) -> bool {
        let mut changed = false;
        for (from, to) in from.iter().zip(to) {
            let more = self.all(&[*from]);
            let sources = self.sources.entry(*to).or_default();
            let before = sources.len();
            sources.extend(more);
            changed |= sources.len() > before;
        }
        changed
    }

    fn all(&self, values: &[ValueId]) -> Sources {
        let sources = values.iter().filter_map(|value| self.sources.get(value));
        sources.flatten().copied().collect()
    }

    fn set(&mut self, values: &[ValueId], sources: &Sources) {
        let sources = values.iter().map(|value| (*value, sources.clone()));
        self.sources.extend(sources);
    }
}
