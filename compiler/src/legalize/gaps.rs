//! Lookups in parts of tensors that IREE reads in place.

use super::{edits::Edits, program::Program};
use iree_abi::Dim;
use iree_dsl_ir::{
    Function, Operation, ValueId,
    op::{Alias, Effect, Op, Structure},
};
use std::collections::BTreeSet;

/// Puts barriers before what looks up elements of parts with gaps, or hands them to who may.
pub(super) fn run(program: &Program<'_>, edits: &mut Edits) {
    for (id, function) in program.functions() {
        let with_gaps = parts_with_gaps(function);
        edits.within(id).read_apart(function, |operation, operand| {
            looks_up(&operation.op) && with_gaps.contains(&operand)
        });
        let results = function.body.results.iter().enumerate();
        let returned = results.filter(|(_, result)| with_gaps.contains(result));
        let returned = returned.map(|(position, _)| position);
        edits.within(id).returned.extend(returned);
    }
}

/// Whether an operation takes elements from where something says, or hands tensors to a function or a text, which may.
fn looks_up(op: &Op) -> bool {
    match op.structure() {
        Structure::Gather(_) | Structure::Reverse(_) => true,
        Structure::Effect => hands_out(op),
        Structure::Constant(_) | Structure::Index | Structure::Size(_) => false,
        Structure::Elementwise | Structure::Broadcast(_) | Structure::Reshape(_) => false,
        Structure::Transpose(_) | Structure::Slice(_) | Structure::Pad(_) => false,
        Structure::Window(_) | Structure::Update | Structure::Scatter(_) => false,
        Structure::Concatenate(_) | Structure::ReduceWindow(_) | Structure::Convolution(_) => false,
        Structure::Reduction(_) | Structure::Extremum(_) | Structure::Contraction(_) => false,
        Structure::Scan(_)
        | Structure::Sort(_)
        | Structure::Transform
        | Structure::Factor
        | Structure::System(_) => false,
        Structure::Branches | Structure::Iterations => false,
    }
}

/// Whether a function or a text reads the operands.
fn hands_out(op: &Op) -> bool {
    match op.effect() {
        Effect::Calls(_) | Effect::Foreign(_) | Effect::CallsHost(_) => true,
        Effect::Pure | Effect::Reads(_) | Effect::Writes(_) | Effect::Regions => false,
        Effect::Shows(_) | Effect::Checks(_) => false,
    }
}

/// The values of a function that are parts of tensors with gaps between elements that follow each other, and views of
/// them. IREE reads them in place, but cannot look up elements of what has gaps.
fn parts_with_gaps(function: &Function) -> BTreeSet<ValueId> {
    let mut gaps: BTreeSet<ValueId> = BTreeSet::new();
    for (_, operation) in function.operations.iter() {
        let mut operands = operation.operands.iter();
        let has_gaps = match &operation.op {
            Op::Slice(slice) => {
                let below = operands.any(|id| gaps.contains(id));
                below || leaves_gaps(function, operation, &slice.stride)
            }
            Op::DynamicSlice(_) => {
                let below = operation
                    .operands
                    .first()
                    .is_some_and(|id| gaps.contains(id));
                below || leaves_gaps(function, operation, &[])
            }
            op => {
                let is_view = op.alias() == Alias::View || reduces_none(function, operation);
                is_view && operands.all(|id| gaps.contains(id))
            }
        };
        if has_gaps {
            gaps.extend(&operation.results);
        }
    }
    gaps
}

/// Whether an operation reduces its operand along axes of one, and so leaves the elements as they are.
fn reduces_none(function: &Function, operation: &Operation) -> bool {
    let operand = operation.operands.first();
    let ty = operand.and_then(|operand| function.ty(*operand));
    let dim = |axis: &usize| ty.and_then(|ty| ty.shape.dims().get(*axis));
    let axes = operation.op.reduced_axes();
    axes.is_some_and(|axes| axes.iter().all(|axis| dim(axis).is_some_and(Dim::is_one)))
}

/// Whether a part skips elements along the last of its axes that has several, or along those behind it.
fn leaves_gaps(function: &Function, operation: &Operation, strides: &[usize]) -> bool {
    let dims = |value: Option<&ValueId>| {
        let ty = value.and_then(|value| function.ty(*value));
        ty.map_or(&[][..], |ty| ty.shape.dims())
    };
    let (whole, part) = (
        dims(operation.operands.first()),
        dims(operation.results.first()),
    );
    let Some(last) = part.iter().rposition(|dim| !dim.is_one()) else {
        return false;
    };
    let skips = strides.get(last).is_some_and(|stride| *stride > 1);
    let mut behind = whole.iter().skip(last + 1);
    skips || behind.any(|dim| !dim.is_one())
}
