//! Which values may come to share a buffer.
//!
//! IREE 3.13 updates a part of a global in place, as if nothing else could have its buffer. But a store
//! keeps the buffer of what is stored: of another global, of something that is stored in another global
//! as well, or of what IREE finds to be computed twice. An update of the one would then change the other.
//!
//! And where a branch hands on the same buffer more than once, its VM moves it to the first that takes
//! it, and the others get nothing.
//!
//! A loop also changes what it is handed in place, whatever else may need it, and so does what replaces a part of
//! something, if a view of that is behind a barrier.
//! Defect `two-globals-keep-one-buffer`.

mod changed;
mod elsewhere;
mod handed;
mod lives;
mod places;
mod results;
mod together;
mod update;
mod uses;
mod varying;

pub(crate) use update::{Change, Reader, Whole, Window};

use crate::legalize::{alike::Alike, iterations::Iterations};
use handed::Handed;
use iree_abi::Dim;
use iree_dsl_ir::{
    Function, GlobalId, Operation, OperationId, Region, ValueId,
    op::{Alias, Effect, Op, UnaryOp, Update, byte_size},
};
use lives::Lives;
use places::{Kept, Places};
use results::Results;
use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};
use uses::Uses;
use varying::Varying;

/// What is known of the buffers of a function.
pub(super) struct Buffers<'a> {
    function: &'a Function,
    /// Where the buffer of a value may come from.
    sources: BTreeMap<ValueId, Sources>,
    /// The same, with results told from what they are computed from wherever that is sure, and what blocks take from what
    /// they are handed. What a loop does to a global in place must be traced back to it, so that not every question can be
    /// answered with it. Only branches and loops ask.
    handed: OnceCell<Handed>,
    results: Option<Results<'a>>,
    /// What blocks take, by what is handed to them; unless results are told from what they are computed from, as far as that are
    /// iterations of loops.
    taken: BTreeMap<ValueId, Sources>,
    /// Which results of branches and loops are no constants, if results are told from what they are computed from.
    varying: Varying,
    iterations: Iterations<'a>,
    /// For each store, the global that is stored and where the buffer of its new value may come from.
    stores: BTreeMap<OperationId, (GlobalId, Sources)>,
    shared_stores: BTreeSet<OperationId>,
    /// What becomes the value of each global.
    stored: OnceCell<BTreeMap<GlobalId, Sources>>,
    /// What is computed from constants alone.
    constants: BTreeSet<ValueId>,
    uses: Uses,
    /// What has the buffers that are changed in place.
    changed: OnceCell<Sources>,
    places: OnceCell<Places>,
    kept: OnceCell<Kept>,
    lives: OnceCell<Lives>,
    /// Asked for where something is changed.
    alike: OnceCell<Alike>,
}

/// Something that has a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Global(GlobalId),
    /// A parameter of the function, whose caller may need it.
    Argument(ValueId),
    /// A parameter of the iterations of a loop.
    Carried(ValueId),
    /// What branches or a loop hand on to what comes after them, where that is told from what they are handed. Where it is not, all
    /// iterations that a value has been through: it has all other sources besides.
    Joined(ValueId),
    /// Something that was computed.
    Computed(ValueId),
    /// A tensor of which a part was replaced by what is no constant, so that it is none either. It may still be in the buffer that it was in.
    Replaced(ValueId),
    /// What an operation of a name is sure to have computed, by its size in bytes: only another that is alike
    /// may be the same.
    Result(&'static str, Option<usize>),
    /// Constants that something was computed with. Which ones is not kept: long programs have many.
    Constant,
}

type Sources = BTreeSet<Source>;

impl Source {
    const fn global(&self) -> Option<GlobalId> {
        match self {
            Self::Global(global) => Some(*global),
            _ => None,
        }
    }

    /// What a block takes, or is handed on by one.
    const fn block(&self) -> Option<ValueId> {
        match self {
            Self::Carried(value) | Self::Joined(value) => Some(*value),
            Self::Global(_) | Self::Argument(_) | Self::Computed(_) => None,
            Self::Replaced(_) | Self::Result(..) | Self::Constant => None,
        }
    }
}

impl<'a> Buffers<'a> {
    /// Goes through a function.
    pub(super) fn of(function: &'a Function) -> Self {
        let buffers = Self::with(function, None);
        Self {
            shared_stores: shared_stores(&buffers.stores),
            ..buffers
        }
    }

