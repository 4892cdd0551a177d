//! What is drawn.

use std::collections::BTreeSet;

/// Boxes, and the edges between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// Where edges from each node lead.
    below: Vec<Vec<usize>>,
}

/// A box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) title: String,
    /// Its type, below the title.
    pub(super) detail: String,
    /// What is told where the pointer rests.
    pub(super) hint: String,
    /// What is inside.
    pub(super) inner: Option<Graph>,
}

/// What a box stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A procedure.
    Procedure,
    /// A parameter of a procedure, or of a kernel.
    Parameter,
    /// Globals that are read.
    Load,
    /// Globals that are written.
    Store,
    /// A line of the source.
    Line,
    /// A loop of the program.
    Loop,
    /// Equal parts that follow each other, drawn once.
    Repeated,
    /// A call of a kernel.
    Kernel,
    /// What a procedure returns.
    Result,
}

impl Graph {
    pub(super) fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.below.push(Vec::new());
        self.nodes.len() - 1
    }

    pub(super) fn connect(&mut self, from: usize, to: usize) {
        if from != to && !self.below[from].contains(&to) {
            self.below[from].push(to);
        }
    }

    /// From the first to the second.
    pub(super) fn edges(&self) -> Vec<(usize, usize)> {
        let below = self.below.iter().enumerate();
        below
            .flat_map(|(from, ends)| ends.iter().map(move |to| (from, *to)))
            .collect()
    }

    /// Whether edges lead from one node to another.
    pub(super) fn leads(&self, from: usize, to: usize) -> bool {
        reached(&self.below, [from])[to]
    }

    /// Gives one node the edges of another, which is left without any.
    pub(super) fn merge(&mut self, own: usize, other: usize) {
        for to in std::mem::take(&mut self.below[other]) {
            self.connect(own, to);
        }
        for from in 0..self.nodes.len() {
            if let Some(place) = self.below[from].iter().position(|to| *to == other) {
                self.below[from].remove(place);
                self.connect(from, own);
            }
        }
    }

    /// Removes lines and inputs that nothing depends on, save those that are kept.
    pub(super) fn without_dead_ends(&mut self, kept: &BTreeSet<usize>) {
        let mut above = vec![Vec::new(); self.nodes.len()];
        for (from, to) in self.edges() {
            above[to].push(from);
        }
        let nodes = 0..self.nodes.len();
        let drawn_anyway = |node: &usize| {
            let kind = self.nodes[*node].kind;
            !matches!(kind, Kind::Line | Kind::Parameter | Kind::Load) || kept.contains(node)
        };
        let ends = nodes.filter(drawn_anyway);
        let alive = reached(&above, ends);
        let mut places = vec![None; self.nodes.len()];
        let old = std::mem::take(self);
        for (index, node) in old.nodes.iter().enumerate() {
            if alive[index] {
                places[index] = Some(self.add(node.clone()));
            }
        }
        for (from, to) in old.edges() {
            if let (Some(from), Some(to)) = (places[from], places[to]) {
                self.connect(from, to);
            }
        }
    }
}

/// The nodes that edges lead to from some, and these.
fn reached(edges: &[Vec<usize>], from: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut pending: Vec<usize> = from.into_iter().collect();
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            pending.extend(&edges[node]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(usize, usize)], count: usize) -> Graph {
        let mut graph = Graph::default();
        for title in 0..count {
            graph.add(Node {
                kind: Kind::Line,
                title: title.to_string(),
                detail: String::new(),
                hint: String::new(),
                inner: None,
            });
        }
        for (from, to) in edges {
            graph.connect(*from, *to);
        }
        graph
    }

    #[test]
    fn edges_lead_over_others() {
        let graph = graph(&[(0, 1), (1, 2), (3, 2), (0, 1)], 4);
        assert_eq!(graph.edges().len(), 3);
        assert!(graph.leads(0, 2) && !graph.leads(2, 0) && !graph.leads(0, 3));
    }

    #[test]
    fn what_nothing_depends_on_goes() {
        let mut graph = graph(&[(0, 1), (0, 2), (2, 3)], 4);
        graph.without_dead_ends(&BTreeSet::from([1]));
        let titles: Vec<_> = graph.nodes.iter().map(|node| node.title.as_str()).collect();
        assert_eq!(titles, ["0", "1"]);
        assert_eq!(graph.edges(), [(0, 1)]);
    }
}
