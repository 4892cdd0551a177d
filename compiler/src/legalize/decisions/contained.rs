//! What is around loops that one dispatch runs.

use super::registers::Registers;
use iree_abi::Shape;
use iree_dsl_ir::{
    Function, Linkage, Operation, OperationId, Region, ValueId,
    op::{Alias, Op, Structure},
};
use std::collections::{BTreeMap, BTreeSet};

/// A loop that one dispatch runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contained {
    /// What it reads of what is computed around it.
    pub(crate) taken: Vec<ValueId>,
    /// What defines the constants that it reads, and what repeats them. That is written into it.
    pub(crate) constants: Vec<OperationId>,
    /// Its results, by their positions, that something reads.
    pub(crate) read: BTreeSet<usize>,
    /// What iterations hand on, by its position, that is what they were handed, changed in place.
    pub(crate) in_place: BTreeSet<usize>,
}

/// The outermost loops of a function that have these results, but for those that the machine runs in registers alone, and what is around
/// all loops that may be in a dispatch: those in these, and those of functions that may be called there.
pub(super) fn of(
    function: &Function,
    results: &BTreeSet<ValueId>,
    registers: &Registers,
) -> (BTreeSet<OperationId>, BTreeMap<OperationId, Contained>) {
    let loops = || {
        let operations = function.operations.iter();
        operations.filter(|(_, it)| it.op.structure() == Structure::Iterations)
    };
    let outermost = loops().filter(|(_, operation)| {
        let mut own = operation.results.iter();
        own.clone().any(|it| results.contains(it)) && !own.all(|it| registers.holds(*it))
    });
    let outermost: BTreeSet<_> = outermost.map(|(id, _)| id).collect();
    if outermost.is_empty() && function.linkage == Linkage::Public {
        return Default::default();
    }
    let around = Around::of(function);
    let loops = loops().map(|(id, operation)| (id, around.contained(operation)));
    (outermost, loops.collect())
}

/// A function, with what defines and what reads its values.
pub(in crate::legalize) struct Around<'a> {
    function: &'a Function,
    definitions: BTreeMap<ValueId, OperationId>,
    read: BTreeSet<ValueId>,
}

impl<'a> Around<'a> {
    pub(in crate::legalize) fn of(function: &'a Function) -> Self {
        let operations = || function.operations.iter();
        let definitions = operations().flat_map(|(id, operation)| {
            let results = operation.results.iter();
            results.map(move |result| (*result, id))
        });
        let read = operations().flat_map(|(_, operation)| {
            let regions = operation.regions.iter();
            let returned = regions.flat_map(|region| &region.results);
            operation.operands.iter().chain(returned)
        });
        Self {
            function,
            definitions: definitions.collect(),
            read: read.chain(&function.body.results).copied().collect(),
        }
    }

    pub(in crate::legalize) fn contained(&self, operation: &Operation) -> Contained {
        let mut inside = BTreeSet::new();
        let mut read: Vec<_> = operation.operands.clone();
        for region in &operation.regions {
            self.collect(region, &mut inside, &mut read);
        }
        let mut contained = Contained::default();
        let mut seen = BTreeSet::new();
        for value in read {
            if inside.contains(&value) || !seen.insert(value) {
                continue;
            }
            let Some(constant) = self.constant(value) else {
                contained.taken.push(value);
                continue;
            };
            for id in constant {
                if !contained.constants.contains(&id) {
                    contained.constants.push(id);
                }
            }
        }
        let results = operation.results.iter().enumerate();
        let results = results.filter(|(_, result)| self.read.contains(result));
        contained.read = results.map(|(position, _)| position).collect();
        if let Some(body) = operation.regions.last() {
            contained.in_place = self.in_place(body);
        }
        contained
    }

    /// What a region defines, and what it reads.
    fn collect(&self, region: &Region, inside: &mut BTreeSet<ValueId>, read: &mut Vec<ValueId>) {
        inside.extend(&region.parameters);
        read.extend(&region.results);
        for operation in self.operations(region) {
            inside.extend(&operation.results);
            read.extend(&operation.operands);
            for region in &operation.regions {
                self.collect(region, inside, read);
            }
        }
    }

