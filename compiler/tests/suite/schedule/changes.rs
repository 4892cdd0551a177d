//! Where memory is read after it has been changed, along all ways through a function, or while it is.

use super::text::{Block, Function, Operation, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What has been changed, and by which operations.
type Changed<'f> = BTreeMap<Value, BTreeSet<&'f str>>;

/// So many characters of an operation are shown.
const SHOWN: usize = 300;

/// What is read after a change of its memory, or beside one, as lines to show.
pub(super) fn misread(function: &Function) -> Vec<String> {
    let mut known = Known::of(function);
    let mut before: BTreeMap<&str, Changed<'_>> = BTreeMap::new();
    loop {
        let mut grown = false;
        for block in &function.blocks {
            let entry = before.get(block.label.as_str()).cloned();
            let exit = known.block(block, entry.unwrap_or_default());
            for (label, _) in block.operations.iter().flat_map(|it| &it.successors) {
                let entry = before.entry(label).or_default();
                for (value, by) in &exit {
                    let known = entry.entry(*value).or_default();
                    let count = known.len();
                    known.extend(by);
                    grown |= known.len() > count;
                }
            }
        }
        if !grown {
            break;
        }
    }
    let name = &function.name;
    let found = known
        .found
        .into_iter()
        .map(|line| format!("{name}: {line}"));
    found.collect()
}

/// What is known of the memory of values.
struct Known {
    /// What values are other names of.
    names: BTreeMap<Value, Value>,
    /// The values whose memory a value may be in.
    memory: BTreeMap<Value, BTreeSet<Value>>,
    found: BTreeSet<String>,
}

impl Known {
    fn of(function: &Function) -> Self {
        let mut known = Self {
            names: BTreeMap::new(),
            memory: BTreeMap::new(),
            found: BTreeSet::new(),
        };
        let mut operations: Vec<_> = function
            .blocks
            .iter()
            .flat_map(|it| &it.operations)
            .collect();
        while let Some(operation) = operations.pop() {
            known.names.extend(operation.names.iter().copied());
            for (value, of) in operation.names.iter().chain(&operation.ties) {
                known.memory.entry(*value).or_default().insert(*of);
            }
            operations.extend(&operation.region);
        }
        for (block, handed) in handed(function) {
            for (argument, value) in block.arguments.iter().zip(handed) {
                known.memory.entry(*argument).or_default().insert(*value);
            }
        }
        for (block, handed) in handed(function) {
            known.share(block, handed);
        }
        known
    }

    /// Arguments of a block that are handed one memory are changed together.
    fn share(&mut self, block: &Block, handed: &[Value]) {
        let arguments = block.arguments.iter().zip(handed);
        for (argument, value) in arguments.clone() {
            let others = arguments
                .clone()
                .filter(|(other, it)| *other != argument && self.named(**it) == self.named(*value));
            let others: Vec<_> = others.map(|(other, _)| *other).collect();
            self.memory.entry(*argument).or_default().extend(others);
        }
    }

    /// The value that another may be a name of.
    fn named(&self, value: Value) -> Value {
        std::iter::successors(Some(value), |value| self.names.get(value).copied())
            .last()
            .unwrap_or(value)
    }

    /// What has been changed at the end of a block.
    fn block<'f>(&mut self, block: &'f Block, mut changed: Changed<'f>) -> Changed<'f> {
        for argument in &block.arguments {
            changed.remove(argument);
        }
        self.operations(&block.operations, &mut changed);
        changed
    }

    fn operations<'f>(&mut self, operations: &'f [Operation], changed: &mut Changed<'f>) {
        for operation in operations {
            for read in &operation.reads {
                let by = changed.get(&self.named(*read)).into_iter().flatten();
                let is_left = |by: &&&str| operation.is_at_one_place && **by == operation.text;
                let misread = by.filter(|by| !is_left(by));
                self.found.extend(misread.map(|by| {
                    let (text, by) = (shown(&operation.text), shown(by));
                    format!("`{text}` reads what has been changed by `{by}`")
                }));
            }
            for (name, _) in &operation.names {
                changed.remove(name);
            }
            for value in &operation.changes {
                self.change(*value, &operation.text, changed);
            }
            self.operations(&operation.region, changed);
            if operation.is_concurrent {
                self.beside(&operation.region);
            }
            for result in &operation.results {
                changed.remove(result);
            }
        }
    }

    /// Marks all that may be in the memory of a value.
    fn change<'f>(&self, value: Value, by: &'f str, changed: &mut Changed<'f>) {
        let (mut seen, mut next) = (BTreeSet::new(), vec![value]);
        while let Some(value) = next.pop() {
            if seen.insert(value) {
                changed.entry(value).or_default().insert(by);
                next.extend(self.memory.get(&value).into_iter().flatten());
            }
        }
    }

    /// Finds what one of several operations that run at a time reads and another changes.
    fn beside(&mut self, operations: &[Operation]) {
        for (place, changing) in operations.iter().enumerate() {
            let changes = changing.changes.iter().map(|it| self.named(*it));
            let changes: BTreeSet<_> = changes.collect();
            let others = operations.iter().enumerate().filter(|(it, _)| *it != place);
            for (_, other) in others {
                let mut reads = other.reads.iter();
                if reads.any(|read| changes.contains(&self.named(*read))) {
                    let (text, by) = (shown(&other.text), shown(&changing.text));
                    self.found.insert(format!(
                        "`{text}` reads what is changed by `{by}` meanwhile"
                    ));
                }
            }
        }
    }
}

/// The blocks of a function, with what they are handed, by each that hands them something.
fn handed(function: &Function) -> impl Iterator<Item = (&Block, &[Value])> {
    let operations = function.blocks.iter().flat_map(|block| &block.operations);
    let successors = operations.flat_map(|operation| &operation.successors);
    successors.filter_map(|(label, handed)| {
        let block = function.blocks.iter().find(|block| block.label == *label);
        Some((block?, &handed[..]))
    })
}

fn shown(operation: &str) -> String {
    operation.chars().take(SHOWN).collect()
}
