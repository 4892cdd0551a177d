//! Expressions that share parts with each other in many ways, as derivatives of high order do: `grad(grad(grad(grad(f))))` of a function
//! of a few operations.
//!
//! IREE 3.13 fuses what several operations read with the first of them, which then has several results. What reads one of these and is
//! fused next gets all of it, and a copy of its own of what each further result is computed from. In such expressions this happens again
//! and again: of 550 lines it makes 27,000, over which it goes for a minute.
//! Defect `expression-is-copied-for-each-result`.
//!
//! Expressions of single numbers it fuses however many of them there are, but loads no dispatch with more than 32 buffers.
//! Defect `dispatch-of-too-many-buffers`.

mod expression;
mod own;

use super::graph::{Graph, Node};
use expression::Expression;
use std::collections::{BTreeMap, BTreeSet};

/// Of how many operations an expression may be with copies in it. IREE takes a few seconds for so many.
const LARGE: usize = 1 << 12;

/// Of how many numbers an expression may be, its results included, if it is of numbers.
const MOST: usize = 32;

/// How often IREE goes through all expressions to fuse them.
const TURNS: usize = 34;

/// The values that must be computed before anything reads them.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut expressions = Expressions {
        graph,
        all: own::expressions(graph),
        cuts: BTreeSet::new(),
    };
    let is_done = |_: &usize| !expressions.fuse();
    (0..TURNS).find(is_done);
    expressions.cuts
}

/// The last value of an expression.
type Last = Node;

/// All of a function.
struct Expressions<'g, 'a> {
    graph: &'g Graph<'a>,
    all: BTreeMap<Last, Expression<'a>>,
    cuts: BTreeSet<Node>,
}

/// Who reads each value.
type Users = BTreeMap<Node, BTreeSet<Last>>;

impl Expressions<'_, '_> {
    /// Fuses expressions with what they read, each at most once. Whether there were any.
    fn fuse(&mut self) -> bool {
        let users = self.users();
        let pairs = self.pairs(&users);
        let mut changed = BTreeSet::new();
        for (last, source) in &pairs {
            // What was fused is another now.
            if changed.contains(source) {
                continue;
            }
            let (Some(reader), Some(expression)) = (self.all.get(last), self.all.get(source))
            else {
                continue;
            };
            let is_kept = |node: Node| {
                let mut users = users.get(&node).into_iter().flatten();
                expression.stored.contains(&node) || users.any(|user| user != last)
            };
            let fused = reader.with(expression, is_kept);
            let is_copied = reader.read_of(expression).len() > 1;
            let is_of_too_many = || fused.is_of_numbers() && fused.tensors(self.graph) > MOST;
            if is_copied && fused.size() > LARGE || is_of_too_many() {
                self.cut(*source);
            } else {
                self.all.remove(source);
                self.all.insert(*last, fused);
                changed.insert(*last);
            }
        }
        !pairs.is_empty()
    }

    fn cut(&mut self, expression: Last) {
        if let Some(expression) = self.all.get_mut(&expression) {
            expression.is_cut = true;
            self.cuts.extend(expression.results.keys());
        }
    }

    fn users(&self) -> Users {
        let mut users = Users::new();
        for (last, expression) in &self.all {
            for node in expression.reads() {
                users.entry(node).or_default().insert(*last);
            }
        }
        users
    }

    /// Which expressions are fused with which that they read: each with one, and with the first that reads any of it.
    fn pairs(&self, users: &Users) -> BTreeMap<Last, Last> {
        let makers = self.all.iter();
        let makers = makers.flat_map(|(last, it)| it.results.keys().map(|node| (*node, *last)));
        let makers: BTreeMap<Node, Last> = makers.collect();
        let (mut pairs, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for (last, reader) in self.all.iter().rev() {
            let is_fused = |source: &&Last| {
                let source = self.all.get(*source).filter(|it| it.is_fused_with(reader));
                let results = source.into_iter().flat_map(|it| it.results.keys());
                let read = results.filter_map(|node| users.get(node)?.first());
                read.min() == Some(last)
            };
            let reads = reader.reads();
            let sources: Vec<_> = reads.iter().filter_map(|node| makers.get(node)).collect();
            let mut sources = sources.into_iter().filter(|it| !taken.contains(*it));
            if let Some(source) = sources.find(is_fused) {
                taken.insert(*source);
                pairs.insert(*last, *source);
            }
        }
        pairs
    }
}
