//! Control flow between blocks: a block that a later one goes back to begins a loop, which is drawn as a box.

use super::{
    expand::{Expansion, Origin, place_text},
    label::short_type,
    model::Kind,
};
use crate::mlir::Block;
use std::collections::{BTreeMap, BTreeSet};

impl Expansion<'_> {
    /// Draws blocks in their order. `within` is the loop that the first of them begins, if that is being drawn.
    pub(super) fn blocks(&mut self, blocks: &[Block], within: Option<&str>) {
        let mut rest = blocks;
        while let [block, after @ ..] = rest {
            let goes_back =
                |later: &Block| successors(later).any(|(label, _)| *label == block.label);
            let last = rest.iter().rposition(goes_back);
            rest = match last.filter(|_| within != Some(block.label.as_str())) {
                Some(last) => {
                    self.repeat(&rest[..=last]);
                    &rest[last + 1..]
                }
                None => {
                    self.enter(block);
                    after
                }
            };
        }
    }

    /// Draws a block with what the branches to it hand over.
    fn enter(&mut self, block: &Block) {
        let handed = self.handed.remove(&block.label).unwrap_or_default();
        for (index, (name, ty)) in block.arguments.iter().enumerate() {
            if self.values.contains_key(name) {
                continue;
            }
            let origins = handed
                .iter()
                .filter_map(|values| values.get(index).cloned());
            let origins: BTreeSet<Origin> = origins.collect();
            let origin = match origins.len() {
                0 => Origin::Constant,
                1 => origins.into_iter().next().unwrap_or(Origin::Constant),
                _ => self.one_of(block, &origins, ty),
            };
            self.values.insert(name.clone(), origin);
        }
        for operation in &block.operations {
            self.operation(operation);
        }
        self.leave(std::slice::from_ref(block), |expansion, value| {
            expansion.origin(value)
        });
    }

    /// A box for a value that depends on the way that was taken. What a loop may also leave as it was comes from the loop.
    fn one_of(&mut self, block: &Block, origins: &BTreeSet<Origin>, ty: &str) -> Origin {
        let is_loop = |origin: &&Origin| match origin {
            Origin::Node(maker) => self.graph.nodes[*maker].kind == Kind::Loop,
            _ => false,
        };
        if let Some(repeated) = origins.iter().find(is_loop) {
            return repeated.clone();
        }
        let title = self.program.sources.title(block.place.as_ref());
        let node = self.node(Kind::Line, title, short_type(ty));
        self.graph.nodes[node].hint = place_text(block.place.as_ref());
        for origin in origins {
            self.take(node, origin);
        }
        Origin::Node(node)
    }

    /// Notes what blocks hand to those after them.
    fn leave(&mut self, blocks: &[Block], origin: impl Fn(&Self, &str) -> Origin) {
        for (label, values) in blocks.iter().flat_map(successors) {
            if blocks.iter().any(|block| block.label == *label) {
                continue;
            }
            let origins = values.iter().map(|value| origin(self, value)).collect();
            self.handed.entry(label.clone()).or_default().push(origins);
        }
    }

    /// A box for a loop, with its blocks in it.
    fn repeat(&mut self, blocks: &[Block]) {
        let Some(head) = blocks.first() else {
            return;
        };
        let title = self.program.sources.title(head.place.as_ref());
        let types: Vec<_> = head
            .arguments
            .iter()
            .map(|(_, ty)| short_type(ty))
            .collect();
        let node = self.node(Kind::Loop, title, types.join(", "));
        self.graph.nodes[node].hint = place_text(head.place.as_ref());
        let handed = self.handed.remove(&head.label).unwrap_or_default();
        for origin in handed.iter().flatten() {
            self.take(node, origin);
        }
        let mut values = self.captured(blocks, head.arguments.len());
        for value in values.keys().cloned().collect::<Vec<_>>() {
            let origin = self.origin(&value);
            self.take(node, &origin);
        }
        for (index, (name, ty)) in head.arguments.iter().enumerate() {
            let ty = short_type(ty);
            values.insert(name.clone(), Origin::Argument { index, ty });
        }
        if let Some(depth) = self.depth.checked_sub(1) {
            let mut inner = Expansion::new(self.program, Vec::new(), depth, self.room);
            inner.values = values;
            inner.blocks(blocks, Some(&head.label));
            let carried = inner.carried(blocks, head);
            self.graph.nodes[node].inner = Some(inner.finish(&carried));
        }
        let made = blocks.iter().flat_map(|block| {
            let results = block
                .operations
                .iter()
                .flat_map(|operation| &operation.results);
            results.chain(block.arguments.iter().map(|(name, _)| name))
        });
        for value in made {
            self.values.insert(value.clone(), Origin::Node(node));
        }
        self.leave(blocks, |expansion, value| expansion.origin(value));
    }

    /// What the next iteration of a loop begins with, but for what the loop itself counts with.
    fn carried(&self, blocks: &[Block], head: &Block) -> Vec<Origin> {
        let back = blocks.iter().flat_map(successors);
        let back = back.filter(|(label, _)| *label == head.label);
        let origins = back
            .flat_map(|(_, values)| values)
            .map(|value| self.origin(value));
        let counts = |origin: &Origin| match origin {
            Origin::Node(node) => self.lines.get(node) == Some(&head.place),
            _ => false,
        };
        origins.filter(|origin| !counts(origin)).collect()
    }

    /// The values from outside that blocks use, as they are called inside.
    fn captured(&self, blocks: &[Block], arguments: usize) -> BTreeMap<String, Origin> {
        let operations = blocks.iter().flat_map(|block| &block.operations);
        let used: BTreeSet<_> = operations
            .flat_map(|operation| &operation.operands)
            .collect();
        let outside = used
            .into_iter()
            .filter_map(|value| Some((value, self.values.get(value)?)));
        let named = outside.enumerate().map(|(place, (value, origin))| {
            let origin = match origin {
                Origin::Node(maker) => Origin::Argument {
                    index: arguments + place,
                    ty: self.graph.nodes[*maker].detail.clone(),
                },
                Origin::Argument { ty, .. } => Origin::Argument {
                    index: arguments + place,
                    ty: ty.clone(),
                },
                origin => origin.clone(),
            };
            (value.clone(), origin)
        });
        named.collect()
    }
}

fn successors(block: &Block) -> impl Iterator<Item = &(String, Vec<String>)> {
    block
        .operations
        .iter()
        .flat_map(|operation| &operation.successors)
}
