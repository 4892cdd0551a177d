//! Equal parts that follow each other, such as the layers of an encoder, drawn once.

#[cfg(test)]
mod tests;

use super::model::{Graph, Kind, Node};
use std::collections::{BTreeMap, BTreeSet};

/// In graphs with more boxes nothing is looked for, which takes time.
const MOST: usize = 1000;

impl Graph {
    /// Draws parts once that follow each other and are equal but for the numbers in the names of globals and parameters.
    pub(crate) fn folded(mut self) -> Self {
        for node in &mut self.nodes {
            node.inner = node.inner.take().map(Self::folded);
        }
        while let Some(run) = Run::find(&self) {
            self = run.fold(&self);
        }
        self
    }
}

/// Equal parts of a graph, one behind the other.
struct Run {
    /// The boxes of each part, in the same order.
    parts: Vec<Vec<usize>>,
}

/// What leads to a part, or away from it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Around {
    /// From box to box of the part, by their places in it.
    within: BTreeSet<(usize, usize)>,
    /// To the next part.
    onwards: BTreeSet<(usize, usize)>,
    /// From other boxes that compute something.
    before: BTreeSet<(usize, usize)>,
    /// From globals and parameters, and to globals, by their names without numbers.
    named: BTreeSet<(Kind, String, usize)>,
    /// To other boxes that compute something.
    after: BTreeSet<(usize, usize)>,
}

impl Run {
    /// The run of the most boxes, and of these that of the most parts.
    fn find(graph: &Graph) -> Option<Self> {
        let boxes: Vec<_> = (0..graph.nodes.len())
            .filter(|node| !is_named(graph.nodes[*node].kind))
            .collect();
        if boxes.len() > MOST {
            return None;
        }
        let mut numbers = BTreeMap::new();
        let kinds: Vec<usize> = boxes
            .iter()
            .map(|node| {
                let count = numbers.len();
                *numbers.entry(key(&graph.nodes[*node])).or_insert(count)
            })
            .collect();
        let edges = graph.edges();
        let mut candidates = Vec::new();
        for period in 1..=boxes.len() / 2 {
            // How many boxes from each on are what those a period later are.
            let mut same = 0;
            for start in (0..boxes.len() - period).rev() {
                same = if kinds[start] == kinds[start + period] {
                    same + 1
                } else {
                    0
                };
                let count = same / period + 1;
                if count > 1 {
                    candidates.push((count * period, count, start, period));
                }
            }
        }
        candidates.sort_unstable_by_key(|(size, count, start, _)| {
            (usize::MAX - size, usize::MAX - count, *start)
        });
        candidates
            .into_iter()
            .find_map(|(_, count, start, period)| {
                let parts = boxes[start..start + count * period].chunks(period);
                let run = Self {
                    parts: parts.map(<[usize]>::to_vec).collect(),
                };
                run.longest(graph, &edges)
            })
    }

    /// As many of its parts from the first on as are connected in the same way.
    fn longest(mut self, graph: &Graph, edges: &[(usize, usize)]) -> Option<Self> {
        while self.parts.len() > 1 {
            let around = self.around(graph, edges);
            if is_chain(&around) {
                return Some(self);
            }
            self.parts.pop();
        }
        None
    }

    fn around(&self, graph: &Graph, edges: &[(usize, usize)]) -> Vec<Around> {
        let parts = self.parts.iter().enumerate();
        let places: BTreeMap<usize, (usize, usize)> = parts
            .flat_map(|(part, nodes)| {
                let nodes = nodes.iter().enumerate();
                nodes.map(move |(place, node)| (*node, (part, place)))
            })
            .collect();
        let mut all: Vec<Around> = self.parts.iter().map(|_| Around::default()).collect();
        for (from, to) in edges {
            match (places.get(from), places.get(to)) {
                (Some((own, place)), Some((other, target))) if own == other => {
                    all[*own].within.insert((*place, *target));
                }
                (Some((own, place)), Some((other, target))) if own + 1 == *other => {
                    all[*own].onwards.insert((*place, *target));
                }
                // Over a part, or back: no chain.
                (Some((own, place)), Some(_)) => {
                    all[*own].after.insert((*place, *to));
                }
                (None, Some((part, target))) => match is_named(graph.nodes[*from].kind) {
                    true => drop(all[*part].named.insert(name(&graph.nodes[*from], *target))),
                    false => drop(all[*part].before.insert((*from, *target))),
                },
                (Some((part, place)), None) => match graph.nodes[*to].kind {
                    Kind::Store => drop(all[*part].named.insert(name(&graph.nodes[*to], *place))),
                    _ => drop(all[*part].after.insert((*place, *to))),
                },
                (None, None) => {}
            }
        }
        all
    }

