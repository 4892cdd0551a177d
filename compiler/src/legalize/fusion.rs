//! What IREE must not fuse with what it is computed from, or what is computed from it.
//!
//! IREE 3.13 makes one dispatch of a tensor that is used more than once and of what uses it. With sizes
//! that are not known it cannot divide such a dispatch among workers if there is a reduction in it, or
//! needs a stack without bounds. So it also is with data tiling, if the factors of a product of matrices
//! are computed in the dispatch that packs them, and with concatenations, which it makes of their parts'
//! transposes: conversions to wider numbers it computes where they are used.
//!
//! Tensors of known sizes are fused as IREE likes, as long as they are not too many.

use super::{edits::Edits, program::Program};
use crate::legalize::alike::Alike;
use iree_abi::{DType, DTypeClass, TensorType};
use iree_dsl_ir::{
    Function, Linkage, Operation, OperationId, ValueId,
    op::{Effect, Iota, Op, ReduceKind, Structure},
};
use std::collections::{BTreeMap, BTreeSet};

/// The values of a function that IREE must compute before it uses them.
#[derive(Default)]
pub(super) struct Fusion {
    /// Those that are used by several, wherever they are used.
    separate: BTreeSet<ValueId>,
    /// Those that may be computed where they are used.
    fused: BTreeSet<ValueId>,
    /// Those of them that are computed of numbers made wider.
    widened: BTreeSet<ValueId>,
    /// Those that are put together from tensors, or indices, and parts of these.
    joined: BTreeSet<ValueId>,
}

/// What tensors become along the way of operations that are fused.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Reduced {
    #[default]
    Never,
    /// They are reduced along axes whose sizes are known.
    AlongKnown,
    /// They are reduced along an axis whose size is not known.
    AlongUnknown,
}

/// Something that uses a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum User {
    /// All operations that compute the same as the one that defines a value.
    Same(ValueId),
    /// One operation.
    Operation(OperationId),
    /// The end of a region.
    End,
}

#[derive(Default)]
struct Uses {
    users: BTreeSet<User>,
    reduced: Reduced,
    /// Whether it must be in memory for one of its users.
    stored: bool,
}

/// Puts barriers behind what several operations use.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, _, fusion) in program.fusions() {
        edits.within(id).apart.extend(&fusion.separate);
    }
}

impl Fusion {
    pub(super) fn of(function: &Function) -> Self {
        let is_unknown = |ty: &TensorType| ty.shape.known().is_none();
        let mut values = function.values.iter();
        if !values.any(|(_, value)| is_unknown(&value.ty)) {
            return Self::default();
        }
        let mut fused: BTreeSet<_> = computed(function).collect();
        fused.retain(|value| function.ty(*value).is_some_and(is_unknown));
        let numbers = numbers(function);
        fused.retain(|value| !numbers.contains(value));
        let alike = Alike::of(function, |op| is_fused(op) || is_number(op));
        let uses = uses(function, &alike);
        let reductions = reductions(function);
        let is_separate = |value: &ValueId| {
            let uses = uses.get(&alike.first(*value));
            uses.is_some_and(|uses| uses.needs_buffer(reductions.contains(value)))
        };
        let separate = fused.iter().copied().filter(is_separate);
        let separate: BTreeSet<_> = separate.collect();
        fused.retain(|value| !separate.contains(value));
        let mut widened = widened(function);
        widened.retain(|value| fused.contains(value));
        Self {
            separate,
            fused,
            widened,
            joined: joined(function, is_unknown),
        }
    }

    /// Whether a value must be computed before it is a factor of a product of matrices.
    pub(super) fn is_separate_factor(&self, value: ValueId) -> bool {
        self.fused.contains(&value) || self.joined.contains(&value)
    }

    /// Whether a value must be computed before it is a part of a concatenation along an axis.
    pub(super) fn is_separate_part(&self, value: ValueId, axis: usize) -> bool {
        match axis {
            // Along the first, parts are written where they belong. What is wider than what it was converted from, IREE
            // would convert there, all of it for each element.
            0 => self.widened.contains(&value),
            _ => self.fused.contains(&value),
        }
    }
}

impl Uses {
    fn add(&mut self, user: User, reduced: Reduced, stored: bool) {
        self.users.insert(user);
        self.reduced = self.reduced.max(reduced);
        self.stored |= stored;
    }