    fn operations(&self, region: &'a Region) -> impl Iterator<Item = &'a Operation> {
        let operations = region.operations.iter();
        operations.filter_map(|id| self.function.operations.get(*id))
    }

    /// What defines a constant, or what repeats one, which would be in memory for good.
    fn constant(&self, value: ValueId) -> Option<Vec<OperationId>> {
        let (id, operation) = (self.definitions.get(&value)?, self.definition(value)?);
        let mut constant = match operation.op.structure() {
            Structure::Constant(_) => Vec::new(),
            structure => {
                let is_repeated = matches!(structure, Structure::Broadcast(_));
                let source = operation.operands.first().filter(|_| is_repeated)?;
                self.constant(*source)?
            }
        };
        constant.push(*id);
        Some(constant)
    }

    /// What a body hands on that is what it was handed at the same position, as it was or changed in place, and that nothing
    /// needs as it was when it has changed.
    pub(in crate::legalize) fn in_place(&self, body: &Region) -> BTreeSet<usize> {
        let both = body.parameters.iter().zip(&body.results).enumerate();
        let in_place = both.filter(|(_, (parameter, result))| {
            let changes = self.changes(**parameter, **result);
            let are_last = |changes: Vec<_>| changes.into_iter().all(|it| self.is_last(body, it));
            changes.is_some_and(are_last)
        });
        in_place.map(|(position, _)| position).collect()
    }

    /// What a value is a view or a part of, or the value itself. A part is read in place, where it is needed.
    fn source(&self, mut value: ValueId) -> ValueId {
        while let Some(operation) = self.definition(value)
            && is_in_place(&operation.op)
            && let Some(viewed) = operation.operands.first()
        {
            value = *viewed;
        }
        value
    }

    fn shape(&self, value: ValueId) -> Option<&Shape> {
        self.function.ty(value).map(|ty| &ty.shape)
    }

    fn definition(&self, value: ValueId) -> Option<&Operation> {
        self.function.operations.get(*self.definitions.get(&value)?)
    }

    /// The changes, last first, that make a value of another.
    fn changes(&self, first: ValueId, last: ValueId) -> Option<Vec<OperationId>> {
        let mut changes = Vec::new();
        let mut value = last;
        while value != first {
            let id = *self.definitions.get(&value)?;
            let operation = self.function.operations.get(id)?;
            let (Structure::Update, [whole, window, ..]) =
                (operation.op.structure(), operation.operands.as_slice())
            else {
                return None;
            };
            // Of a change of all of it, nothing is left but what it becomes.
            if self.shape(*whole)? == self.shape(*window)? {
                return None;
            }
            changes.push(id);
            value = *whole;
        }
        Some(changes)
    }

    /// Whether nothing of a region reads what an operation of it changes after that, nor a part of it.
    pub(in crate::legalize) fn is_last(&self, region: &Region, change: OperationId) -> bool {
        let changed = self.function.operations.get(change);
        let Some(changed) = changed.and_then(|it| it.operands.first()) else {
            return false;
        };
        let after = region.operations.iter().skip_while(|id| **id != change);
        let mut after = after.skip(1);
        let is_read = |read: &[ValueId]| read.iter().any(|it| self.source(*it) == *changed);
        let is_kept = after.any(|id| {
            let operation = self.function.operations.get(*id);
            operation.is_none_or(|operation| is_read(&self.read_by(operation)))
        });
        !is_kept && !is_read(&region.results)
    }

    /// What an operation reads, and what is in its regions.
    fn read_by(&self, operation: &Operation) -> Vec<ValueId> {
        let mut read = operation.operands.clone();
        for region in &operation.regions {
            self.collect(region, &mut BTreeSet::new(), &mut read);
        }
        read
    }
}

/// Whether an operation computes nothing, but says where its result is in its operand.
fn is_in_place(op: &Op) -> bool {
    let is_part = matches!(op.structure(), Structure::Slice(_))
        || matches!(op.structure(), Structure::Window(_));
    is_part || op.alias() == Alias::View
}
