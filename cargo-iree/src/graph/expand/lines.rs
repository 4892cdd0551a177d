//! Operations of one line of the source as one box.

use super::{Expansion, Origin, place_text};
use crate::{
    graph::{label::short_type, model::Kind},
    mlir::{Operation, Place},
};
use std::collections::BTreeSet;

impl Expansion<'_> {
    /// Adds an operation to the box with operations of the same line that it depends on, if there is one.
    pub(super) fn line(&mut self, operation: &Operation, operands: &[Origin]) -> Origin {
        let place = operation.places.first();
        let node = self.box_of(place, operands).unwrap_or_else(|| {
            let title = self.program.sources.title(place);
            let node = self.node(Kind::Line, title, String::new());
            self.graph.nodes[node].hint = place_text(place);
            self.lines.insert(node, place.cloned());
            node
        });
        let types: Vec<_> = operation.types.iter().map(|ty| short_type(ty)).collect();
        let drawn = &mut self.graph.nodes[node];
        drawn.detail = types.join(", ");
        let called = operation.symbols.iter().filter(|symbol| {
            self.program
                .functions
                .iter()
                .any(|known| known.symbol == **symbol)
        });
        let called: String = called.map(|symbol| format!(" {symbol}")).collect();
        drawn
            .hint
            .push_str(&format!("\n{}{called}", operation.name));
        let operands: Vec<_> = operation
            .operands
            .iter()
            .map(|value| self.origin(value))
            .collect();
        self.connected(node, &operands)
    }

    /// The box of a line that computes operands, which becomes one if there are several. A box whose results come back
    /// to it over others is left alone, since edges lead downwards only.
    fn box_of(&mut self, place: Option<&Place>, operands: &[Origin]) -> Option<usize> {
        let makers = operands.iter().filter_map(|origin| match origin {
            Origin::Node(maker) => Some(*maker),
            _ => None,
        });
        let makers: BTreeSet<usize> = makers.collect();
        let same = |node: &&usize| {
            self.lines
                .get(*node)
                .is_some_and(|known| known.as_ref() == place)
        };
        let mut candidates: Vec<usize> = makers.iter().filter(same).copied().collect();
        // Such as stand below others come last, and can take what depends on them.
        let mut own = candidates.pop()?;
        for candidate in candidates {
            match (
                self.graph.leads(own, candidate),
                self.graph.leads(candidate, own),
            ) {
                (false, false) => self.merge(own, candidate),
                (true, _) => own = candidate,
                (false, true) => {}
            }
        }
        let mut others = makers.into_iter().filter(|maker| *maker != own);
        (!others.any(|maker| self.graph.leads(own, maker))).then_some(own)
    }

    /// Makes one box of two that do not depend on each other.
    fn merge(&mut self, own: usize, other: usize) {
        self.graph.merge(own, other);
        self.lines.remove(&other);
        let renamed = |origin: &mut Origin| {
            if *origin == Origin::Node(other) {
                *origin = Origin::Node(own);
            }
        };
        self.values.values_mut().for_each(renamed);
        self.stores
            .iter_mut()
            .for_each(|(origin, _)| renamed(origin));
        for (node, _) in &mut self.inputs {
            if *node == other {
                *node = own;
            }
        }
    }
}
