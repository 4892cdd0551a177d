//! Parts of cotangents. What is read at places adds into one buffer at these places, instead of a tensor of zeros for
//! each time that it is read.

use crate::{builder::Builder, error::Result};
use iree_abi::{Extent, TensorType};
use iree_dsl_ir::{
    ValueId,
    op::{DynamicSlice, Op, Pad, Scatter, ScatterKind, Slice},
};

/// A part of the cotangent of a value.
#[derive(Clone, Debug)]
pub(crate) enum Contribution {
    /// Of every element.
    Dense(ValueId),
    /// Of the elements of a slice.
    Slice(Slice, ValueId),
    /// Of the elements of a window.
    Window {
        starts: Vec<ValueId>,
        window: ValueId,
    },
    /// Of the elements at places, none of which is outside.
    Places {
        axes: Vec<usize>,
        places: Vec<ValueId>,
        elements: ValueId,
    },
}

impl Contribution {
    /// The sum of all parts of the cotangent of a value of a type.
    pub(crate) fn sum(builder: &mut Builder, parts: Vec<Self>, ty: &TensorType) -> Result<ValueId> {
        let is_dense = |part: &Self| matches!(part, Self::Dense(_));
        let (dense, sparse): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_dense);
        let mut sum = None;
        for part in dense.into_iter().chain(sparse) {
            sum = Some(part.add_to(builder, sum, ty)?);
        }
        builder.or_zeros(sum, ty)
    }

    fn add_to(
        self,
        builder: &mut Builder,
        sum: Option<ValueId>,
        ty: &TensorType,
    ) -> Result<ValueId> {
        match self {
            Self::Dense(value) => plus(builder, sum, value),
            Self::Slice(slice, value) => add_slice(builder, sum, &slice, value, ty),
            Self::Window { starts, window } => add_window(builder, sum, starts, window, ty),
            Self::Places {
                axes,
                places,
                elements,
            } => add_at(builder, sum, axes, places, elements, ty),
        }
    }
}

fn plus(builder: &mut Builder, sum: Option<ValueId>, value: ValueId) -> Result<ValueId> {
    match sum {
        Some(sum) => builder.add(sum, value),
        None => Ok(value),
    }
}

fn add_window(
    builder: &mut Builder,
    sum: Option<ValueId>,
    starts: Vec<ValueId>,
    window: ValueId,
    ty: &TensorType,
) -> Result<ValueId> {
    let sizes = builder.shape(window)?;
    let window = match sum {
        None => window,
        Some(sum) => {
            let operands = [&[sum], starts.as_slice()].concat();
            let old = builder.emit(Op::DynamicSlice(DynamicSlice { sizes }), &operands)?;
            builder.add(old, window)?
        }
    };
    let buffer = builder.or_zeros(sum, ty)?;
    let operands = [&[buffer, window], starts.as_slice()].concat();
    builder.emit(Op::DynamicUpdateSlice, &operands)
}

fn add_at(
    builder: &mut Builder,
    sum: Option<ValueId>,
    axes: Vec<usize>,
    places: Vec<ValueId>,
    elements: ValueId,
    ty: &TensorType,
) -> Result<ValueId> {
    let buffer = builder.or_zeros(sum, ty)?;
    let operands = [&[buffer, elements], places.as_slice()].concat();
    let kind = ScatterKind::Add;
    builder.emit(Op::Scatter(Scatter { kind, axes }), &operands)
}

fn add_slice(
    builder: &mut Builder,
    sum: Option<ValueId>,
    slice: &Slice,
    value: ValueId,
    ty: &TensorType,
) -> Result<ValueId> {
    let is_window = slice.stride.iter().all(|stride| *stride == 1);
    let found = builder.ty(value)?;
    match as_pad(slice, &found, ty) {
        Some(pad) if sum.is_none() || !is_window => {
            let padded = builder.pad(value, &pad, 0.0)?;
            plus(builder, sum, padded)
        }
        _ if is_window => {
            let mut starts = Vec::with_capacity(slice.start.len());
            for start in &slice.start {
                starts.push(builder.place(start)?);
            }
            add_window(builder, sum, starts, value, ty)
        }
        _ => {
            let places = places_of(builder, slice, &found)?;
            let axes = (0..places.len()).collect();
            add_at(builder, sum, axes, places, value, ty)
        }
    }
}

/// What puts the elements of a slice back to where they were, if that is known while building.
fn as_pad(slice: &Slice, part: &TensorType, whole: &TensorType) -> Option<Pad> {
    let mut pad = Pad {
        low: Vec::new(),
        high: Vec::new(),
        interior: Vec::new(),
    };
    let dims = part.shape.dims().iter().zip(whole.shape.dims());
    for ((part, whole), (start, stride)) in dims.zip(slice.start.iter().zip(&slice.stride)) {
        let interior = stride.checked_sub(1)?;
        if interior > 0 && part.known().is_none() {
            return None;
        }
        let behind = start.plus(&iree_dsl_ir::op::spread(part, interior)?)?;
        let high = whole.extent()?.minus(&behind)?;
        pad.low.push(i64::try_from(start.known()?).ok()?);
        pad.high.push(i64::try_from(high.known()?).ok()?);
        pad.interior.push(interior);
    }
    Some(pad)
}

/// The place of each element of a slice along each axis.
fn places_of(builder: &mut Builder, slice: &Slice, part: &TensorType) -> Result<Vec<ValueId>> {
    let mut places = Vec::new();
    let steps = slice.start.iter().zip(&slice.stride);
    for (axis, (start, stride)) in steps.enumerate() {
        let iota = builder.iota(&part.shape, axis)?;
        let stride = builder.place(&Extent::from(*stride))?;
        let stride = builder.broadcast(stride, &part.shape, Vec::new())?;
        let start = builder.place(start)?;
        let start = builder.broadcast(start, &part.shape, Vec::new())?;
        let steps = builder.multiply(iota, stride)?;
        places.push(builder.add(start, steps)?);
    }
    Ok(places)
}
