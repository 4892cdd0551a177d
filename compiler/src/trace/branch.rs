//! Branches of the program: `if` over a condition that is known only when the program runs.

use super::{
    frame::{Flow, Interrupt},
    state::{Content, Slot, State},
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
    weak::{Joined, Origin},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::TensorType;
use iree_dsl_ir::{
    Region,
    op::{Op, UnaryOp},
};

/// Branches deeper than this come from a loop that was unrolled. Later stages, and IREE, go into them by
/// recursion.
const DEPTH_LIMIT: usize = 256;

/// Where a branch and the values of its two sides stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BranchSpans {
    /// The branch.
    pub(crate) whole: SpanId,
    /// The values.
    pub(crate) values: [SpanId; 2],
}

impl From<SpanId> for BranchSpans {
    fn from(span: SpanId) -> Self {
        Self {
            whole: span,
            values: [span; 2],
        }
    }
}

/// What a branch leads to.
struct Branch {
    region: Region,
    /// Where its value stands.
    span: SpanId,
    /// Its value; `None` if the control flow goes elsewhere.
    value: Option<Value>,
    state: State,
}

/// Something that both branches have a say in.
struct Item {
    /// Where it is; `None` for a leaf of the value.
    slot: Option<Slot>,
    /// What it is at the end of each branch.
    contents: [Content; 2],
    /// What becomes of it.
    outcome: Outcome,
}

/// What becomes of something that both branches have a say in.
enum Outcome {
    /// It is the same in both.
    Same,
    /// It says which branch was taken, or which was not.
    Taken(bool),
    /// A result of this type.
    Result(Joined),
}