    /// A result of a reduction is in memory for its other users where one user is reduced: in such a dispatch, IREE 3.13
    /// adds to it several times.
    /// Defect `sum-is-added-again`.
    fn needs_buffer(&self, is_reduction: bool) -> bool {
        let reduced = match self.stored || is_reduction {
            true => Reduced::AlongKnown,
            false => Reduced::AlongUnknown,
        };
        self.users.len() > 1 && self.reduced >= reduced
    }
}

/// What IREE may compute where it is used. It puts other functions of the module in the place of their
/// calls.
fn computed(function: &Function) -> impl Iterator<Item = ValueId> {
    let operations = function.operations.iter();
    let operations = operations.filter(|(_, operation)| {
        let op = &operation.op;
        let is_joined = matches!(op, Op::Concatenate(_));
        let is_product = matches!(op, Op::DotGeneral(_));
        let is_fused = is_fused(op) || is_inlined(op);
        let is_written =
            is_converted(function, operation) || is_padded_in_parts(function, operation);
        is_fused || is_joined || is_product || is_written
    });
    let results = operations.flat_map(|(_, operation)| operation.results.iter());
    let parameters = match function.linkage {
        Linkage::Public => &[][..],
        Linkage::Private => &function.body.parameters,
    };
    results.chain(parameters).copied()
}

/// Whether an operation is computed with other numbers than those of its result, which they are converted to where that is used: with
/// more digits, or with a sign.
/// Defect `rounded-factor-is-packed-in-no-pieces`.
fn is_converted(function: &Function, operation: &Operation) -> bool {
    let Op::Cumulate(op) = &operation.op else {
        return false;
    };
    let result = operation.results.first();
    let dtype = result.and_then(|result| Some(function.ty(*result)?.dtype));
    match op.kind {
        ReduceKind::Sum | ReduceKind::Product => dtype == Some(DType::F32),
        _ => dtype.is_some_and(|dtype| dtype.class() == DTypeClass::Unsigned),
    }
}

/// Whether an operation pads numbers of 64 bits or more: but for real ones with zero around them, their bits or parts are padded and
/// put together again.
fn is_padded_in_parts(function: &Function, operation: &Operation) -> bool {
    let result = operation.results.first();
    let ty = result.and_then(|result| function.ty(*result));
    matches!(operation.op, Op::Pad(_)) && ty.is_some_and(|ty| ty.dtype.size() > 4)
}

/// The results of reductions.
fn reductions(function: &Function) -> BTreeSet<ValueId> {
    let operations = function.operations.iter();
    let reductions = operations.filter(|(_, it)| it.op.reduced_axes().is_some());
    let results = reductions.flat_map(|(_, operation)| &operation.results);
    results.copied().collect()
}

/// What is computed of conversions to wider numbers.
fn widened(function: &Function) -> BTreeSet<ValueId> {
    let mut widened = BTreeSet::new();
    for (_, operation) in function.operations.iter() {
        let mut operands = operation.operands.iter();
        let is_wide = operands.any(|operand| widened.contains(operand));
        if is_wide && is_fused(&operation.op) || widens(function, operation) {
            widened.extend(operation.results.iter().copied());
        }
    }
    widened
}

/// What is put together from tensors, indices along an axis, parts of both and other shapes. IREE 3.13 looks up their elements in one
/// list of all, which it cannot pack into tiles: `'affine.delinearize_index' op no basis element may be statically non-positive`.
fn joined(function: &Function, is_unknown: impl Fn(&TensorType) -> bool) -> BTreeSet<ValueId> {
    let mut joined = BTreeSet::new();
    for (_, operation) in function.operations.iter() {
        let is_part = matches!(
            operation.op,
            Op::DynamicSlice(_) | Op::Slice(_) | Op::Reshape(_) | Op::Transpose(_)
        );
        let whole = operation.operands.first();
        let is_matrix = |op: &Iota| op.ty.shape.rank() > 1;
        let is_joined = matches!(&operation.op, Op::Concatenate(_))
            || matches!(&operation.op, Op::Iota(op) if is_matrix(op))
            || is_part && whole.is_some_and(|whole| joined.contains(whole));
        if is_joined {
            joined.extend(operation.results.iter().copied());
        }
    }
    joined.retain(|value| function.ty(*value).is_some_and(&is_unknown));
    joined
}

fn widens(function: &Function, operation: &Operation) -> bool {
    let size = |value: &ValueId| match function.ty(*value)?.dtype {
        DType::Bool => Some(0),
        dtype => Some(dtype.size()),
    };
    let from = operation.operands.first().and_then(size);
    let to = operation.results.first().and_then(size);
    matches!(operation.op, Op::Convert(_)) && to > from
}