    fn with(function: &'a Function, results: Option<Results<'a>>) -> Self {
        let mut buffers = Self {
            function,
            sources: BTreeMap::new(),
            handed: OnceCell::new(),
            results,
            taken: BTreeMap::new(),
            varying: Varying::default(),
            iterations: Iterations::of(function),
            stores: BTreeMap::new(),
            shared_stores: BTreeSet::new(),
            stored: OnceCell::new(),
            constants: BTreeSet::new(),
            uses: Uses::of(function),
            changed: OnceCell::new(),
            places: OnceCell::new(),
            kept: OnceCell::new(),
            lives: OnceCell::new(),
            alike: OnceCell::new(),
        };
        for parameter in &function.body.parameters {
            let source = Source::Argument(*parameter);
            buffers.set(&[*parameter], &Sources::from([source]));
        }
        buffers.walk(&function.body);
        buffers
    }

    /// Whether what is stored needs a buffer of its own first.
    pub(super) fn is_shared_store(&self, id: OperationId) -> bool {
        self.shared_stores.contains(&id)
    }

    /// Whether what is in a buffer may become the value of a global.
    fn is_stored_in(&self, source: Source, global: GlobalId) -> bool {
        let stored = self.stored.get_or_init(|| {
            let mut stored: BTreeMap<_, Sources> = BTreeMap::new();
            for (target, sources) in self.stores.values() {
                stored.entry(*target).or_default().extend(sources);
            }
            let stored = stored.into_iter();
            stored
                .map(|(target, sources)| (target, handed::behind(&self.taken, &sources)))
                .collect()
        });
        let stored = stored.get(&global);
        stored.is_some_and(|sources| sources.contains(&source))
    }

    /// The parameters of the function whose buffer a value may have. A loop has made a copy of what it
    /// carries.
    pub(super) fn arguments(&self, value: ValueId) -> Vec<ValueId> {
        let sources = self.all(&[value]);
        if sources
            .iter()
            .any(|source| matches!(source, Source::Carried(_) | Source::Joined(_)))
        {
            return Vec::new();
        }
        let argument = |source| match source {
            Source::Argument(argument) => Some(argument),
            _ => None,
        };
        sources.into_iter().filter_map(argument).collect()
    }

    /// Which of several values, by their position, need a buffer of their own so that all have different
    /// ones. The larger ones keep theirs.
    pub(super) fn shared(&self, values: &[ValueId]) -> BTreeSet<usize> {
        self.handed().shared(values, |value| self.rough_size(value))
    }

    fn handed(&self) -> &Handed {
        self.handed.get_or_init(|| {
            let results = Results::of(self.function);
            let Self { sources, taken, .. } = Self::with(self.function, Some(results));
            Handed::new(sources, taken)
        })
    }

