//! Values that are read along two axes at once.
//!
//! IREE 3.13 computes an operation that reads the root of its group along two of its own axes (`n.insert_axis(0) +
//! n.insert_axis(1)`, say) on the diagonal of these only: when it puts together how the operation's axes follow those
//! of the root, the two readings do not contradict each other. Such a root, with what is done to each of its elements,
//! must be a dispatch of its own.
//!
//! It also makes one operation of what is computed at the same elements, if one reads the other and others do too: of
//! `let (m, e) = (y.sum_axis(1), x.exp()); (e, e - m, e.outer(m))` the sum is the root, and the product reads `e` along one
//! axis, as the difference reads the sum, and the sum along the other.
//! Defect `read-along-two-axes`.

use super::{
    graph::{Graph, Node, Step},
    link::{Along, Link, forward},
};
use iree_abi::TensorType;
use iree_dsl_ir::op::Structure;
use std::collections::{BTreeMap, BTreeSet};

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut apart = BTreeSet::new();
    for (node, computed) in graph.nodes() {
        let is_root = computed.step.as_ref().is_some_and(is_root_with_axes);
        if is_root && Group::around(graph, node, &apart).finds_two_readings() {
            apart.insert(end_of_chain(graph, node));
        }
    }
    apart
}

/// Whether a group may form around an operation, and it has two axes that could be mistaken for each other.
fn is_root_with_axes(step: &Step<'_>) -> bool {
    let has_axes = |ty: &TensorType| ty.shape.dims().iter().any(|dim| !dim.is_one());
    step.is_root() && step.result().is_some_and(has_axes)
}

/// What is computed of a root alone, element by element.
fn end_of_chain(graph: &Graph<'_>, root: Node) -> Node {
    let next = |node: &Node| {
        let computed = graph.get(*node)?;
        let [user] = computed.users.as_slice() else {
            return None;
        };
        let step = graph.step(*user)?;
        let is_alike = step.operands.len() == 1 && step.result()?.shape == step.operand(0)?.shape;
        let is_alike = is_alike
            && !matches!(
                step.op().structure(),
                Structure::Reduction(_) | Structure::Transpose(_)
            );
        (is_alike && step.is_parallel() && !computed.is_stored).then_some(*user)
    };
    std::iter::successors(Some(root), next)
        .last()
        .unwrap_or(root)
}

/// The operations that IREE may put into one dispatch with a root.
#[derive(Clone)]
struct Group<'g, 'a> {
    graph: &'g Graph<'a>,
    apart: &'g BTreeSet<Node>,
    members: BTreeMap<Node, Along>,
    /// Those of which nobody knows yet what else they read.
    companions: BTreeSet<Node>,
    /// The root, and what is computed from it.
    behind: BTreeSet<Node>,
}

impl<'g, 'a> Group<'g, 'a> {
    fn around(graph: &'g Graph<'a>, root: Node, apart: &'g BTreeSet<Node>) -> Self {
        let ty = graph.step(root).and_then(Step::result);
        let dims = ty.map_or(&[][..], |ty| ty.shape.dims()).iter().enumerate();
        let along = dims.map(|(axis, dim)| BTreeSet::from_iter((!dim.is_one()).then_some(axis)));
        let along: Along = along.collect();
        let twins = twins(graph, root, &along);
        let mut group = Self {
            graph,
            apart,
            behind: twins.iter().map(|(twin, _)| *twin).chain([root]).collect(),
            members: twins.into_iter().chain([(root, along)]).collect(),
            companions: BTreeSet::new(),
        };
        let producers = group.producers(root, |_, _, producer| producer.link(0).is_some());
        group.members.extend(producers);
        group
    }

    /// What a member is computed from by steps of a kind, but for other members.
    fn producers(
        &self,
        member: Node,
        is_taken: impl Fn(&Step<'a>, &Link, &Step<'a>) -> bool,
    ) -> BTreeMap<Node, Along> {
        let mut taken: BTreeMap<Node, Along> = BTreeMap::new();
        let mut pending = vec![member];
        while let Some(node) = pending.pop() {
            let reader = self.members.get(&node).or_else(|| taken.get(&node));
            let (Some(step), Some(along)) = (self.graph.step(node), reader.cloned()) else {
                continue;
            };
            for (position, operand) in step.operands.iter().enumerate() {
                let is_known = self.members.contains_key(operand) || taken.contains_key(operand);
                let is_new = !is_known && !self.apart.contains(operand);
                let producer = self.graph.step(*operand).filter(|_| is_new);
                let linked = producer.zip(step.link(position));
                let linked = linked.filter(|(producer, link)| is_taken(step, link, producer));
                if let Some((_, link)) = linked {
                    taken.insert(*operand, backward(&link, &along));
                    pending.push(*operand);
                }
            }
        }
        taken
    }

    /// Whether something that reads the group reads it along two axes.
    fn finds_two_readings(mut self) -> bool {
        loop {
            let Some(readers) = self.readers() else {
                return true;
            };
            let companions = self.companions(&readers);
            if companions.is_empty() {
                return false;
            }
            self.behind.extend(companions.keys());
            self.companions.extend(companions.keys());
            self.members.extend(companions);
        }
    }

