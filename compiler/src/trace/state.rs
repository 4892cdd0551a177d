//! What can change between two points of a function: variables and globals, leaf by leaf.

use super::{
    builder::StoredGlobals,
    scope::{Scopes, VariableId},
    statics::Static,
    tracer::Tracer,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::TensorType;
use iree_dsl_ir::{GlobalId, Scalar};
use std::{collections::BTreeSet, rc::Rc};

/// The variables and globals at a point of a function.
#[derive(Clone, Debug)]
pub(crate) struct State {
    scopes: Scopes,
    globals: StoredGlobals,
}

/// A leaf of a variable, or a global.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// The leaf of a variable at an index.
    Variable(VariableId, usize),
    /// A global.
    Global(GlobalId),
}

impl Slot {
    /// Which leaf of a variable it is.
    pub(crate) const fn leaf(&self) -> usize {
        match self {
            Self::Variable(_, leaf) => *leaf,
            Self::Global(_) => 0,
        }
    }

    /// Whether it is a variable of the user.
    pub(crate) fn is_visible(&self) -> bool {
        matches!(self, Self::Variable(id, _) if !id.name.starts_with('<'))
    }
}

/// What a slot holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// A value.
    Leaf(ValueLeaf),
    /// The value that a global had when the function started.
    Unchanged,
    /// Nothing yet: `let x;`.
    Nothing,
}

impl Content {
    /// What was reported.
    pub(crate) const POISON: Self = Self::Leaf(ValueLeaf::Poison);

    /// The type, if it is a tensor.
    pub(crate) const fn tensor_type(&self) -> Option<&TensorType> {
        match self {
            Self::Leaf(ValueLeaf::Tensor(tensor)) => Some(&tensor.ty),
            _ => None,
        }
    }

    /// Whether it is a tensor, or is built from tensors: those of a branch or an iteration are gone after it.
    pub(crate) fn is_of_tensors(&self) -> bool {
        match self {
            Self::Leaf(ValueLeaf::Tensor(_)) => true,
            Self::Leaf(ValueLeaf::Deferred(deferred)) => deferred.meets_tensor(),
            _ => false,
        }
    }

    /// The truth value, if that is known.
    pub(crate) const fn truth(&self) -> Option<bool> {
        match self {
            Self::Leaf(ValueLeaf::Static(Static {
                value: Scalar::Bool(truth),
                ..
            })) => Some(*truth),
            _ => None,
        }
    }
}

impl State {
    /// What a slot holds.
    pub(crate) fn content(&self, slot: &Slot) -> Content {
        match slot {
            Slot::Global(global) => match self.globals.get(global.index()) {
                Some(stored) => Content::Leaf(ValueLeaf::Tensor(stored.value.clone())),
                None => Content::Unchanged,
            },
            Slot::Variable(id, leaf) => {
                let binding = self.scopes.at(id);
                match binding.and_then(|binding| binding.value.as_ref()) {
                    // Whatever its structure should have been.
                    Some(Value::Leaf(ValueLeaf::Poison)) => Content::POISON,
                    value => {
                        let leaf = value.and_then(|value| value.leaf(*leaf)).cloned();
                        leaf.map_or(Content::Nothing, Content::Leaf)
                    }
                }
            }
        }
    }

    /// Where a variable got its value.
    pub(crate) fn assigned_at(&self, id: &VariableId) -> SpanId {
        let binding = self.scopes.at(id);
        binding.map_or(SpanId::CALL_SITE, |binding| binding.assigned_at)
    }

    /// Where a slot got what it holds; `default` for what is no variable of the user.
    pub(crate) fn given_at(&self, slot: &Slot, default: SpanId) -> SpanId {
        match slot {
            Slot::Variable(id, _) if slot.is_visible() => self.assigned_at(id),
            _ => default,
        }
    }

    /// The value of a variable.
    fn value(&self, id: &VariableId) -> Option<Value> {
        self.scopes.at(id)?.value.clone()
    }

    /// The slots of a variable that has a value.
    pub(crate) fn slots(&self, id: &VariableId) -> Vec<Slot> {
        let count = self.value(id).map_or(0, |value| value.leaves().len());
        let slots = (0..count).map(|leaf| Slot::Variable(id.clone(), leaf));
        slots.collect()
    }

    /// The slots that hold something else than here, if the variables that exist here still have the same
    /// structure there; otherwise one that has not.
    pub(crate) fn changes(&self, after: &Self) -> Result<BTreeSet<Slot>, VariableId> {
        let mut slots = BTreeSet::new();
        for (id, binding, other) in self.scopes.differing(&after.scopes) {
            let other = other.and_then(|binding| binding.value.as_ref());
            match (&binding.value, other) {
                (Some(before), Some(after)) if before == after => {}
                // What was reported stays so.
                (Some(Value::Leaf(ValueLeaf::Poison)), Some(_)) => {}
                (Some(_), Some(Value::Leaf(ValueLeaf::Poison))) => slots.extend(self.slots(id)),
                (Some(before), Some(after)) => {
                    let (old, new) = (before.leaves(), after.leaves());
                    if !before.has_structure_of(after) {
                        return Err(id.clone());
                    }
                    let pairs = old.iter().zip(&new).enumerate();
                    let changed = pairs.filter(|(_, ((_, old), (_, new)))| old != new);
                    slots.extend(changed.map(|(leaf, _)| Slot::Variable(id.clone(), leaf)));
                }
                (None, Some(_)) => slots.extend(after.slots(id)),
                (_, None) => {}
            }
        }
        for (before, after) in self.globals.differing(&after.globals) {
            if let Some(after) = after
                && before.is_none_or(|before| before.value != after.value)
            {
                slots.insert(Slot::Global(after.access.global));
            }
        }
        Ok(slots)
    }
}