    /// What IREE makes one. Nobody sees through a barrier.
    fn alike(&self) -> &Alike {
        let is_seen = |op: &Op| op.effect() == Effect::Pure && *op != Op::Unary(UnaryOp::Barrier);
        self.alike.get_or_init(|| Alike::of(self.function, is_seen))
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(self.function))
    }

    fn kept(&self) -> &Kept {
        self.kept
            .get_or_init(|| Kept::of(self.function, self.places()))
    }

    fn size(&self, value: ValueId) -> Option<usize> {
        self.function.ty(value).and_then(byte_size)
    }

    /// How many sizes of a tensor nobody knows, and how many bytes it has if these are one: as a rule, the larger of two tensors
    /// can be told by that.
    fn rough_size(&self, value: ValueId) -> (usize, usize) {
        let Some(ty) = self.function.ty(value) else {
            return (0, 0);
        };
        let dims = ty.shape.dims();
        let known = dims.iter().filter_map(Dim::known);
        let unknown = dims.iter().filter(|dim| dim.known().is_none());
        let bytes = known.fold(ty.dtype.size(), usize::saturating_mul);
        (unknown.count(), bytes)
    }

    fn walk(&mut self, region: &Region) {
        for id in &region.operations {
            if let Some(operation) = self.function.operations.get(*id) {
                self.operation(*id, operation);
            }
        }
    }

    fn operation(&mut self, id: OperationId, operation: &Operation) {
        let (operands, results) = (&operation.operands, &operation.results);
        if self.is_result(operation) {
            let size = results.first().and_then(|result| self.size(*result));
            let source = Source::Result(operation.op.name(), size);
            return self.set(results, &Sources::from([source]));
        }
        if let Some(summand) = self.summand(operation) {
            return self.derive(operands, &[summand], results);
        }
        match operation.op.alias() {
            Alias::Global(load) => {
                self.set(results, &Sources::from([Source::Global(load.global)]));
            }
            Alias::NoResults => self.stored(id, operation),
            Alias::Branches => {
                for region in &operation.regions {
                    self.walk(region);
                    self.join(&region.results, results);
                }
                self.note_varying(results);
            }
            Alias::Iterations => self.iterations(operation),
            Alias::InPlace(Update::Window) => {
                let updated = self.updated(operands, results);
                self.set(results, &updated);
            }
            Alias::Constant => {
                self.compute(results);
                self.constants.extend(results);
            }
            Alias::New => self.compute(results),
            Alias::Operands { first } => {
                let operands = operands.get(first..).unwrap_or_default();
                self.derive(operands, &self.stored_alike(operands, results), results);
            }
            Alias::View | Alias::InPlace(Update::Elements) => {
                self.derive(operands, operands, results);
            }
            Alias::Callee(_) | Alias::Foreign => self.derive(operands, operands, results),
        }
    }

    fn stored(&mut self, id: OperationId, operation: &Operation) {
        if let Effect::Writes(store) = operation.op.effect() {
            let sources = self.all(&operation.operands);
            self.stores.insert(id, (store.global, sources));
        }
    }

    fn compute(&mut self, results: &[ValueId]) {
        for result in results {
            self.set(&[*result], &Sources::from([Source::Computed(*result)]));
        }
    }

    /// The operands whose elements are stored as those of the results are: what makes others of them changes something.
    fn stored_alike(&self, operands: &[ValueId], results: &[ValueId]) -> Vec<ValueId> {
        let stored = |value: &ValueId| {
            let dtype = self.function.ty(*value)?.dtype;
            Some((dtype.is_float(), dtype.is_complex(), dtype.size()))
        };
        let of_results: Vec<_> = results.iter().map(stored).collect();
        let alike = |operand: &&ValueId| of_results.contains(&stored(operand));
        operands.iter().filter(alike).copied().collect()
    }

    /// What computes something may turn out to change nothing, `x + 0` for example: it then is one of some operands.
    fn derive(&mut self, operands: &[ValueId], kept: &[ValueId], results: &[ValueId]) {
        let is_constant = |value: &ValueId| self.constants.contains(value);
        if !operands.is_empty() && operands.iter().all(is_constant) {
            let sources = self.all(operands);
            self.constants.extend(results);
            return self.set(results, &sources);
        }
        let (constants, others): (Vec<_>, Vec<_>) = kept.iter().copied().partition(is_constant);
        if others.is_empty() && constants.is_empty() {
            return self.compute(results);
        }
        let mut sources = self.all(&others);
        if !constants.is_empty() {
            sources.insert(Source::Constant);
        }
        self.set(results, &sources);
    }

    /// The sources of a tensor with a window replaced, which may be all of it.
    fn updated(&self, operands: &[ValueId], results: &[ValueId]) -> Sources {
        let [whole, window, ..] = operands else {
            return Sources::new();
        };
        let shape = |value: &ValueId| self.function.ty(*value).map(|ty| &ty.shape);
        let mut sources = match shape(whole) == shape(window) {
            true => self.all(&[*whole, *window]),
            false => self.all(&[*whole]),
        };
        if self.is_replaced_by(*window) {
            sources.extend(results.iter().map(|result| Source::Replaced(*result)));
        }
        sources
    }

    /// Walks the iterations of a loop until no more sources reach what they hand on.
    fn iterations(&mut self, operation: &Operation) {
        let before = self.varying.mark();
        self.join(&operation.operands, &operation.results);
        loop {
            self.varying.forget_since(before);
            for region in &operation.regions {
                self.enter_rounds(operation, region);
                self.walk(region);
            }
            if !self.join(handed_back(operation), &operation.results) {
                break;
            }
        }
        self.varying.forget_since(before);
        self.note_varying(&operation.results);
        if self.results.is_some() && self.is_sure_to_run(operation) {
            self.note_varying_as(handed_back(operation), &operation.results);
        }
    }

    fn enter_rounds(&mut self, operation: &Operation, region: &Region) {
        if self.results.is_none() {
            self.hand_on(&operation.results, &region.parameters);
            return self.carry(&region.parameters);
        }
        let carried = operation.regions.last().map(|body| body.parameters.iter());
        let carried = carried.into_iter().flatten().zip(&operation.results);
        for (own, (carried, joined)) in region.parameters.iter().zip(carried) {
            self.set(&[*own], &Sources::from([Source::Carried(*carried)]));
            let taken = self.taken.entry(*carried).or_default();
            taken.insert(Source::Joined(*joined));
        }
    }

    /// Notes that iterations take some values.
    fn carry(&mut self, parameters: &[ValueId]) {
        for parameter in parameters {
            let sources = self.sources.entry(*parameter).or_default();
            let tells = |source: &Source| !matches!(source, Source::Constant | Source::Joined(_));
            // Others that come from here are known by what the loop starts with.
            if !sources.iter().any(tells) {
                sources.insert(Source::Carried(*parameter));
            }
            sources.insert(Source::Joined(*parameter));
            self.gather(*parameter);
        }
    }

    /// Has one source stand for all iterations that a value has been through. A value behind many loops would have as many sources.
    fn gather(&mut self, value: ValueId) {
        let Some(sources) = self.sources.get_mut(&value) else {
            return;
        };
        let is_joined = |source: &Source| matches!(source, Source::Joined(_));
        if sources.iter().filter(|source| is_joined(source)).count() > 1 {
            let joined = sources.extract_if(.., |source| is_joined(source));
            self.taken.entry(value).or_default().extend(joined);
            sources.insert(Source::Joined(value));
        }
    }

    /// Adds the sources of what is handed on to those of what comes after it, and returns whether any was new.
    fn join(&mut self, from: &[ValueId], to: &[ValueId]) -> bool {
        if self.results.is_none() {
            return self.hand_on(from, to);
        }
        let mut changed = false;
        for (from, to) in from.iter().zip(to) {
            let more = self.all(&[*from]);
            let sources = self.taken.entry(*to).or_default();
            let before = sources.len();
            sources.extend(more);
            changed |= sources.len() > before;
            self.set(&[*to], &Sources::from([Source::Joined(*to)]));
        }
        changed
    }

    /// Adds the sources of values to those of others, and returns whether any was new.
    fn hand_on(&mut self, from: &[ValueId], to: &[ValueId]) -> bool {
        let mut changed = false;
        for (from, to) in from.iter().zip(to) {
            let before = self.all(&[*to]);
            let mut sources = self.all(&[*from]);
            sources.extend(&before);
            self.set(&[*to], &sources);
            self.gather(*to);
            changed |= self.sources.get(to) != Some(&before);
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

/// What an iteration hands to the next one.
fn handed_back(operation: &Operation) -> &[ValueId] {
    let body = operation.regions.last();
    body.map(|body| body.results.as_slice()).unwrap_or_default()
}

/// The stores of what may be in the buffer of another global, before them or since a store before them.
fn shared_stores(stores: &BTreeMap<OperationId, (GlobalId, Sources)>) -> BTreeSet<OperationId> {
    let mut stored_in: BTreeMap<Source, BTreeSet<GlobalId>> = BTreeMap::new();
    let mut shared = BTreeSet::new();
    for (id, (target, sources)) in stores {
        let keys = handed::all_shared_by(sources);
        let is_elsewhere = |key: &Source| {
            let globals = stored_in.get(key);
            let mut globals = globals.into_iter().flatten();
            matches!(key, Source::Global(global) if global != target)
                || globals.any(|other| other != target)
        };
        if keys.iter().any(is_elsewhere) {
            shared.insert(*id);
        }
        for key in keys {
            stored_in.entry(key).or_default().insert(*target);
        }
    }
    shared
}

/// Whether two values have a source in common that is known.
fn share(one: &Sources, other: &Sources) -> bool {
    let mut known = one.iter().filter(|source| **source != Source::Constant);
    known.any(|source| other.contains(source))
}
