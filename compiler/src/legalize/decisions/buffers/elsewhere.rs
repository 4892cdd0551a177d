//! Parts of tensors that are replaced by what is computed of other places of the same tensors.
//!
//! IREE 3.13 has the dispatch that computes such a part write it to its place, though it still reads the tensor there. What it reads at
//! a place that it writes afterwards is right, so that what changes element by element is left as it is.
//! Defect `part-is-computed-of-what-it-replaces`.

use super::Buffers;
use iree_abi::Extent;
use iree_dsl_ir::{
    GlobalId, Operation, ValueId,
    op::{Alias, Op, Structure, UnaryOp, Update},
};
use std::collections::BTreeSet;

/// A tensor of which a part is replaced: values that are in its buffer, and the globals that these were read from.
#[derive(Default)]
struct Target {
    values: BTreeSet<ValueId>,
    globals: BTreeSet<GlobalId>,
}

/// What a part is computed of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Read {
    value: ValueId,
    /// Whether each element of the part is computed of one element of it, the one in the same order.
    is_in_order: bool,
}

/// Where something is along an axis.
#[derive(PartialEq, Eq)]
enum Start {
    Known(Extent),
    Computed(ValueId),
}

impl Buffers<'_> {
    /// Whether what replaces a part of a tensor may be computed, in one dispatch, of other places of the same tensor.
    pub(super) fn is_of_elsewhere(&self, operation: &Operation) -> bool {
        let [whole, window, starts @ ..] = operation.operands.as_slice() else {
            return false;
        };
        let target = self.target(*whole);
        let mut pending = vec![Read {
            value: *window,
            is_in_order: true,
        }];
        let mut seen = BTreeSet::new();
        while let Some(read) = pending.pop() {
            if !seen.insert(read) {
                continue;
            }
            if self.is_in(&target, read.value) {
                return true;
            }
            let Some(maker) = self.maker(read.value) else {
                continue;
            };
            let shape = |value| self.function.ty(value).map(|ty| &ty.shape);
            let is_same_place = read.is_in_order
                && shape(read.value) == shape(*window)
                && self.is_at(maker, starts)
                && maker
                    .operands
                    .first()
                    .is_some_and(|of| self.is_in(&target, *of));
            if is_same_place {
                continue;
            }
            if let Some(keeps_order) = self.computes_with(maker) {
                let is_in_order = read.is_in_order && keeps_order;
                pending.extend(maker.operands.iter().map(|value| Read {
                    value: *value,
                    is_in_order,
                }));
            }
        }
        false
    }

    /// What may be in the buffer of a tensor that changes.
    fn target(&self, whole: ValueId) -> Target {
        let mut target = Target::default();
        let mut pending = self.one_with(whole);
        while let Some(value) = pending.pop() {
            if !target.values.insert(value) {
                continue;
            }
            let Some(maker) = self.maker(value) else {
                continue;
            };
            if let Alias::Global(load) = maker.op.alias() {
                target.globals.insert(load.global);
            }
            let shown = self.same_buffer(maker);
            pending.extend(shown.into_iter().flat_map(|shown| self.one_with(shown)));
        }
        target
    }

    /// The operand that has the buffer of the result.
    fn same_buffer(&self, maker: &Operation) -> Option<ValueId> {
        let mut operands = maker.operands.iter().copied();
        let is_view = matches!(maker.op.structure(), Structure::Reshape(_))
            || maker.op == Op::Unary(UnaryOp::Barrier);
        if is_view || self.may_be_left_out(maker) {
            return operands.find(|operand| !self.is_neutral(*operand));
        }
        match maker.op.alias() {
            Alias::InPlace(Update::Window | Update::Elements) => operands.next(),
            Alias::New | Alias::Constant | Alias::View | Alias::Operands { .. } => None,
            Alias::Global(_) | Alias::Branches | Alias::Iterations | Alias::NoResults => None,
            Alias::Callee(_) | Alias::Foreign => None,
        }
    }

    fn is_in(&self, target: &Target, value: ValueId) -> bool {
        let is_read = || {
            let alias = self.maker(value).map(|maker| maker.op.alias());
            matches!(alias, Some(Alias::Global(load)) if target.globals.contains(&load.global))
        };
        target.values.contains(&value) || is_read()
    }

    /// Whether an operation may compute its result of its operands in a dispatch with what reads it, and if so, whether each element
    /// of one element in the same order.
    fn computes_with(&self, maker: &Operation) -> Option<bool> {
        let mut operands = maker.operands.iter();
        match maker.op.structure() {
            Structure::Elementwise if maker.op == Op::Unary(UnaryOp::Barrier) => {
                // A view is no memory of its own.
                let is_view = operands.any(|operand| self.is_moved(*operand));
                is_view.then_some(true)
            }
            Structure::Elementwise | Structure::Reshape(_) => Some(true),
            Structure::Constant(_) | Structure::Index | Structure::Size(_) => None,
            Structure::Branches | Structure::Iterations => None,
            Structure::Update => None,
            Structure::Broadcast(_) | Structure::Transpose(_) | Structure::Reverse(_) => {
                Some(false)
            }
            Structure::Slice(_) | Structure::Window(_) | Structure::Concatenate(_) => Some(false),
            Structure::Pad(_) | Structure::Gather(_) | Structure::Scatter(_) => Some(false),
            Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => {
                Some(false)
            }
            Structure::ReduceWindow(_) | Structure::Convolution(_) => Some(false),
            Structure::Scan(_) | Structure::Sort(_) | Structure::Transform => Some(false),
            Structure::Factor | Structure::System(_) | Structure::Effect => Some(false),
        }
    }

    /// Whether an operation reads a part of a tensor at these places.
    fn is_at(&self, maker: &Operation, starts: &[ValueId]) -> bool {
        let starts = || starts.iter().map(|start| self.start(*start));
        let structure = maker.op.structure();
        if let Structure::Slice(slice) = structure {
            let read = slice.start.iter().cloned().map(Start::Known);
            return slice.stride.iter().all(|step| *step == 1) && read.eq(starts());
        }
        let read = maker.operands.iter().skip(1);
        matches!(structure, Structure::Window(_))
            && read.map(|start| self.start(*start)).eq(starts())
    }

    fn start(&self, value: ValueId) -> Start {
        let op = self.maker(value).map(|maker| &maker.op);
        if let Some(Op::Size(size)) = op {
            return Start::Known(size.extent.clone());
        }
        if let Some(Op::Constant(constant)) = op
            && let Some(known) = constant.as_integer()
        {
            return Start::Known(Extent::constant(known));
        }
        Start::Computed(self.alike().first(value))
    }
}