impl Tracer<'_> {
    /// The variables and globals as they are now.
    pub(crate) fn state(&self) -> State {
        State {
            scopes: self.frame.scopes.clone(),
            globals: self.builder.stored_globals().clone(),
        }
    }

    /// Makes variables and globals what they were. Loads of globals since then remain known.
    pub(crate) fn restore(&mut self, state: &State) {
        self.frame.scopes = state.scopes.clone();
        self.builder.restore_globals(&state.globals);
    }

    /// Puts something into a slot. A variable without a value gets its structure from where it has one.
    pub(crate) fn set_slot(
        &mut self,
        slot: &Slot,
        content: Content,
        known: [&State; 2],
        span: SpanId,
    ) {
        match (slot, content) {
            (Slot::Global(global), Content::Leaf(ValueLeaf::Tensor(tensor))) => {
                self.builder.store_global(*global, tensor, span);
            }
            (Slot::Variable(id, leaf), Content::Leaf(content)) => {
                let Some(binding) = self.frame.scopes.at_mut(id) else {
                    return;
                };
                if binding.value.is_none() {
                    binding.value = known.iter().find_map(|state| state.value(id));
                }
                let places = known.map(|state| state.assigned_at(id));
                let changed = places.into_iter().find(|at| *at != binding.assigned_at);
                binding.assigned_at = changed.unwrap_or(binding.assigned_at);
                let value = binding.value.as_mut();
                if let Some(place) = value.and_then(|value| value.leaf_mut(*leaf)) {
                    *place = content;
                }
            }
            _ => {}
        }
    }

    /// What a slot holds, as a tensor of a type, in the region that is open. `None` if that was reported
    /// to be impossible.
    pub(crate) fn content_tensor(
        &mut self,
        slot: Option<&Slot>,
        content: Content,
        ty: &TensorType,
        span: SpanId,
    ) -> Option<Tensor> {
        match content {
            Content::Leaf(ValueLeaf::Tensor(tensor)) if tensor.ty == *ty => Some(tensor),
            Content::Leaf(ValueLeaf::Tensor(tensor)) if tensor.adapts_to(ty) => {
                self.adapt(&tensor, ty.dtype, span)
            }
            Content::Leaf(ValueLeaf::Static(number)) if ty.shape.rank() == 0 => {
                self.constant(number, ty.dtype, &ty.shape, span)
            }
            Content::Leaf(ValueLeaf::Deferred(deferred)) => self.build_tensor(&deferred, ty),
            Content::Leaf(ValueLeaf::Poison) => None,
            Content::Unchanged => match slot {
                Some(Slot::Global(global)) => self.builder.load_global(*global, ty, span).ok(),
                _ => None,
            },
            Content::Nothing => self.any_tensor(ty, span),
            Content::Leaf(leaf) => {
                let found = Value::Leaf(leaf).ty();
                let name = slot.map_or("the value".to_owned(), slot_name);
                let message =
                    format!("{name} must keep its type here: expected `{ty}`, found `{found}`");
                self.error(Code::TypeMismatch, span, message);
                None
            }
        }
    }

    /// Reports what waits for its type among contents that tell no type; whether there was any.
    pub(crate) fn refuse_deferred(&mut self, contents: &[Content; 2]) -> bool {
        let waiting = contents.iter().find_map(|content| match content {
            Content::Leaf(ValueLeaf::Deferred(deferred)) => Some(Rc::clone(deferred)),
            _ => None,
        });
        if let Some(deferred) = &waiting {
            self.cannot_infer(deferred);
        }
        waiting.is_some()
    }

    /// A tensor that nobody reads.
    pub(crate) fn any_tensor(&mut self, ty: &TensorType, span: SpanId) -> Option<Tensor> {
        let number = match ty.dtype {
            iree_abi::DType::Bool => iree_dsl_ir::Scalar::Bool(false),
            _ => iree_dsl_ir::Scalar::Integer(0),
        };
        self.builder.splat(number, ty.dtype, &ty.shape, span).ok()
    }

    /// Reports a variable whose structure depends on what happens at run time.
    pub(crate) fn structure_changes(&mut self, name: &str, span: SpanId) {
        let message =
            format!("the structure of `{name}` must not depend on what happens at run time");
        let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
        self.report(diagnostic.help("give it the same type on every path"));
    }
}

/// A slot's name for messages.
pub(crate) fn slot_name(slot: &Slot) -> String {
    match slot {
        Slot::Variable(id, _) if slot.is_visible() => format!("the variable `{}`", id.name),
        Slot::Variable(..) => "the value".to_owned(),
        Slot::Global(_) => "the global".to_owned(),
    }
}