    /// The graph with a box in the place of the parts, and the first of them in it.
    fn fold(&self, graph: &Graph) -> Graph {
        let (first, last) = (&self.parts[0], &self.parts[self.parts.len() - 1]);
        let members: BTreeSet<usize> = self.parts.iter().flatten().copied().collect();
        let edges = graph.edges();
        // Named boxes that only later parts use stand for the same as those of the first one.
        let is_of = |node: usize, part: &BTreeSet<usize>| {
            edges.iter().any(|(from, to)| {
                (*from == node && part.contains(to)) || (*to == node && part.contains(from))
            })
        };
        let own: BTreeSet<usize> = first.iter().copied().collect();
        let (mut folded, mut places) = (Graph::default(), BTreeMap::new());
        for (index, node) in graph.nodes.iter().enumerate() {
            if members.contains(&index) {
                if index == first[0] {
                    let node = self.drawn(graph, &edges);
                    places.insert(index, folded.add(node));
                }
                continue;
            }
            let used_outside = edges.iter().any(|(from, to)| {
                (*from == index && !members.contains(to))
                    || (*to == index && !members.contains(from))
            });
            if is_named(node.kind) && is_of(index, &members) && !is_of(index, &own) && !used_outside
            {
                continue;
            }
            let mut node = node.clone();
            if is_named(node.kind) && is_of(index, &own) && !used_outside {
                let other = self.counterpart(graph, &edges, index, last);
                node.title = ranged(&node.title, &other);
            }
            places.insert(index, folded.add(node));
        }
        let all = places.get(&first[0]).copied();
        let place = |node: &usize| match members.contains(node) {
            true => all,
            false => places.get(node).copied(),
        };
        for (from, to) in &edges {
            if let (Some(from), Some(to)) = (place(from), place(to)) {
                folded.connect(from, to);
            }
        }
        folded
    }

    /// The box that stands for all parts.
    fn drawn(&self, graph: &Graph, edges: &[(usize, usize)]) -> Node {
        let (first, last) = (&self.parts[0], &self.parts[self.parts.len() - 1]);
        let (mut inner, mut places) = (Graph::default(), BTreeMap::new());
        for (node, other) in first.iter().zip(last) {
            let node_in = merged(&graph.nodes[*node], &graph.nodes[*other]);
            places.insert(*node, inner.add(node_in));
        }
        let named = &self.around(graph, edges)[1].named;
        let of_each = |node: usize, to: usize| {
            let place = first.iter().position(|own| *own == to);
            place.is_some_and(|place| named.contains(&name(&graph.nodes[node], place)))
        };
        let mut ends = BTreeMap::new();
        for (from, to) in edges {
            let to_node = *to;
            match (places.get(from).copied(), places.get(to).copied()) {
                (Some(from), Some(to)) => inner.connect(from, to),
                (None, Some(to)) => {
                    let node = &graph.nodes[*from];
                    let end = *ends.entry(*from).or_insert_with(|| {
                        inner.add(match of_each(*from, to_node) {
                            true => {
                                let other = self.counterpart(graph, edges, *from, last);
                                Node {
                                    title: ranged(&node.title, &other),
                                    ..node.clone()
                                }
                            }
                            false => Node {
                                kind: Kind::Parameter,
                                title: String::new(),
                                detail: node.detail.clone(),
                                hint: String::new(),
                                inner: None,
                            },
                        })
                    });
                    inner.connect(end, to);
                }
                _ => {}
            }
        }
        Node {
            kind: Kind::Repeated,
            title: format!("{} times", self.parts.len()),
            detail: "equal parts, one behind the other".to_owned(),
            hint: String::new(),
            inner: Some(inner),
        }
    }