fn uses(function: &Function, alike: &Alike) -> BTreeMap<ValueId, Uses> {
    let mut all: BTreeMap<ValueId, Uses> = BTreeMap::new();
    let first = |value: &ValueId| alike.first(*value);
    let operations: Vec<_> = function.operations.iter().collect();
    let inner = operations.iter().flat_map(|(_, inner)| &inner.regions);
    for end in inner.flat_map(|region| &region.results) {
        all.entry(first(end))
            .or_default()
            .add(User::End, Reduced::Never, true);
    }
    let returned = match function.linkage {
        Linkage::Public => Reduced::Never,
        Linkage::Private => Reduced::AlongUnknown,
    };
    for end in &function.body.results {
        all.entry(first(end))
            .or_default()
            .add(User::End, returned, true);
    }
    for (id, operation) in operations.into_iter().rev() {
        let result = operation.results.first().map(first);
        let user = result.map_or(User::Operation(id), User::Same);
        let after = result.and_then(|result| all.get(&result));
        let after = after.map_or(Reduced::Never, |uses| uses.reduced);
        let (reduced, stored) = match (is_inlined(&operation.op), is_fused(&operation.op)) {
            (true, _) => (Reduced::AlongUnknown, true),
            (false, true) => (after.max(reduced_by(function, operation)), false),
            (false, false) => (Reduced::Never, true),
        };
        for operand in &operation.operands {
            let uses = all.entry(first(operand)).or_default();
            uses.add(user, reduced, stored);
            if let Op::ArgReduce(_) = operation.op {
                // It is lowered to two reductions.
                uses.add(User::Operation(id), reduced, stored);
            }
        }
    }
    all
}

fn reduced_by(function: &Function, operation: &Operation) -> Reduced {
    let Some(axes) = operation.op.reduced_axes() else {
        return Reduced::Never;
    };
    let operand = operation.operands.first();
    let dims = operand.and_then(|operand| function.ty(*operand));
    let dims = dims.map_or(&[][..], |ty| ty.shape.dims());
    let mut sizes = axes.iter().filter_map(|axis| dims.get(*axis));
    match sizes.all(|dim| dim.known().is_some()) {
        true => Reduced::AlongKnown,
        false => Reduced::AlongUnknown,
    }
}

/// What is computed of numbers alone, which IREE does where it is read.
fn numbers(function: &Function) -> BTreeSet<ValueId> {
    let mut numbers = BTreeSet::new();
    for (_, operation) in function.operations.iter() {
        let mut operands = operation.operands.iter();
        let is_of_numbers =
            is_fused(&operation.op) && operands.all(|operand| numbers.contains(operand));
        if is_number(&operation.op) || is_of_numbers {
            numbers.extend(operation.results.iter().copied());
        }
    }
    numbers
}

/// Whether it is a number that IREE has once, however often it is written: what is computed of it may be one value, too.
fn is_number(op: &Op) -> bool {
    let structure = op.structure();
    if let Structure::Constant(constant) = structure {
        return constant.ty.shape.rank() == 0;
    }
    matches!(structure, Structure::Size(_))
}

/// Whether IREE fuses an operation with others.
pub(crate) fn is_fused(op: &Op) -> bool {
    match op.structure() {
        Structure::Elementwise | Structure::Broadcast(_) => true,
        Structure::Reshape(_) | Structure::Transpose(_) | Structure::Reverse(_) => true,
        Structure::Slice(_) | Structure::Gather(_) => true,
        Structure::Reduction(_) | Structure::Extremum(_) => true,
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Window(_) | Structure::Update | Structure::Scatter(_) => false,
        Structure::Concatenate(_) | Structure::Pad(_) => false,
        Structure::ReduceWindow(_) | Structure::Convolution(_) | Structure::Contraction(_) => false,
        Structure::Scan(_)
        | Structure::Sort(_)
        | Structure::Transform
        | Structure::Factor
        | Structure::System(_) => false,
        Structure::Branches | Structure::Iterations | Structure::Effect => false,
    }
}

/// Whether IREE puts other operations in the place of one: those of a function or a text.
pub(super) fn is_inlined(op: &Op) -> bool {
    match op.effect() {
        Effect::Calls(_) | Effect::Foreign(_) => true,
        Effect::Pure | Effect::Reads(_) | Effect::Writes(_) | Effect::Regions => false,
        Effect::Shows(_) | Effect::Checks(_) | Effect::CallsHost(_) => false,
    }
}
