//! Loops of the program: how often they run is known only when it does.
//!
//! What an iteration changes is found by tracing one: first as if nothing changed, then again with what did
//! as parameters of the iteration, until nothing more does. The last attempt stays.
//!
//! A condition that does nothing but give a value stands apart from the iterations. Any other belongs to the
//! iteration that it lets run, which leaves the loop where it does not hold.

use super::{
    exit::Exit,
    frame::{Flow, Interrupt},
    state::{Content, Slot, State, slot_name},
    statics::Static,
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
    weak::Joined,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, Shape, TensorType};
use iree_dsl_ir::{
    Region, Scalar,
    op::{BinaryOp, Op, UnaryOp},
};
use std::collections::{BTreeMap, BTreeSet};

/// Each attempt finds more that changes; a program has no more variables than this.
const ATTEMPTS: usize = 64;

/// What iterations hand on.
struct Carried {
    slots: BTreeMap<Slot, Joined>,
    /// What was reported before, and stays so.
    poisoned: BTreeSet<Slot>,
    /// The state after an iteration, which has the structure of variables that have no value before.
    after: State,
    /// Whether the condition has effects, so that an iteration starts with it.
    guarded: bool,
}

impl Carried {
    /// What a loop would have changed that has a mistake.
    fn lost(&self, more: impl IntoIterator<Item = Slot>) -> Vec<Slot> {
        let known = self.slots.keys().chain(&self.poisoned).cloned();
        known.chain(more).collect()
    }
}

/// The steps of a loop.
pub(crate) struct Loop<C, B> {
    /// Whether there is another iteration.
    pub(crate) condition: C,
    /// An iteration.
    pub(crate) body: B,
    /// The loop.
    pub(crate) span: SpanId,
}