    /// The title of what is for the last part what a named box is for the first.
    fn counterpart(
        &self,
        graph: &Graph,
        edges: &[(usize, usize)],
        node: usize,
        last: &[usize],
    ) -> String {
        let kind = graph.nodes[node].kind;
        let pattern = without_numbers(&graph.nodes[node].title);
        let first = &self.parts[0];
        let ends = edges.iter().filter_map(|(from, to)| match kind {
            Kind::Store if *to == node => first.iter().position(|own| own == from),
            _ if *from == node => first.iter().position(|own| own == to),
            _ => None,
        });
        let ends: BTreeSet<usize> = ends.collect();
        let is_it = |(from, to): &&(usize, usize)| {
            let (named, own) = if kind == Kind::Store {
                (to, from)
            } else {
                (from, to)
            };
            let other = &graph.nodes[*named];
            let place = last.iter().position(|member| member == own);
            other.kind == kind
                && without_numbers(&other.title) == pattern
                && place.is_some_and(|place| ends.contains(&place))
        };
        let found = edges.iter().find(is_it);
        let found = found.map(|(from, to)| if kind == Kind::Store { *to } else { *from });
        graph.nodes[found.unwrap_or(node)].title.clone()
    }
}

/// Whether each part leads to the next one alone, and all to the same places in it.
fn is_chain(around: &[Around]) -> bool {
    let [first, rest @ ..] = around else {
        return false;
    };
    let Some((last, middle)) = rest.split_last() else {
        return false;
    };
    let second = &rest[0];
    let is_like_second = |part: &Around| {
        part.within == first.within && part.named == second.named && part.before == second.before
    };
    let targets: BTreeSet<usize> = first.onwards.iter().map(|(_, to)| *to).collect();
    // What the first part begins with comes from elsewhere, to where others have it from the part before.
    let mut others = first.before.difference(&second.before);
    let mut inputs = first.named.difference(&second.named);
    !first.onwards.is_empty()
        && rest.iter().all(is_like_second)
        && middle
            .iter()
            .all(|part| part.onwards == first.onwards && part.after.is_empty())
        && first.after.is_empty()
        && last.onwards.is_empty()
        && second.before.is_subset(&first.before)
        && second.named.is_subset(&first.named)
        && inputs.all(|(kind, _, to)| *kind != Kind::Store && targets.contains(to))
        && others.all(|(_, to)| targets.contains(to))
}

/// Whether a box stands for something with a name, instead of for something that is computed.
const fn is_named(kind: Kind) -> bool {
    matches!(kind, Kind::Parameter | Kind::Load | Kind::Store)
}

fn name(node: &Node, place: usize) -> (Kind, String, usize) {
    (node.kind, without_numbers(&node.title), place)
}

/// What equal boxes have in common.
fn key(node: &Node) -> String {
    let title = match is_named(node.kind) {
        true => without_numbers(&node.title),
        false => node.title.clone(),
    };
    let inner = node.inner.as_ref().map_or_else(String::new, |inner| {
        let nodes: Vec<_> = inner.nodes.iter().map(key).collect();
        format!("{nodes:?}{:?}", inner.edges())
    });
    format!("{:?}\n{title}\n{}\n{inner}", node.kind, node.detail)
}

/// A name in which all words that are numbers are the same.
fn without_numbers(path: &str) -> String {
    let words = path
        .split('.')
        .map(|word| if is_number(word) { "#" } else { word });
    words.collect::<Vec<_>>().join(".")
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of all from the first to the last: `layers.0…5.w`.
fn ranged(first: &str, last: &str) -> String {
    let words = first.split('.').zip(last.split('.'));
    let words = words.map(|(first, last)| match first == last {
        true => first.to_owned(),
        false => format!("{first}…{last}"),
    });
    words.collect::<Vec<_>>().join(".")
}

/// A box of the first part with the names of all.
fn merged(first: &Node, last: &Node) -> Node {
    let inner = first
        .inner
        .as_ref()
        .zip(last.inner.as_ref())
        .map(|(first, last)| {
            let mut graph = Graph::default();
            for (first, last) in first.nodes.iter().zip(&last.nodes) {
                graph.add(merged(first, last));
            }
            for (from, to) in first.edges() {
                graph.connect(from, to);
            }
            graph
        });
    let title = match is_named(first.kind) {
        true => ranged(&first.title, &last.title),
        false => first.title.clone(),
    };
    Node {
        title,
        inner,
        ..first.clone()
    }
}
