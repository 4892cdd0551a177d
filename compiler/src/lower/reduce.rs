use super::{
    contract::accumulator,
    emit::{Emitter, Result, Tensor},
    opaque, types,
};
use crate::{
    ir::{Scalar, limits},
    op::{ArgReduce, ExtremumKind, Reduce, ReduceKind},
};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
use iree_dialects::stablehlo::attributes::ComparisonDirection;

/// Sums and products of 16-bit numbers are kept as `f32` and rounded at the end.
pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Reduce,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let narrow = operand.dtype();
    let dtype = combined_in(op.kind, narrow);
    if dtype == narrow {
        return reduce(emitter, op.kind, operand, &op.axes, ty);
    }
    let operand = emitter.convert(operand, dtype)?;
    let wide = types::with_dtype(ty, dtype);
    let result = reduce(emitter, op.kind, &operand, &op.axes, &wide)?;
    emitter.convert(&result, narrow)
}

/// The type in which numbers of a type are combined.
pub(super) fn combined_in(kind: ReduceKind, dtype: DType) -> DType {
    match kind {
        ReduceKind::Sum | ReduceKind::Product => accumulator(dtype),
        _ => dtype,
    }
}

pub(super) fn reduce<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    kind: ReduceKind,
    operand: &Tensor<'c, 'b>,
    axes: &[usize],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let dtype = operand.dtype();
    if !types::has_elements(&operand.ty) {
        return emitter.splat(limits::identity(kind, dtype), ty);
    }
    let mut dims = axes
        .iter()
        .filter_map(|axis| operand.ty.shape.dims().get(*axis));
    if ty.shape.known().is_some() && dims.all(|dim| *dim == Dim::Static(1)) {
        return emitter.reshape(operand, &ty.shape);
    }
    let init = emitter.splat(limits::identity(kind, dtype), &types::scalar(dtype))?;
    let once = |operand: &Tensor<'c, 'b>, axes: &[usize], ty: &TensorType| {
        emitter.reduce(operand, &init, axes, ty, |emitter, lhs, rhs| {
            combine(emitter, kind, lhs, rhs)
        })
    };
    match Parts::of(&operand.ty, axes) {
        Some(parts) => {
            let operand = emitter.reshape(operand, &parts.shape)?;
            let (first, rest) = parts.shape.dims().split_at(parts.axes);
            let of_parts = TensorType::new(dtype, Shape::new(first.into()));
            let inside: Vec<_> = (parts.axes..parts.axes + rest.len()).collect();
            let across: Vec<_> = (0..parts.axes).collect();
            once(&once(&operand, &inside, &of_parts)?, &across, ty)
        }
        None => once(operand, axes, ty),
    }
}

/// How all elements of a large tensor are reduced part by part: IREE reduces to a single number on a single
/// thread.
struct Parts {
    /// The shape with one axis in two, which IREE sees through: what computes the elements stays fused.
    shape: Shape,
    /// How many of the first axes number the parts.
    axes: usize,
}

impl Parts {
    fn of(ty: &TensorType, axes: &[usize]) -> Option<Self> {
        let sizes = ty.shape.known()?;
        let count: usize = sizes.iter().product();
        if axes.len() != sizes.len() || count < LARGE {
            return None;
        }
        let mut parts = 1;
        for (axis, size) in sizes.iter().enumerate() {
            if parts * size < MOST_PARTS {
                parts *= size;
                continue;
            }
            let mut numbers = (0..=MOST_PARTS.ilog2()).rev().map(|power| 1 << power);
            let split = numbers.find(|split| parts * split <= MOST_PARTS && size % split == 0)?;
            let (before, after) = (sizes.get(..axis)?, sizes.get(axis + 1..)?);
            let shape = [before, &[split, size / split], after].concat();
            return (parts * split > 1).then(|| Self {
                shape: Shape::new(shape.into_iter().map(Dim::Static).collect()),
                axes: axis + 1,
            });
        }
        None
    }
}

/// How many elements are reduced in parts. Fewer take less time than another dispatch.
const LARGE: usize = 1 << 17;

/// So that there is one for each thread.
const MOST_PARTS: usize = 64;

/// Two numbers as one.
pub(super) fn combine<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    kind: ReduceKind,
    lhs: &Tensor<'c, 'b>,
    rhs: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let is_bool = lhs.dtype() == DType::Bool;
    match kind {
        ReduceKind::Sum => emitter.add(lhs, rhs),
        ReduceKind::Product => emitter.multiply(lhs, rhs),
        ReduceKind::Maximum if is_bool => emitter.or(lhs, rhs),
        ReduceKind::Maximum => emitter.maximum(lhs, rhs),
        ReduceKind::Minimum if is_bool => emitter.and(lhs, rhs),
        ReduceKind::Minimum => emitter.minimum(lhs, rhs),
        ReduceKind::All => emitter.and(lhs, rhs),
        ReduceKind::Any => emitter.or(lhs, rhs),
    }
}

/// Finds the extremum first, then the first place that holds it: two plain reductions run faster than
/// one over pairs, which IREE does not vectorise.
pub(super) fn lower_arg<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ArgReduce,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let kind = match op.kind {
        ExtremumKind::Maximum => ReduceKind::Maximum,
        ExtremumKind::Minimum => ReduceKind::Minimum,
    };
    let operand = match operand.dtype() {
        // IREE computes what leads to it for each reduction anew, and leaves out roundings: nothing would
        // be equal to the extremum.
        DType::BF16 => &opaque::barrier(emitter, operand)?,
        _ => operand,
    };
    let extremum_type = types::with_dtype(ty, operand.dtype());
    let extremum = reduce(emitter, kind, operand, &[op.axis], &extremum_type)?;
    let kept: Vec<_> = (0..operand.ty.shape.rank())
        .filter(|axis| *axis != op.axis)
        .collect();
    let extremum = emitter.broadcast(&extremum, &operand.ty.shape, &kept)?;
    let mut here = emitter.compare(ComparisonDirection::Equal, operand, &extremum)?;
    if operand.dtype().class() == DTypeClass::Float {
        // If there is a NaN, it is the extremum, and equal to nothing.
        let nan = emitter.compare(ComparisonDirection::NotEqual, operand, operand)?;
        here = emitter.or(&here, &nan)?;
    }
    let index_type = types::with_dtype(&operand.ty, DType::I32);
    let index = emitter.iota(&index_type, op.axis)?;
    let elsewhere = emitter.splat(Scalar::Integer(i128::from(i32::MAX)), &index_type)?;
    let places = emitter.select(&here, &index, &elsewhere)?;
    reduce(emitter, ReduceKind::Minimum, &places, &[op.axis], ty)
}