impl Tracer<'_> {
    /// Traces both branches, and makes what differs between them results of an operation.
    pub(crate) fn branch(
        &mut self,
        condition: &Tensor,
        then: impl FnOnce(&mut Self) -> Flow,
        otherwise: impl FnOnce(&mut Self) -> Flow,
        spans: impl Into<BranchSpans>,
    ) -> Flow {
        let then = |tracer: &mut Self| then(tracer).map(Some);
        let otherwise = |tracer: &mut Self| otherwise(tracer).map(Some);
        self.branch_with(condition, then, otherwise, spans)
    }

    /// The same for branches that may have no value because the control flow left before.
    pub(crate) fn branch_with(
        &mut self,
        condition: &Tensor,
        then: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
        otherwise: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
        spans: impl Into<BranchSpans>,
    ) -> Flow {
        let BranchSpans {
            whole: span,
            values: [then_span, otherwise_span],
        } = spans.into();
        if self.builder.depth() > DEPTH_LIMIT {
            let message = format!("more than {DEPTH_LIMIT} branches inside each other");
            let diagnostic = Diagnostic::new(Code::UnrollLimit, span, message);
            let help = "what may leave in each iteration belongs in a loop over `range(0, n)`";
            return Ok(self.report(diagnostic.help(help)));
        }
        let (before, mark) = (self.state(), self.builder.mark());
        let then = self.one_branch(then, &before, then_span);
        let otherwise = self.one_branch(otherwise, &before, otherwise_span);
        self.restore(&before);
        let goes_on = then.value.is_some() || otherwise.value.is_some();
        let value = match self.items(&before, &then, &otherwise, span) {
            Some((shape, items)) => {
                let open = items
                    .iter()
                    .any(|item| matches!(item.outcome, Outcome::Result(_)));
                let branches = [then, otherwise];
                let regions = branches.iter().map(|branch| &branch.region);
                let open = open || self.builder.has_loaded_since(&mark);
                let results = if open || self.are_observed(regions) {
                    self.end_branches(condition, &branches, &items, span)
                } else {
                    // Neither branch does anything that anybody sees.
                    self.builder.go_back(mark);
                    Some(Vec::new())
                };
                results.map(|results| {
                    let outcomes = self.outcomes(condition, &items, results, span);
                    self.put_outcomes(&branches, &shape, &items, outcomes, span)
                })
            }
            None => None,
        };
        match value {
            Some(value) => match self.leave_if_certain(value)? {
                value if goes_on => Ok(value),
                _ => Err(Interrupt::Left),
            },
            None => Ok(Value::POISON),
        }
    }

    /// Traces both branches of a condition that is wrong, for what is wrong in them too. What they change is unknown
    /// afterwards.
    pub(crate) fn branches_of_nothing(
        &mut self,
        then: impl FnOnce(&mut Self) -> Flow,
        otherwise: impl FnOnce(&mut Self) -> Flow,
        span: SpanId,
    ) {
        let (before, mark) = (self.state(), self.builder.mark());
        let then = self.one_branch(|tracer| then(tracer).map(Some), &before, span);
        let otherwise = self.one_branch(|tracer| otherwise(tracer).map(Some), &before, span);
        self.restore(&before);
        self.builder.go_back(mark);
        for Branch { state, .. } in [then, otherwise] {
            let changed = before.changes(&state).unwrap_or_default();
            for slot in changed.iter().filter(|slot| slot.is_visible()) {
                self.set_slot(slot, Content::POISON, [&state, &state], span);
            }
        }
    }

    fn one_branch(
        &mut self,
        trace: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
        before: &State,
        span: SpanId,
    ) -> Branch {
        self.restore(before);
        self.builder.open_region(&[]);
        let value = match trace(self) {
            Ok(value) => value,
            Err(interrupt) => {
                self.note_exit(interrupt);
                None
            }
        };
        Branch {
            region: self.builder.suspend_region(),
            span,
            value,
            state: self.state(),
        }
    }

    /// Everything that a branch changed, with the structure of the value and its leaves first.
    fn items(
        &mut self,
        before: &State,
        then: &Branch,
        otherwise: &Branch,
        span: SpanId,
    ) -> Option<(Value, Vec<Item>)> {
        let shape = match (&then.value, &otherwise.value) {
            (Some(first), Some(second)) if !may_agree(first, second) => {
                return self.branches_disagree(first, second, otherwise.span);
            }
            (Some(value), _) | (None, Some(value)) => value.clone(),
            (None, None) => Value::unit(),
        };
        let mut items = Vec::new();
        for index in 0..shape.leaves().len() {
            let contents = [then, otherwise].map(|branch| branch.leaf(index));
            items.push(self.item(None, contents, None, ((span, index), span))?);
        }
        let mut slots = std::collections::BTreeSet::new();
        for branch in [then, otherwise] {
            match before.changes(&branch.state) {
                Ok(changed) => slots.extend(changed),
                Err(id) => {
                    let span = branch.state.assigned_at(&id);
                    self.structure_changes(&id.name, span);
                    return None;
                }
            }
        }
        for slot in slots {
            let contents = [then, otherwise].map(|branch| branch.state.content(&slot));
            let earlier = match before.content(&slot) {
                Content::Leaf(ValueLeaf::Tensor(tensor)) if tensor.weak.is_none() => {
                    Some(tensor.ty)
                }
                _ => None,
            };
            let origin = (before.given_at(&slot, span), slot.leaf());
            items.push(self.item(Some(slot), contents, earlier, (origin, span))?);
        }
        Some((shape, items))
    }

    /// What becomes of contents. Where the branches disagree in type, the one from before decides.
    fn item(
        &mut self,
        slot: Option<Slot>,
        contents: [Content; 2],
        earlier: Option<TensorType>,
        (origin, span): (Origin, SpanId),
    ) -> Option<Item> {
        let contents = match (&slot, contents) {
            // A branch that leaves has no say in the value.
            (None, [Content::Nothing, leaf]) | (None, [leaf, Content::Nothing])
                if !leaf.is_of_tensors() =>
            {
                [leaf.clone(), leaf]
            }
            // A variable that one branch assigns has no value afterwards.
            (Some(slot), contents) if contents.contains(&Content::Nothing) && slot.is_visible() => {
                [Content::Nothing, Content::Nothing]
            }
            (_, contents) => contents,
        };
        if contents.contains(&Content::Leaf(ValueLeaf::Poison)) {
            let poison = Content::Leaf(ValueLeaf::Poison);
            return Some(Item {
                slot,
                contents: [poison.clone(), poison],
                outcome: Outcome::Same,
            });
        }
        let [then, otherwise] = &contents;
        let outcome = match (then.truth(), otherwise.truth()) {
            _ if then == otherwise => Some(Outcome::Same),
            (Some(true), Some(false)) => Some(Outcome::Taken(true)),
            (Some(false), Some(true)) => Some(Outcome::Taken(false)),
            _ => None,
        };
        if let Some(outcome) = outcome {
            return Some(Item {
                slot,
                contents,
                outcome,
            });
        }
        let ty = match contents.each_ref().map(Content::tensor_type) {
            [Some(then), Some(otherwise)] if then != otherwise && earlier.is_some() => {
                earlier.map(Joined::of)
            }
            _ => self.joined_type([then, otherwise], origin),
        };
        if ty.is_none() && self.refuse_deferred(&contents) {
            return None;
        }
        if ty.is_none() {
            let name = match &slot {
                Some(slot) => super::state::slot_name(slot),
                None => "the value".to_owned(),
            };
            let message = format!("{name} must be the same in both branches, or a tensor");
            let diagnostic = Diagnostic::new(Code::NotStatic, span, message);
            self.report(
                diagnostic
                    .help("what is known while building cannot depend on what happens at run time"),
            );
        }
        Some(Item {
            slot,
            outcome: Outcome::Result(ty?),
            contents,
        })
    }

    fn branches_disagree<T>(&mut self, then: &Value, otherwise: &Value, span: SpanId) -> Option<T> {
        if !then.is_poisoned() && !otherwise.is_poisoned() {
            let message = format!(
                "both branches must have one type: expected `{}`, found `{}`",
                then.ty(),
                otherwise.ty()
            );
            self.error(Code::TypeMismatch, span, message);
        }
        None
    }

    /// Ends both regions with what they disagree about, and adds the operation.
    fn end_branches(
        &mut self,
        condition: &Tensor,
        branches: &[Branch; 2],
        items: &[Item],
        span: SpanId,
    ) -> Option<Vec<Tensor>> {
        let mut regions = Vec::new();
        for (side, branch) in branches.iter().enumerate() {
            regions.push(self.end_branch(side, branch, items, span)?);
        }
        let is_empty = |region: &Region| region.operations.is_empty() && region.results.is_empty();
        // Globals that sides load are loaded where the function starts.
        if regions.iter().all(is_empty) {
            return Some(Vec::new());
        }
        let builder = &mut self.builder;
        match builder.emit_with_regions(Op::If, &[condition], regions, span) {
            Ok(results) => Some(results),
            Err(error) => {
                self.error(Code::Internal, span, error.to_string());
                None
            }
        }
    }

    /// What each item is from here on.
    fn outcomes(
        &mut self,
        condition: &Tensor,
        items: &[Item],
        results: Vec<Tensor>,
        span: SpanId,
    ) -> Vec<Content> {
        let mut results = results.into_iter();
        let mut outcome = |item: &Item| {
            let tensor = match (&item.outcome, &item.contents) {
                (Outcome::Same, [same, _]) => return same.clone(),
                (Outcome::Taken(true), _) => Some(condition.clone()),
                (Outcome::Taken(false), _) => {
                    let not = Op::Unary(UnaryOp::Not);
                    self.emit(not, &[condition], span).ok()
                }
                (Outcome::Result(Joined { weak, .. }), _) => {
                    let weak = *weak;
                    results.next().map(|result| Tensor { weak, ..result })
                }
            };
            Content::Leaf(tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor))
        };
        items.iter().map(&mut outcome).collect()
    }

    /// Puts the outcomes where they belong, and returns the value.
    fn put_outcomes(
        &mut self,
        [then, otherwise]: &[Branch; 2],
        shape: &Value,
        items: &[Item],
        outcomes: Vec<Content>,
        span: SpanId,
    ) -> Value {
        let mut outcomes = outcomes.into_iter();
        let value = shape.map(&mut |_| match outcomes.next() {
            Some(Content::Leaf(leaf)) => leaf,
            _ => ValueLeaf::Poison,
        });
        let slots = items.iter().filter_map(|item| item.slot.as_ref());
        for (slot, outcome) in slots.zip(outcomes) {
            self.set_slot(slot, outcome, [&then.state, &otherwise.state], span);
        }
        value
    }

    fn end_branch(
        &mut self,
        side: usize,
        branch: &Branch,
        items: &[Item],
        span: SpanId,
    ) -> Option<Region> {
        self.builder.resume_region(branch.region.clone());
        let results = items.iter().filter_map(|item| {
            let Outcome::Result(Joined { ty, .. }) = &item.outcome else {
                return None;
            };
            let content = item.contents.get(side).cloned()?;
            let slot = item.slot.as_ref();
            let given_at = match slot {
                Some(slot) => branch.state.given_at(slot, span),
                None => branch.span,
            };
            Some(self.content_tensor(slot, content, ty, given_at))
        });
        match results.collect::<Option<Vec<_>>>() {
            Some(results) => Some(self.builder.close_region(&results)),
            None => {
                self.builder.suspend_region();
                None
            }
        }
    }
}

impl Branch {
    fn leaf(&self, index: usize) -> Content {
        let Some(value) = &self.value else {
            return Content::Nothing;
        };
        let leaves = value.leaves();
        let leaf = leaves.get(index).map(|(_, leaf)| (*leaf).clone());
        leaf.map_or(Content::Nothing, Content::Leaf)
    }
}

/// Whether two values can be one: the same structure, and tensors of one type where both have one.
fn may_agree(first: &Value, second: &Value) -> bool {
    let (firsts, seconds) = (first.leaves(), second.leaves());
    let mut pairs = firsts.iter().zip(&seconds);
    first.has_structure_of(second)
        && pairs.all(|pair| match pair {
            ((_, ValueLeaf::Tensor(first)), (_, ValueLeaf::Tensor(second))) => {
                first.ty == second.ty || first.adapts_to(&second.ty) || second.adapts_to(&first.ty)
            }
            _ => true,
        })
}
