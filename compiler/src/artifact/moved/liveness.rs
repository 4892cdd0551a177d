//! Which references are still needed.

use super::code::{Argument, Edge, Instruction, Register};
use std::collections::{BTreeMap, BTreeSet};

/// The registers that are read after an instruction begins, before they are written.
type Live = BTreeSet<Register>;

/// What is needed of registers in a function.
pub(super) struct Liveness<'a> {
    instructions: &'a [Instruction],
    /// At the beginnings of blocks.
    blocks: BTreeMap<usize, Live>,
}

impl<'a> Liveness<'a> {
    /// `None` if a block begins nowhere.
    pub(super) fn of(instructions: &'a [Instruction]) -> Option<Self> {
        let edges = instructions.iter().flat_map(|it| &it.edges);
        let starts: BTreeSet<_> = instructions.iter().map(|it| it.start).collect();
        let mut liveness = Self {
            instructions,
            blocks: edges.map(|edge| (edge.target, Live::new())).collect(),
        };
        if !liveness.blocks.keys().all(|block| starts.contains(block)) {
            return None;
        }
        while liveness.pass()? {}
        Some(liveness)
    }

    /// Goes through the function from its end; whether more is needed than was known.
    fn pass(&mut self) -> Option<bool> {
        let (mut has_changed, mut live) = (false, Live::new());
        for instruction in self.instructions.iter().rev() {
            if instruction.ends || !instruction.edges.is_empty() {
                live.clear();
            }
            for edge in &instruction.edges {
                live.extend(self.before_edge(edge)?);
            }
            for written in &instruction.writes {
                live.remove(written);
            }
            live.extend(&instruction.reads);
            if let Some(block) = self.blocks.get_mut(&instruction.start)
                && *block != live
            {
                block.clone_from(&live);
                has_changed = true;
            }
        }
        Some(has_changed)
    }

    fn before_edge(&self, edge: &Edge) -> Option<Live> {
        let mut live = self.at(edge)?.clone();
        for argument in edge.arguments.iter().rev() {
            if let Some(to) = argument.to {
                live.remove(&to);
            }
            live.extend(argument.from);
        }
        Some(live)
    }

    /// What the block at the end of an edge needs.
    fn at(&self, edge: &Edge) -> Option<&Live> {
        self.blocks.get(&edge.target)
    }

    /// The arguments of an edge that are copied out of registers of which nothing reads what is left there, or writes over it on
    /// the way: each the last that comes from there.
    pub(super) fn kept<'e>(&self, edge: &'e Edge) -> Option<impl Iterator<Item = &'e Argument>> {
        let mut settled = self.at(edge)?.clone();
        let arguments = edge.arguments.iter().rev();
        Some(arguments.filter(move |argument| {
            settled.extend(argument.to);
            let is_last = argument.from.is_some_and(|from| settled.insert(from));
            is_last && !argument.is_moved
        }))
    }
}
