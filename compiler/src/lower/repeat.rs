//! Tensors repeated to sizes that are known at the call only.
//!
//! IREE takes an axis whose size it does not know for one that may be repeated, unless it is told. It makes one
//! operation of two that follow each other, also where it puts a function in the place of its call, and then
//! forgets what it was told. So the two are made one here, or kept from following each other.

use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, types,
};
use iree_abi::{Dim, TensorType};
use iree_dialects::{func, melior::ir::operation::OperationResult, prelude::*, stablehlo};

type Broadcast<'c, 'b> = stablehlo::DynamicBroadcastInDimOperation<'c, 'b>;

/// The operand in the shape of a type, each of its axes along one of `axes`.
pub(super) fn to_sizes<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
    axes: &[usize],
) -> Result<Value<'c, 'b>> {
    let repetition = Repetition::new(operand, ty, axes);
    let (value, repetition) = match repetition_before(operand.value) {
        Some(before) => (
            before.operand()?,
            Repetition::of(&before)?.then(&repetition)?,
        ),
        None => (apart(emitter, operand)?.value, repetition),
    };
    let operation = Broadcast::builder(emitter.context, emitter.location)
        .operand(value)
        .output_dimensions(emitter.shape(&ty.shape)?)
        .broadcast_dimensions(emitter.axes(&repetition.axes))
        .known_expanding_dimensions(emitter.axes(&repetition.repeated))
        .known_nonexpanding_dimensions(emitter.axes(&repetition.kept))
        .result(emitter.tensor_type(ty)?)
        .append_to(&emitter.block)?;
    Ok(operation.result()?)
}

/// What makes a value, if it is a repetition that IREE would make one with the next.
fn repetition_before<'c, 'b>(value: Value<'c, 'b>) -> Option<Broadcast<'c, 'b>> {
    let result = OperationResult::try_from(value).ok()?;
    Broadcast::try_from(result.owner()).ok()
}

/// The same tensor, which IREE does not look behind if it may find a repetition in another function there.
fn apart<'c, 'b>(emitter: &Emitter<'c, 'b>, operand: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let is_from_call = match OperationResult::try_from(operand.value) {
        Ok(result) => func::CallOperation::try_from(result.owner()).is_ok(),
        Err(_) => true,
    };
    if !is_from_call || operand.ty.shape.known().is_some() {
        return Ok(operand.clone());
    }
    let stored = global::cast(emitter, operand.clone(), &types::stored(&operand.ty))?;
    global::cast(emitter, emitter.with_sizes(stored)?, &operand.ty)
}

/// How the axes of a tensor become those of another.
struct Repetition {
    /// For each axis of the operand that of the result.
    axes: Vec<usize>,
    /// The axes of the operand, of size 1, that are repeated.
    repeated: Vec<usize>,
    /// Those whose size stays.
    kept: Vec<usize>,
}

impl Repetition {
    fn new(operand: &Tensor<'_, '_>, ty: &TensorType, axes: &[usize]) -> Self {
        let dims = operand.ty.shape.dims().iter().zip(axes);
        let is_kept = |(dim, axis): (&Dim, &usize)| ty.shape.dims().get(*axis) == Some(dim);
        let all = dims.map(is_kept).enumerate();
        let (kept, repeated): (Vec<_>, Vec<_>) = all.partition(|(_, is_kept)| *is_kept);
        let numbers = |axes: Vec<(usize, bool)>| axes.into_iter().map(|(axis, _)| axis).collect();
        Self {
            axes: axes.to_vec(),
            repeated: numbers(repeated),
            kept: numbers(kept),
        }
    }

    fn of(operation: &Broadcast<'_, '_>) -> Result<Self> {
        Ok(Self {
            axes: numbers(Some(operation.broadcast_dimensions()?))?,
            repeated: numbers(operation.known_expanding_dimensions()?)?,
            kept: numbers(operation.known_nonexpanding_dimensions()?)?,
        })
    }

    /// What this one and another after it are together.
    fn then(&self, next: &Self) -> Result<Self> {
        let lost = || LowerCause::Lost("an axis of a repetition");
        let between = |axis: &usize| self.axes.get(*axis).ok_or_else(lost);
        let axes = self.axes.iter().map(|axis| next.axes.get(*axis).copied());
        let axes: Option<_> = axes.collect();
        let (mut repeated, mut kept) = (self.repeated.clone(), Vec::new());
        for axis in &self.kept {
            match next.kept.contains(between(axis)?) {
                true => kept.push(*axis),
                false => repeated.push(*axis),
            }
        }
        repeated.sort_unstable();
        Ok(Self {
            axes: axes.ok_or_else(lost)?,
            repeated,
            kept,
        })
    }
}

fn numbers(list: Option<DenseI64ArrayAttribute<'_>>) -> Result<Vec<usize>> {
    let lost = || LowerCause::Lost("an axis of a repetition");
    let list = list.ok_or_else(lost)?;
    let numbers = (0..list.len()).map(|index| {
        let number = list.element(index).map_err(|_| lost())?;
        usize::try_from(number).map_err(|_| lost())
    });
    numbers.collect()
}