    /// What is computed at the same elements as something that reads the group. IREE makes one operation of both, with two
    /// results, if yet others read it.
    fn companions(&self, readers: &Self) -> BTreeMap<Node, Along> {
        let new = readers.members.keys();
        let new = new.filter(|reader| !self.members.contains_key(reader));
        let of = |reader: &Node| {
            readers.producers(*reader, |reader, link, producer| {
                producer.is_parallel() && repeats_nothing(reader, link)
            })
        };
        new.flat_map(of).collect()
    }

    /// The group with what reads it, and reads that, unless something reads it along two axes.
    fn readers(&self) -> Option<Self> {
        let mut group = self.clone();
        // In the order of the program, so that all that an operation reads is there before it. What is computed
        // at each element of what the root is computed from, IREE computes where it is read.
        let members = self.members.keys();
        let mut pending: BTreeSet<_> = members.flat_map(|node| self.users(*node)).collect();
        while let Some(user) = pending.pop_first() {
            if group.members.contains_key(&user) && !group.companions.remove(&user) {
                continue;
            }
            let is_behind = group.is_behind(user);
            match group.read_by(user) {
                Reading::Apart => {}
                Reading::Along(along) => {
                    group.members.insert(user, along);
                    group.behind.extend(is_behind.then_some(user));
                    pending.extend(group.users(user));
                }
                Reading::Twice if is_behind => return None,
                Reading::Twice => {}
            }
        }
        Some(group)
    }

    fn is_behind(&self, node: Node) -> bool {
        let operands = self.graph.step(node).map(|step| step.operands.iter());
        let mut operands = operands.into_iter().flatten();
        operands.any(|operand| self.behind.contains(operand))
    }

    /// What reads a value in the dispatch that computes it.
    fn users(&self, node: Node) -> BTreeSet<Node> {
        let computed = self.graph.get(node).filter(|_| !self.apart.contains(&node));
        let users = computed.into_iter().flat_map(|computed| &computed.users);
        users.copied().collect()
    }

    fn read_by(&self, user: Node) -> Reading {
        let step = self.graph.step(user).filter(|step| step.is_parallel());
        let Some((step, ty)) = step.and_then(|step| Some((step, step.result()?))) else {
            return Reading::Apart;
        };
        let companion = self.members.get(&user).cloned();
        let mut all: Along = companion.unwrap_or_else(|| vec![BTreeSet::new(); ty.shape.rank()]);
        let mut places = inverted(&all);
        let mut is_twice = false;
        for (position, operand) in step.operands.iter().enumerate() {
            let member = self.members.get(operand);
            let (Some(member), Some(link)) = (member, step.link(position)) else {
                continue;
            };
            let read = forward(&link, member, all.len());
            for (axis, here) in all.iter_mut().zip(&read) {
                if !axis.is_empty() && !here.is_empty() && axis.is_disjoint(here) {
                    return Reading::Apart;
                }
                axis.extend(here);
            }
            for (axis, found) in inverted(&read) {
                let known = places.entry(axis).or_insert_with(|| found.clone());
                is_twice |= *known != found;
            }
        }
        match (is_twice, places.is_empty()) {
            (true, _) => Reading::Twice,
            (false, true) => Reading::Apart,
            (false, false) => Reading::Along(all),
        }
    }
}

/// Whether a reader reads an operand once for each element that it computes.
fn repeats_nothing(reader: &Step<'_>, link: &Link) -> bool {
    let dims = reader.result().map_or(&[][..], |ty| ty.shape.dims());
    let mut dims = dims.iter().enumerate();
    dims.all(|(axis, dim)| dim.is_one() || link.iter().any(|places| places.contains(&axis)))
}

/// How an operation reads a group.
enum Reading {
    /// Not as a part of it.
    Apart,
    /// Its axes follow those of the root.
    Along(Along),
    /// An axis of the root is at two of its axes.
    Twice,
}

/// The roots that IREE finds to be the same but for axes of one and the order of the others, and how their axes follow those of the
/// root.
fn twins(graph: &Graph<'_>, root: Node, along: &Along) -> Vec<(Node, Along)> {
    let wide: Vec<_> = along.iter().filter(|axes| !axes.is_empty()).collect();
    let own = graph.turned(root);
    let of_class = |place: usize| {
        let axis = (0..wide.len()).find(|axis| own.place(*axis) == place)?;
        wide.get(axis).copied().cloned()
    };
    let all = graph.with_elements_of(root).iter();
    let twins = all.filter(|node| **node != root).filter_map(|node| {
        let step = graph.step(*node).filter(|step| step.is_root())?;
        let turned = graph.turned(*node);
        let mut axes = 0..;
        let dims = step.result()?.shape.dims().iter();
        let along = dims.map(|dim| match dim.is_one() {
            true => BTreeSet::new(),
            false => axes
                .next()
                .and_then(|axis| of_class(turned.place(axis)))
                .unwrap_or_default(),
        });
        Some((*node, along.collect()))
    });
    twins.collect()
}

fn backward(link: &Link, along: &Along) -> Along {
    let of = |places: &Vec<usize>| {
        let along = places.iter().filter_map(|place| along.get(*place));
        along.flatten().copied().collect()
    };
    link.iter().map(of).collect()
}

/// For each axis of the root, the axes that run along with it.
fn inverted(along: &Along) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut places: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (axis, roots) in along.iter().enumerate() {
        for root in roots {
            places.entry(*root).or_default().insert(axis);
        }
    }
    places
}
