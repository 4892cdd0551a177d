//! What has to happen before a part of a tensor, or elements at places, are replaced in place.
//!
//! IREE 3.13 orders what it runs by what needs the result of what, and nothing needs the result of what only
//! has to read a tensor before it changes. So it may replace a part of a global, an argument, what a loop carries or what was computed
//! before something reads what was there, though that comes first in the program: a copy for another change, for
//! example. Of globals it copies nothing for what is read after the change, nor for a change that the global is not to see.

use super::{Buffers, Source, share};
use crate::legalize::decisions::updates::Updates;
use iree_dsl_ir::{
    Constant, ConstantData, GlobalId, Operation, OperationId, Scalar, ValueId,
    op::{Alias, Op, Structure, UnaryOp, Update},
};
use std::collections::BTreeSet;

/// For how many readers a change waits. One dispatch reads them all, and IREE loads none with more than 32 buffers.
/// Defect `dispatch-of-too-many-buffers`.
const MOST: usize = 16;

/// How a part of a tensor is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// What replaces the part.
    pub(crate) window: Window,
    /// Where the tensor is changed.
    pub(crate) whole: Whole,
}

/// What replaces a part of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    /// The window, perhaps computed where it belongs.
    AsItIs,
    /// The window, in memory before the tensor changes.
    Apart,
    /// A copy of the window, in a buffer of its own.
    Copied,
}

/// Where a tensor is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// In place, of what is changed: that may be a copy, of a tensor that is needed as it was.
    InPlace,
    /// In place, when these are computed, which read it and of which nobody knows that they have no elements.
    After(Vec<Reader>),
    /// In a copy.
    Copied,
}

/// A value that is computed of a tensor before that changes. Behind a barrier it is not computed again where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reader {
    /// The value.
    pub(crate) value: ValueId,
    /// Whether it gets a buffer of its own.
    pub(crate) is_own: bool,
    /// Whether it is computed anew behind the barrier. IREE 3.13 looks for the size of what is behind one where it comes to it
    /// first, and then takes it from there in all other blocks.
    pub(crate) is_anew: bool,
}

