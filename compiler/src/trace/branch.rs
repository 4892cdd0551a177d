//! Branches of the program: `if` over a condition that is known only when the program runs.

use super::{
    frame::Flow,
    state::{Content, Slot, State, common_type},
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    ir::Region,
    op::{If, Op},
    span::SpanId,
};
use iree_abi::TensorType;

/// What a branch leads to.
struct Branch {
    region: Region,
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
    /// The type of the result that it becomes; `None` if it is the same in both.
    ty: Option<TensorType>,
}

impl Tracer<'_> {
    /// Traces both branches, and makes what differs between them results of an operation.
    pub(crate) fn branch(
        &mut self,
        condition: &Tensor,
        then: impl FnOnce(&mut Self) -> Flow,
        otherwise: impl FnOnce(&mut Self) -> Flow,
        span: SpanId,
    ) -> Flow {
        let then = |tracer: &mut Self| then(tracer).map(Some);
        let otherwise = |tracer: &mut Self| otherwise(tracer).map(Some);
        self.branch_with(condition, then, otherwise, span)
    }

    /// The same for branches that may have no value because the control flow left before.
    pub(crate) fn branch_with(
        &mut self,
        condition: &Tensor,
        then: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
        otherwise: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
        span: SpanId,
    ) -> Flow {
        let before = self.state();
        let then = self.one_branch(then, &before);
        let otherwise = self.one_branch(otherwise, &before);
        self.restore(&before);
        let value = match self.items(&before, &then, &otherwise, span) {
            Some((shape, items)) => self.join(condition, [then, otherwise], shape, &items, span),
            None => None,
        };
        self.leave_if_certain(value.unwrap_or(Value::POISON))
    }

    fn one_branch(
        &mut self,
        trace: impl FnOnce(&mut Self) -> Flow<Option<Value>>,
        before: &State,
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
            (Some(then), Some(otherwise)) if !then.has_structure_of(otherwise) => {
                return self.branches_disagree(then, otherwise, span);
            }
            (Some(value), _) | (None, Some(value)) => value.clone(),
            (None, None) => Value::unit(),
        };
        let mut items = Vec::new();
        for index in 0..shape.leaves().len() {
            let contents = [then, otherwise].map(|branch| branch.leaf(index));
            items.push(self.item(None, contents, span)?);
        }
        let mut slots = std::collections::BTreeSet::new();
        for branch in [then, otherwise] {
            match before.changes(&branch.state) {
                Ok(changed) => slots.extend(changed),
                Err(name) => {
                    self.structure_changes(&name, span);
                    return None;
                }
            }
        }
        for slot in slots {
            let contents = [then, otherwise].map(|branch| branch.state.content(&slot));
            items.push(self.item(Some(slot), contents, span)?);
        }
        Some((shape, items))
    }

    fn item(&mut self, slot: Option<Slot>, contents: [Content; 2], span: SpanId) -> Option<Item> {
        let contents = match (&slot, contents) {
            // A branch that leaves has no say in the value.
            (None, [Content::Nothing, leaf]) | (None, [leaf, Content::Nothing])
                if !matches!(leaf, Content::Leaf(ValueLeaf::Tensor(_))) =>
            {
                [leaf.clone(), leaf]
            }
            (_, contents) => contents,
        };
        let [then, otherwise] = &contents;
        if then == otherwise {
            let ty = None;
            return Some(Item { slot, contents, ty });
        }
        let ty = common_type([then, otherwise]);
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
            ty: Some(ty?),
            contents,
        })
    }

    fn branches_disagree<T>(&mut self, then: &Value, otherwise: &Value, span: SpanId) -> Option<T> {
        if !then.is_poisoned() && !otherwise.is_poisoned() {
            let message = format!(
                "both branches must have one type, found `{}` and `{}`",
                then.ty(),
                otherwise.ty()
            );
            self.error(Code::TypeMismatch, span, message);
        }
        None
    }

    /// Ends both regions with the same results, and puts these where they belong.
    fn join(
        &mut self,
        condition: &Tensor,
        branches: [Branch; 2],
        shape: Value,
        items: &[Item],
        span: SpanId,
    ) -> Option<Value> {
        let mut regions = Vec::new();
        for (side, branch) in branches.iter().enumerate() {
            regions.push(self.end_branch(branch.region.clone(), side, items, span)?);
        }
        let results = items.iter().filter_map(|item| item.ty.clone()).collect();
        let op = Op::If(If { results });
        let results = match self
            .builder
            .emit_with_regions(op, &[condition], regions, span)
        {
            Ok(results) => results,
            Err(error) => {
                self.error(Code::Internal, span, error.to_string());
                return None;
            }
        };
        let mut results = results.into_iter();
        let mut outcomes = items.iter().map(|item| match (&item.ty, &item.contents) {
            (Some(_), _) => results
                .next()
                .map(|tensor| Content::Leaf(ValueLeaf::Tensor(tensor))),
            (None, [same, _]) => Some(same.clone()),
        });
        let value = shape.map(&mut |_| match outcomes.next() {
            Some(Some(Content::Leaf(leaf))) => leaf,
            _ => ValueLeaf::Poison,
        });
        let outcomes: Vec<_> = outcomes.collect();
        let slots = items.iter().filter_map(|item| item.slot.as_ref());
        for (slot, outcome) in slots.zip(outcomes) {
            if let Some(outcome) = outcome {
                let [then, otherwise] = &branches;
                self.set_slot(slot, outcome, [&then.state, &otherwise.state], span);
            }
        }
        Some(value)
    }

    fn end_branch(
        &mut self,
        region: Region,
        side: usize,
        items: &[Item],
        span: SpanId,
    ) -> Option<Region> {
        self.builder.resume_region(region);
        let results = items.iter().filter_map(|item| {
            let ty = item.ty.as_ref()?;
            let content = item.contents.get(side).cloned()?;
            Some(self.content_tensor(item.slot.as_ref(), content, ty, span))
        });
        let results: Option<Vec<_>> = results.collect();
        match results {
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
