//! Values that two dispatches take from each other.
//!
//! IREE 3.13 computes a value that several operations read in the group of one of them. Where two groups take a value
//! each that the other group waits for, none can be first, and IREE refuses the program ("does not dominate this use").
//!
//! What is computed from a root element by element is in its group, and so is what it reads: `let (a, b) = (x.tanh(), x.exp()); ((a *
//! b).sum_axis(1), b * a.sum_axis(1).insert_axis(1))`.
//!
//! So it is with places of lookups that are reduced: `let (at, m) = (at + 1, m.exp()); ((t.take(at, 0) * m).sum_axis(1), select(at >= 0, m,
//! 0.5))`.
//!
//! So it is with a truth value that two roots give and two other roots read: one of these may join the group of one of
//! those, though it waits for the other group, which has the value.

use super::{
    graph::{Graph, Node, Step},
    sources::{computed_from, is_view, readers},
};
use fixedbitset::FixedBitSet;
use iree_dsl_ir::op::{Alias, Op, Structure};
use std::collections::{BTreeMap, BTreeSet};

/// How many roots and shared values are looked at, since all pairs of roots are. In a larger program IREE is left to
/// refuse what it does, and the build to compile it in another way.
const MOST: usize = 1 << 11;

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let marks = Marks::of(graph);
    if marks.len() > MOST {
        return BTreeSet::new();
    }
    let needs = marks.needs(graph);
    let groups = marks.groups(graph, &needs);
    let mut apart = marks.between(graph, &groups);
    apart.extend(Marks::looked_up(graph));
    for (place, first) in groups.iter().enumerate() {
        for second in groups.get(place + 1..).unwrap_or_default() {
            if first.needs.contains(second.root) || second.needs.contains(first.root) {
                continue;
            }
            let mut taken = first.takes_from(second).chain(second.takes_from(first));
            // IREE refuses barriers behind what it knows.
            let taken = taken.find(|mark| !marks.known.contains(*mark));
            apart.extend(taken.and_then(|mark| marks.nodes.get(mark)));
            apart.extend(marks.read_behind(graph, &needs, [first, second]));
            apart.extend(marks.read_behind(graph, &needs, [second, first]));
        }
    }
    apart
}

/// The roots of a graph and the values that several operations read, by an index of their own.
struct Marks {
    nodes: Vec<Node>,
    places: BTreeMap<Node, usize>,
    /// Those that are computed from constants only.
    known: FixedBitSet,
}

/// A root, and what IREE may compute along with it. All are marks.
struct Group {
    root: usize,
    /// What the root is computed from, in dispatches of any number.
    needs: FixedBitSet,
    /// The values that several operations read among those that it is computed from without another root.
    shared: FixedBitSet,
    /// The same of what is computed from it without another root.
    behind: FixedBitSet,
}

impl Group {
    /// The values that this group takes though the other one waits for them, while that takes a value that this one
    /// waits for.
    fn takes_from<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let taken = self.shared.intersection(&other.needs);
        let taken = taken.filter(|mark| !other.shared.contains(*mark));
        taken.filter(|taken| {
            let mut given = other.shared.intersection(&self.needs);
            given.any(|mark| mark != *taken)
        })
    }
}

