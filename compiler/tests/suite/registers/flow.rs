//! What is in the registers of a function.

use super::text::{Block, Function, Operation, Register};
use std::{
    collections::{BTreeMap, BTreeSet},
    iter::zip,
};

/// What is known to be in each word of the registers: a value, and which word of it.
#[derive(Clone, Default)]
struct Contents<'f>(Vec<Option<(&'f str, usize)>>);

/// What each operation reads that is not there on one of the ways to it.
pub(super) fn lost(function: &Function) -> Vec<String> {
    let mut entry = Contents::default();
    if let Some(block) = function.blocks.first() {
        entry.put(&block.arguments, &block.registers);
    }
    let mut entries = BTreeMap::from([(0, entry)]);
    let mut waiting = BTreeSet::from([0]);
    let mut lost = BTreeSet::new();
    while let Some(number) = waiting.pop_first() {
        let (block, mut contents) = (&function.blocks[number], entries[&number].clone());
        for operation in &block.operations {
            for (next, at_entry) in contents.step(function, operation, &mut lost) {
                if merge(&mut entries, next, at_entry) {
                    waiting.insert(next);
                }
            }
        }
    }
    lost.into_iter().collect()
}

/// Keeps of what is in registers at the entry of a block what is there on all ways to it. Whether that is news.
fn merge<'f>(
    entries: &mut BTreeMap<usize, Contents<'f>>,
    block: usize,
    contents: Contents<'f>,
) -> bool {
    let Some(known) = entries.get_mut(&block) else {
        entries.insert(block, contents);
        return true;
    };
    let mut is_news = false;
    for (word, value) in known.0.iter_mut().enumerate() {
        if value.is_some() && *value != contents.get(word) {
            *value = None;
            is_news = true;
        }
    }
    is_news
}

impl<'f> Contents<'f> {
    /// What an operation changes, and what is in registers at the entries of the blocks that come after it.
    fn step(
        &mut self,
        function: &'f Function,
        operation: &'f Operation,
        lost: &mut BTreeSet<String>,
    ) -> Vec<(usize, Self)> {
        let mut missing = |name: &str, register: &Register| {
            let (function, text) = (&function.name, &operation.text);
            let register = &register.text;
            lost.insert(format!("{function}: {name} is not in {register}: {text}"));
        };
        let blocks = operation.successors.iter();
        let blocks = blocks.filter_map(|label| function.block(label));
        let blocks: Vec<(usize, &Block)> = blocks.collect();
        let handed: usize = match operation.is_branch() {
            true => blocks.iter().map(|(_, block)| block.arguments.len()).sum(),
            false => 0,
        };
        let own = operation.operands.len().saturating_sub(handed);
        for (name, register) in zip(&operation.operands, &operation.operand_registers).take(own) {
            if !self.has(name, register) {
                missing(name, register);
            }
            if register.is_taken {
                self.forget(register);
            }
        }
        self.put(&operation.results, &operation.result_registers);
        let mut operands = operation.operands.iter().skip(own);
        let mut entries = Vec::new();
        for (position, (number, block)) in blocks.into_iter().enumerate() {
            let mut contents = self.clone();
            let is_never_taken = operation.is_never_taken(position);
            for (from, to) in operation.moves.get(position).into_iter().flatten() {
                contents.copy(from, to);
            }
            if operation.is_branch() {
                let handed = operands.by_ref().take(block.arguments.len());
                for (name, register) in zip(handed, &block.registers) {
                    if !is_never_taken && !contents.has(name, register) {
                        missing(name, register);
                    }
                }
            }
            if !is_never_taken {
                contents.put(&block.arguments, &block.registers);
                entries.push((number, contents));
            }
        }
        entries
    }

    fn get(&self, word: usize) -> Option<(&'f str, usize)> {
        self.0.get(word).copied().flatten()
    }

    fn set(&mut self, word: usize, value: Option<(&'f str, usize)>) {
        if word >= self.0.len() {
            self.0.resize(word + 1, None);
        }
        self.0[word] = value;
    }

    fn has(&self, name: &str, register: &Register) -> bool {
        let mut words = register.words.iter().enumerate();
        words.all(|(part, word)| self.get(*word) == Some((name, part)))
    }

    /// Puts new values into registers, of which others may still have what they were in the round before.
    fn put(&mut self, names: &'f [String], registers: &[Register]) {
        if names.is_empty() {
            return;
        }
        for value in &mut self.0 {
            if value.is_some_and(|(other, _)| names.iter().any(|name| name == other)) {
                *value = None;
            }
        }
        for (name, register) in zip(names, registers) {
            for (part, word) in register.words.iter().enumerate() {
                self.set(*word, Some((name, part)));
            }
        }
    }

    fn copy(&mut self, from: &Register, to: &Register) {
        for (from, to) in zip(&from.words, &to.words) {
            self.set(*to, self.get(*from));
        }
        if from.is_taken {
            self.forget(from);
        }
    }

    fn forget(&mut self, register: &Register) {
        for word in &register.words {
            self.set(*word, None);
        }
    }
}