impl Tracer<'_> {
    /// Traces a loop that runs while its condition holds and nothing has left it. Exits that the loop
    /// allows are in its innermost block already.
    pub(crate) fn repeat<C, B>(&mut self, repeat: &mut Loop<C, B>) -> Flow<()>
    where
        C: FnMut(&mut Self) -> Flow,
        B: FnMut(&mut Self) -> Flow<()>,
    {
        let before = self.state();
        let attempt = self.attempt(repeat, &before);
        self.restore(&before);
        let (carried, initial, regions) = match attempt {
            Ok(attempt) => attempt,
            Err(lost) => {
                for slot in lost {
                    self.set_slot(&slot, Content::POISON, [&before, &before], repeat.span);
                }
                return Ok(());
            }
        };
        let span = repeat.span;
        let operands: Vec<&Tensor> = initial.iter().collect();
        match self
            .builder
            .emit_with_regions(Op::While, &operands, regions, span)
        {
            Ok(results) => self.put(&carried, results, span),
            Err(error) => {
                self.error(Code::Internal, span, error.to_string());
            }
        }
        self.leave_if_certain(Value::unit()).map(|_| ())
    }

    /// What is carried, its first values, and condition and body; where a mistake was reported, what is lost by
    /// that.
    fn attempt<C, B>(
        &mut self,
        repeat: &mut Loop<C, B>,
        before: &State,
    ) -> Result<(Carried, Vec<Tensor>, Vec<Region>), Vec<Slot>>
    where
        C: FnMut(&mut Self) -> Flow,
        B: FnMut(&mut Self) -> Flow<()>,
    {
        let carried = self.carried(repeat, before)?;
        match self.regions(repeat, before, &carried) {
            Some((initial, regions)) => Ok((carried, initial, regions)),
            None => Err(carried.lost([])),
        }
    }

    fn regions<C, B>(
        &mut self,
        repeat: &mut Loop<C, B>,
        before: &State,
        carried: &Carried,
    ) -> Option<(Vec<Tensor>, Vec<Region>)>
    where
        C: FnMut(&mut Self) -> Flow,
        B: FnMut(&mut Self) -> Flow<()>,
    {
        let initial = carried.slots.iter().map(|(slot, joined)| {
            let content = before.content(slot);
            self.content_tensor(Some(slot), content, &joined.ty, repeat.span)
        });
        let initial = initial.collect::<Option<Vec<_>>>()?;
        let condition = self.condition_region(repeat, before, carried)?;
        let body = self.body_region(repeat, before, carried)?;
        Some((initial, vec![condition, body]))
    }

    /// What an iteration changes; where that was reported to be impossible, what is lost by that.
    fn carried<C, B>(
        &mut self,
        repeat: &mut Loop<C, B>,
        before: &State,
    ) -> Result<Carried, Vec<Slot>>
    where
        C: FnMut(&mut Self) -> Flow,
        B: FnMut(&mut Self) -> Flow<()>,
    {
        let mut carried = Carried {
            slots: BTreeMap::new(),
            poisoned: BTreeSet::new(),
            after: before.clone(),
            guarded: false,
        };
        for _ in 0..ATTEMPTS {
            let (mark, mistakes) = (self.builder.mark(), self.error_count());
            self.enter_round(&carried, before, repeat.span);
            let start = self.state();
            if !carried.guarded && self.with_effects(|tracer| (repeat.condition)(tracer)).1 {
                carried.guarded = true;
                self.undo(mark, before, mistakes);
                continue;
            }
            self.round_of(repeat, carried.guarded);
            let after = self.state();
            let changed = start.changes(&after);
            self.builder.go_back(mark);
            self.restore(before);
            let failed = self.error_count() > mistakes;
            let changed = match changed {
                Ok(changed) => changed,
                Err(id) => {
                    self.structure_changes(&id.name, after.assigned_at(&id));
                    return Err(carried.lost(before.slots(&id)));
                }
            };
            let is_poison = |slot: &Slot| after.content(slot) == Content::POISON;
            let (poisoned, changed): (BTreeSet<_>, BTreeSet<_>) =
                changed.into_iter().partition(is_poison);
            let more: Vec<_> = changed
                .into_iter()
                .filter(|slot| !carried.slots.contains_key(slot))
                // A variable that an iteration assigns first has no value after the loop, which may have none.
                .filter(|slot| before.content(slot) != Content::Nothing || !slot.is_visible())
                .collect();
            if more.is_empty() {
                carried.poisoned = poisoned;
                return match failed {
                    true => Err(carried.lost([])),
                    false => Ok(carried),
                };
            }
            carried.after = after.clone();
            // What was reported may be due to values that are not what they will be.
            self.forget_mistakes(mistakes);
            for slot in more {
                let contents = [before.content(&slot), after.content(&slot)];
                let begun = before.given_at(&slot, repeat.span);
                let at = after.given_at(&slot, repeat.span);
                match self.carried_type(&slot, contents, [begun, at]) {
                    Some(joined) => carried.slots.insert(slot, joined),
                    None => return Err(carried.lost([slot])),
                };
            }
        }
        Err(carried.lost([]))
    }

    fn carried_type(
        &mut self,
        slot: &Slot,
        contents: [Content; 2],
        [begun, span]: [SpanId; 2],
    ) -> Option<Joined> {
        let [before, after] = &contents;
        // The first value decides, unless it is a literal.
        let ty = match before {
            Content::Leaf(ValueLeaf::Tensor(tensor)) if tensor.weak.is_none() => {
                Some(Joined::of(tensor.ty.clone()))
            }
            Content::Leaf(ValueLeaf::Static(number)) if !number.ty.is_weak() => {
                let dtype = number.ty.default_dtype();
                dtype.map(|dtype| Joined::of(TensorType::new(dtype, [])))
            }
            _ => self.joined_type([after, before], (begun, slot.leaf())),
        };
        if ty.is_none() && self.refuse_deferred(&contents) {
            return None;
        }
        if ty.is_none() {
            let message = format!(
                "{} changes in a loop of the program and must be a tensor",
                slot_name(slot)
            );
            let diagnostic = Diagnostic::new(Code::NotStatic, span, message);
            self.report(
                diagnostic.help("give it an element type before the loop, for example `as i32`"),
            );
        }
        ty
    }

    /// Opens a region whose parameters are what is carried.
    fn enter_round(&mut self, carried: &Carried, before: &State, span: SpanId) {
        self.restore(before);
        let types = carried.slots.values().map(|joined| joined.ty.clone());
        let types: Vec<_> = types.collect();
        let parameters = self.builder.open_region(&types);
        self.put(carried, parameters, span);
    }

    fn put(&mut self, carried: &Carried, tensors: Vec<Tensor>, span: SpanId) {
        for ((slot, joined), tensor) in carried.slots.iter().zip(tensors) {
            let weak = joined.weak;
            let tensor = Tensor { weak, ..tensor };
            let content = Content::Leaf(ValueLeaf::Tensor(tensor));
            self.set_slot(slot, content, [&carried.after, &carried.after], span);
        }
        for slot in &carried.poisoned {
            self.set_slot(
                slot,
                Content::POISON,
                [&carried.after, &carried.after],
                span,
            );
        }
    }

    /// An iteration, which `continue` ends and `break` ends for good.
    fn round_of<C, B>(&mut self, repeat: &mut Loop<C, B>, guarded: bool)
    where
        C: FnMut(&mut Self) -> Flow,
        B: FnMut(&mut Self) -> Flow<()>,
    {
        // The condition has seen that nothing left.
        self.forget_exits_of_loop();
        let iteration = match guarded {
            true => self.guarded_body(repeat),
            false => (repeat.body)(self),
        };
        if let Err(interrupt) = iteration {
            self.note_exit(interrupt);
        }
        self.forget_exit(Exit::Continue(self.innermost_loop()));
    }

    /// `if condition { body } else { break }`.
    fn guarded_body<C, B>(&mut self, repeat: &mut Loop<C, B>) -> Flow<()>
    where
        C: FnMut(&mut Self) -> Flow,
        B: FnMut(&mut Self) -> Flow<()>,
    {
        let span = repeat.span;
        let done = Interrupt::Break(self.innermost_loop(), Value::unit());
        let condition = (repeat.condition)(self)?;
        let guarded = |tracer: &mut Self| {
            let Some(holds) = tracer.truth(condition, span) else {
                return Ok(Value::POISON);
            };
            let body = |tracer: &mut Self| (repeat.body)(tracer).map(|()| Value::unit());
            tracer.branch(&holds, body, |_| Err(done), span)
        };
        self.unless_left(guarded, span).map(|_| ())
    }

    fn innermost_loop(&self) -> usize {
        self.frame.breakables.len().saturating_sub(1)
    }

    fn condition_region<C, B>(
        &mut self,
        repeat: &mut Loop<C, B>,
        before: &State,
        carried: &Carried,
    ) -> Option<Region>
    where
        C: FnMut(&mut Self) -> Flow,
    {
        let span = repeat.span;
        self.enter_round(carried, before, span);
        let always = Value::from(Static::bool(true));
        let value = match carried.guarded {
            true => always.clone(),
            false => (repeat.condition)(self).unwrap_or(Value::POISON),
        };
        let left = self.may_have_left_loop(span);
        let stays = match left {
            Some(left) if value == always => {
                self.emit(Op::Unary(UnaryOp::Not), &[&left], span).ok()
            }
            Some(left) => {
                let condition = self.truth(value, span);
                condition.and_then(|condition| self.and_not(&condition, &left, span))
            }
            None => self.truth(value, span),
        };
        match stays {
            Some(stays) => Some(self.builder.close_region(&[stays])),
            None => {
                self.builder.suspend_region();
                None
            }
        }
    }

    fn and_not(&mut self, condition: &Tensor, left: &Tensor, span: SpanId) -> Option<Tensor> {
        let stays = self.emit(Op::Unary(UnaryOp::Not), &[left], span).ok()?;
        self.emit(Op::Binary(BinaryOp::And), &[condition, &stays], span)
            .ok()
    }

    /// A condition as a tensor; `None` if it was reported that it is none.
    fn truth(&mut self, value: Value, span: SpanId) -> Option<Tensor> {
        match value {
            Value::Leaf(ValueLeaf::Static(Static {
                value: truth @ Scalar::Bool(_),
                ..
            })) => self
                .builder
                .splat(truth, DType::Bool, &Shape::default(), span)
                .ok(),
            Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor),
            _ => None,
        }
    }

    fn body_region<C, B>(
        &mut self,
        repeat: &mut Loop<C, B>,
        before: &State,
        carried: &Carried,
    ) -> Option<Region>
    where
        C: FnMut(&mut Self) -> Flow,
        B: FnMut(&mut Self) -> Flow<()>,
    {
        let span = repeat.span;
        self.enter_round(carried, before, span);
        self.round_of(repeat, carried.guarded);
        let after = self.state();
        let results = carried.slots.iter().map(|(slot, joined)| {
            let content = after.content(slot);
            self.content_tensor(Some(slot), content, &joined.ty, after.given_at(slot, span))
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