impl Marks {
    fn of(graph: &Graph<'_>) -> Self {
        // What IREE computes while it compiles is read from memory; conversions it leaves to the dispatches.
        let read = known(graph, |op| !matches!(op, Op::Convert(_)));
        let is_marked = |node: &Node| {
            let is_root = graph.step(*node).is_some_and(Step::is_root);
            is_root || is_shared(graph, *node) && !read.contains(node)
        };
        let nodes = graph.nodes().map(|(node, _)| node);
        let nodes: Vec<_> = nodes.filter(is_marked).collect();
        let known = known(graph, |_| true);
        let places = nodes.iter().enumerate();
        Self {
            known: places
                .clone()
                .filter(|(_, node)| known.contains(node))
                .map(|(place, _)| place)
                .collect(),
            places: places.map(|(place, node)| (*node, place)).collect(),
            nodes,
        }
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The marks that each value is computed from.
    fn needs(&self, graph: &Graph<'_>) -> Vec<FixedBitSet> {
        let mut all: Vec<FixedBitSet> = Vec::new();
        for (_, computed) in graph.nodes() {
            let mut needs = FixedBitSet::with_capacity(self.len());
            let operands = computed.step.iter().flat_map(|step| &step.operands);
            for operand in operands {
                if let Some(before) = all.get(*operand) {
                    needs.union_with(before);
                }
                needs.extend(self.places.get(operand).copied());
            }
            all.push(needs);
        }
        all
    }

    fn groups(&self, graph: &Graph<'_>, needs: &[FixedBitSet]) -> Vec<Group> {
        let roots = self.nodes.iter().copied().enumerate();
        let roots = roots.filter(|(_, node)| graph.step(*node).is_some_and(Step::is_root));
        let group = |(root, node): (usize, Node)| Group {
            root,
            needs: needs.get(node).cloned().unwrap_or_default(),
            shared: self.shared(graph, [node]),
            behind: self.shared(graph, computed_from(graph, node)),
        };
        roots.map(group).collect()
    }

    /// Where something is looked up that is reduced, if these places are computed and something else reads them too.
    fn looked_up(graph: &Graph<'_>) -> BTreeSet<Node> {
        let mut apart = BTreeSet::new();
        for (node, computed) in graph.nodes() {
            let Some(step) = &computed.step else { continue };
            if !matches!(step.op().structure(), Structure::Gather(_)) {
                continue;
            }
            let places = step.operands.iter().skip(1);
            let places = places.filter_map(|it| graph.through(*it, is_view).last());
            let shared: Vec<_> = places.filter(|it| is_shared(graph, *it)).collect();
            if !shared.is_empty() && readers(graph, node).into_iter().any(Step::is_reduction) {
                apart.extend(shared);
            }
        }
        if !apart.is_empty() {
            let known = known(graph, |_| true);
            apart.retain(|places| !known.contains(places));
        }
        apart
    }

    /// The shared truth values that are computed from several roots and that several roots read.
    fn between(&self, graph: &Graph<'_>, groups: &[Group]) -> BTreeSet<Node> {
        let shared = self.nodes.iter().copied().enumerate();
        let shared = shared.filter(|(mark, node)| {
            let is_truth = graph.step(*node).is_some_and(Step::is_truth);
            is_truth && is_shared(graph, *node) && !self.known.contains(*mark)
        });
        let shared = shared.filter(|(mark, node)| {
            let readers = groups.iter().filter(|group| group.shared.contains(*mark));
            readers.count() > 1 && roots_behind(graph, *node) > 1
        });
        shared.map(|(_, node)| node).collect()
    }

    /// A value that one group takes and something behind the root of another one reads, if both roots read a value: each group may
    /// have one of the two. What needs both roots is in the group of the last.
    fn read_behind(
        &self,
        graph: &Graph<'_>,
        needs: &[FixedBitSet],
        [first, second]: [&Group; 2],
    ) -> Option<Node> {
        let taken = |mark: &usize| {
            first.shared.contains(*mark)
                && !second.shared.contains(*mark)
                && !self.known.contains(*mark)
        };
        let may_be =
            !first.shared.is_disjoint(&second.shared) && second.behind.ones().any(|it| taken(&it));
        if !may_be {
            return None;
        }
        let behind = computed_from(graph, *self.nodes.get(second.root)?);
        let behind = behind.into_iter().filter(|node| {
            let needs = needs.get(*node);
            needs.is_some_and(|needs| !needs.contains(first.root))
        });
        let mark = self.shared(graph, behind).ones().find(taken)?;
        self.nodes.get(mark).copied()
    }

    fn shared(&self, graph: &Graph<'_>, nodes: impl IntoIterator<Item = Node>) -> FixedBitSet {
        let mut shared = FixedBitSet::with_capacity(self.len());
        let mut pending = Vec::from_iter(nodes);
        let mut seen = BTreeSet::from_iter(pending.iter().copied());
        while let Some(node) = pending.pop() {
            let operands = graph.step(node).map(|step| step.operands.iter());
            for operand in operands.into_iter().flatten() {
                let is_parallel = graph.step(*operand).is_some_and(Step::is_parallel);
                if is_parallel && seen.insert(*operand) {
                    pending.push(*operand);
                    shared.extend(self.places.get(operand).copied());
                }
            }
        }
        shared
    }
}

/// How many roots a value is computed from, element by element.
fn roots_behind(graph: &Graph<'_>, node: Node) -> usize {
    let mut roots = 0;
    let mut seen = BTreeSet::from([node]);
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        let operands = graph.step(node).map(|step| step.operands.iter());
        for operand in operands.into_iter().flatten() {
            let Some(step) = graph.step(*operand).filter(|_| seen.insert(*operand)) else {
                continue;
            };
            roots += usize::from(step.is_root());
            if step.is_parallel() {
                pending.push(*operand);
            }
        }
    }
    roots
}

/// What is computed of constants alone, by operations that count.
fn known(graph: &Graph<'_>, counts: fn(&Op) -> bool) -> BTreeSet<Node> {
    let mut known = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let Some(step) = &computed.step else { continue };
        let mut operands = step.operands.iter();
        let is_source = step.op().alias() == Alias::Constant;
        let is_derived =
            !step.operands.is_empty() && operands.all(|operand| known.contains(operand));
        if is_source || is_derived && counts(step.op()) {
            known.insert(node);
        }
    }
    known
}

/// Whether it is computed at each element, and several operations read it.
fn is_shared(graph: &Graph<'_>, node: Node) -> bool {
    let Some(computed) = graph.get(node) else {
        return false;
    };
    let users: BTreeSet<_> = computed.users.iter().collect();
    users.len() > 1 && computed.step.as_ref().is_some_and(Step::is_parallel)
}