impl Buffers<'_> {
    /// How a part of a tensor is replaced by an operation.
    pub(in crate::legalize) fn change(
        &self,
        id: OperationId,
        operation: &Operation,
        updates: &Updates,
    ) -> Change {
        let whole = self.whole(id, operation, updates);
        Change {
            window: self.window(operation, &whole),
            whole,
        }
    }

    fn window(&self, operation: &Operation, whole: &Whole) -> Window {
        if operation.op.alias() != Alias::InPlace(Update::Window) {
            Window::AsItIs
        } else if self.is_from_same(operation) || self.is_together(operation) {
            Window::Copied
        } else if *whole != Whole::Copied && self.is_of_elsewhere(operation) {
            Window::Apart
        } else {
            Window::AsItIs
        }
    }

    fn whole(&self, id: OperationId, operation: &Operation, updates: &Updates) -> Whole {
        let Some(whole) = operation.operands.first() else {
            return Whole::InPlace;
        };
        if operation.op.alias() == Alias::InPlace(Update::Elements)
            && !self.may_be_read_beside(id, *whole)
        {
            return Whole::InPlace;
        }
        let sources = self.all(&[*whole]);
        let mut globals = sources.iter().filter_map(Source::global).peekable();
        let is_of_global = globals.peek().is_some();
        if is_of_global {
            let is_lost = globals.any(|global| !self.reaches(operation, global));
            if is_lost || self.is_read_later(id, *whole) {
                return Whole::Copied;
            }
        }
        if self.is_kept(*whole, id) {
            return Whole::InPlace;
        }
        let readers = self.readers(id, *whole);
        let places = self.places();
        let is_beside = |reader: &ValueId| {
            let is_empty = self.size(*reader) == Some(0);
            !is_empty && places.is_beside(*reader, id)
        };
        let (beside, others): (Vec<_>, Vec<_>) = readers.into_iter().partition(is_beside);
        let is_given = || is_of_global || !self.arguments(*whole).is_empty();
        match (beside.is_empty(), others.is_empty()) {
            (_, false) if is_given() => Whole::Copied,
            (true, _) => Whole::InPlace,
            (false, _) if beside.len() > MOST => Whole::Copied,
            (false, _) => {
                let readers = beside.into_iter();
                let readers = readers.map(|value| self.reader(id, value, updates));
                Whole::After(readers.collect())
            }
        }
    }

    /// Whether a tensor of which elements are replaced may be read at the same time. What is submitted together is in order.
    fn may_be_read_beside(&self, id: OperationId, whole: ValueId) -> bool {
        let mut values = self.one_with(whole).into_iter();
        !self.constants.contains(&whole) && values.any(|value| self.uses.is_cut(value, id))
    }

    /// A value, and those that are computed alike. Constants are filled in for each that changes them.
    pub(super) fn one_with(&self, value: ValueId) -> Vec<ValueId> {
        match self.constants.contains(&value) {
            true => vec![value],
            false => self.alike().all(value),
        }
    }

    fn reader(&self, id: OperationId, value: ValueId, updates: &Updates) -> Reader {
        Reader {
            value,
            is_own: self.is_used_after(value, id) && self.is_changed(value, updates),
            is_anew: self.places().is_used_in_several_regions(value),
        }
    }

    /// What is computed of a tensor before an operation and used after it, or elsewhere, or of one that is computed alike.
    fn readers(&self, id: OperationId, whole: ValueId) -> Vec<ValueId> {
        let places = self.places();
        let mut readers = BTreeSet::new();
        let mut pending = self.one_with(whole);
        let alike: BTreeSet<_> = pending.iter().copied().collect();
        let mut seen = alike.clone();
        while let Some(value) = pending.pop() {
            for user in places.users(value) {
                let Some(user) = places.seen_from(id, *user) else {
                    continue;
                };
                if !self.uses.is_before(user, id) {
                    continue;
                }
                let user = self.function.operations.get(user);
                let results = user.map_or(&[][..], |user| &user.results);
                if results.is_empty() {
                    readers.insert(value);
                }
                let more = results.iter().filter(|result| seen.insert(**result));
                pending.extend(more);
            }
        }
        let used_later = seen.difference(&alike).copied();
        readers.extend(used_later.filter(|value| {
            let span = self.uses.spans([*value]);
            self.uses.outlive(&span, id)
        }));
        readers.into_iter().collect()
    }

    /// Whether a window that replaces a part of a tensor is a part of the same tensor, which IREE would
    /// copy within one buffer, wherever the two overlap.
    fn is_from_same(&self, operation: &Operation) -> bool {
        let [whole, window, ..] = operation.operands.as_slice() else {
            return false;
        };
        self.is_moved(*window) && share(&self.all(&[*whole]), &self.all(&[*window]))
    }

    /// Whether a value is a part of another, perhaps in another order, with nothing computed, or nothing that IREE leaves.
    pub(super) fn is_moved(&self, value: ValueId) -> bool {
        let Some(maker) = self.maker(value) else {
            return false;
        };
        let mut operands = maker.operands.iter();
        match maker.op.structure() {
            Structure::Slice(_) | Structure::Window(_) => true,
            Structure::Reshape(_) | Structure::Transpose(_) => {
                operands.any(|operand| self.is_moved(*operand))
            }
            Structure::Broadcast(_) | Structure::Concatenate(_) => {
                operands.any(|operand| self.is_moved(*operand))
            }
            Structure::Elementwise if maker.op == Op::Unary(UnaryOp::Barrier) => {
                operands.any(|operand| self.is_moved(*operand))
            }
            Structure::Elementwise => {
                self.may_be_left_out(maker) && operands.any(|operand| self.is_moved(*operand))
            }
            Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
            Structure::Reverse(_) | Structure::Gather(_) | Structure::Scatter(_) => false,
            Structure::Update
            | Structure::Pad(_)
            | Structure::Transform
            | Structure::Factor
            | Structure::System(_) => false,
            Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => false,
            Structure::ReduceWindow(_) | Structure::Convolution(_) => false,
            Structure::Scan(_) | Structure::Sort(_) => false,
            Structure::Branches | Structure::Iterations | Structure::Effect => false,
        }
    }

    /// Whether IREE may see that an operation changes nothing.
    pub(super) fn may_be_left_out(&self, operation: &Operation) -> bool {
        let mut operands = operation.operands.iter();
        matches!(operation.op, Op::Binary(_)) && operands.any(|operand| self.is_neutral(*operand))
    }

    /// Whether a value is zero everywhere, or one, with which IREE may see that an operation changes nothing.
    pub(super) fn is_neutral(&self, value: ValueId) -> bool {
        let Some(maker) = self.maker(value) else {
            return false;
        };
        let mut operands = maker.operands.iter();
        let is_repeated = matches!(
            maker.op.structure(),
            Structure::Broadcast(_) | Structure::Reshape(_)
        ) || maker.op == Op::Unary(UnaryOp::Barrier);
        if let Op::Constant(constant) = &maker.op {
            is_neutral(constant)
        } else if is_repeated || matches!(maker.op, Op::Convert(_)) {
            operands.any(|operand| self.is_neutral(*operand))
        } else {
            false
        }
    }

    pub(super) fn maker(&self, value: ValueId) -> Option<&Operation> {
        let maker = self.places().maker(value)?;
        self.function.operations.get(maker)
    }

    /// Whether what an operation makes of a part of a global becomes its value.
    fn reaches(&self, operation: &Operation, global: GlobalId) -> bool {
        let kept = self.kept();
        let mut results = operation.results.iter();
        if results.any(|result| kept.is_stored(*result, global)) {
            return true;
        }
        // A loop or a region may hand it on.
        let mut results = operation.results.iter();
        let is_handed_on = results.any(|result| kept.is_handed_on(*result));
        (is_handed_on || !self.places().is_at_top(operation))
            && self.is_stored_in(Source::Global(global), global)
    }
}

/// Whether a constant is zero everywhere, or one.
fn is_neutral(constant: &Constant) -> bool {
    let ConstantData::Splat(element) = &constant.data else {
        return false;
    };
    let mut numbers = [0, 1].into_iter().map(Scalar::Integer);
    numbers.any(|number| number.encode(constant.ty.dtype).as_ref() == Ok(element))
}
