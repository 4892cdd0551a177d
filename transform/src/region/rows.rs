//! Values along a new first axis: one for each iteration.

use crate::{
    builder::{Builder, with_first},
    error::Result,
};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{DynamicSlice, Op},
};

/// The type of as many values of a type.
pub(super) fn stacked(ty: &TensorType, count: Dim) -> TensorType {
    TensorType::new(ty.dtype, with_first(count, &ty.shape))
}

/// The value at a place, which has this type.
pub(super) fn read(
    builder: &mut Builder,
    stack: ValueId,
    place: ValueId,
    ty: &TensorType,
) -> Result<ValueId> {
    let sizes = with_first(Dim::Static(1), &ty.shape);
    let row = row(builder, stack, place, sizes)?;
    builder.reshape(row, &ty.shape)
}

/// The value at a place along a first axis of one, of these sizes.
pub(super) fn row(
    builder: &mut Builder,
    stack: ValueId,
    place: ValueId,
    sizes: Shape,
) -> Result<ValueId> {
    let starts = starts(builder, place, sizes.rank())?;
    let operands = [&[stack], starts.as_slice()].concat();
    builder.emit(Op::DynamicSlice(DynamicSlice { sizes }), &operands)
}

/// The values with another one at a place.
pub(super) fn write(
    builder: &mut Builder,
    stack: ValueId,
    place: ValueId,
    value: ValueId,
) -> Result<ValueId> {
    let row = with_first(Dim::Static(1), &builder.shape(value)?);
    let row = builder.reshape(value, &row)?;
    let starts = starts(builder, place, builder.shape(row)?.rank())?;
    let operands = [&[stack, row], starts.as_slice()].concat();
    builder.emit(Op::DynamicUpdateSlice, &operands)
}

fn starts(builder: &mut Builder, place: ValueId, rank: usize) -> Result<Vec<ValueId>> {
    let place = builder.convert(place, DType::I32)?;
    let zero = builder.splat_like(0.0, place)?;
    let starts = std::iter::once(place).chain(std::iter::repeat(zero));
    Ok(starts.take(rank).collect())
}
