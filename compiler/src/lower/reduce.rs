use super::{
    Machine,
    contract::accumulator,
    convert,
    emit::{Emitter, Result, Tensor},
    long, signs, types,
};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
use iree_dialects::{
    melior::ir::operation::OperationResult,
    prelude::*,
    stablehlo::{self, ComparisonDirection},
};
use iree_dsl_ir::{
    Scalar, limits,
    op::{ArgReduce, ExtremumKind, Reduce, ReduceKind},
};

/// Sums and products of 16-bit numbers are kept as `f32`, those of many numbers as `f64`, and rounded at the end.
pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &Reduce,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    match op.kind {
        ReduceKind::Sum => sum(emitter, machine, operand, &op.axes, ty),
        ReduceKind::Product => accumulate(emitter, op.kind, operand, &op.axes, ty),
        _ => extremum(emitter, machine, op.kind, operand, &op.axes, ty),
    }
}

/// For GPUs 0 without the sum of what negatives are of: IREE 3.13 makes one operation of a sum and a negation, whose reduction
/// it refuses there. A negation instead would make -0 of a sum that is 0.
/// Defect `sum-of-negatives-on-gpus`.
fn sum<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    operand: &Tensor<'c, 'b>,
    axes: &[usize],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let is_exact = operand.dtype().is_integer();
    match negated(operand).filter(|_| machine.is_gpu && !is_exact) {
        Some(value) => {
            let operand = &Tensor {
                value,
                ty: operand.ty.clone(),
            };
            let sum = accumulate(emitter, ReduceKind::Sum, operand, axes, ty)?;
            let zero = emitter.splat(Scalar::zero(ty.dtype), ty)?;
            emitter.subtract(&zero, &sum)
        }
        None => accumulate(emitter, ReduceKind::Sum, operand, axes, ty),
    }
}

/// What a tensor is the negative of, if it is one.
fn negated<'c: 'b, 'b>(tensor: &Tensor<'c, 'b>) -> Option<Value<'c, 'b>> {
    let result = OperationResult::try_from(tensor.value).ok()?;
    let negation = stablehlo::NegateOperation::try_from(result.owner()).ok()?;
    negation.operand().ok()
}

/// Sums or products, without the error that numbers of the type would have if there are many.
pub(super) fn accumulate<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    kind: ReduceKind,
    operand: &Tensor<'c, 'b>,
    axes: &[usize],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if let Some(first) = first_of_rows(&operand.ty, axes) {
        let dims = operand.ty.shape.dims();
        let of_rows = Shape::new(dims.iter().take(first).cloned().collect());
        let of_rows = TensorType::new(accumulator(operand.dtype()), of_rows);
        let operand = convert::lower(emitter, of_rows.dtype, operand)?;
        let (before, rows): (Vec<_>, Vec<_>) = axes.iter().partition(|axis| **axis < first);
        let rows = accumulate(emitter, kind, &operand, &rows, &of_rows)?;
        let wide = types::with_dtype(ty, rows.dtype());
        let result = accumulate(emitter, kind, &rows, &before, &wide)?;
        return narrowed(emitter, &result, ty.dtype);
    }
    let dtype = match Parts::of(&operand.ty, axes) {
        Some(parts) if parts.are_short => accumulator(operand.dtype()),
        _ => long::combined_in(&operand.ty, axes),
    };
    let operand = widened(emitter, operand, dtype)?;
    let result = reduce(emitter, kind, &operand, axes, &types::with_dtype(ty, dtype))?;
    narrowed(emitter, &result, ty.dtype)
}

/// The same numbers in a type that holds more digits, or the same.
pub(super) fn widened<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    dtype: DType,
) -> Result<Tensor<'c, 'b>> {
    // LLVM has functions for longer ways, which are not there.
    let between = convert::lower(emitter, accumulator(operand.dtype()), operand)?;
    convert::lower(emitter, dtype, &between)
}

/// Numbers rounded to the type that they had before [`widened`].
pub(super) fn narrowed<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    dtype: DType,
) -> Result<Tensor<'c, 'b>> {
    let between = convert::lower(emitter, accumulator(dtype), operand)?;
    convert::lower(emitter, dtype, &between)
}

/// The first of the last axes, if it pays to reduce rows along these before the others: IREE does it in vectors and
/// on all threads if it knows how long they are, and all at once number by number.
fn first_of_rows(ty: &TensorType, axes: &[usize]) -> Option<usize> {
    let dims = ty.shape.dims();
    let is_row = |axis: &usize| {
        axes.contains(axis) && dims.get(*axis).is_some_and(|dim| dim.known().is_some())
    };
    let rank = dims.len();
    let first = rank - (0..rank).rev().take_while(is_row).count();
    let mut sizes = dims.iter().skip(first).map(Dim::known);
    let count = sizes.try_fold(1_usize, |count, size| count.checked_mul(size?))?;
    let is_among_others = axes.iter().any(|axis| *axis < first);
    (count >= LONG_ROW && is_among_others && ty.shape.known().is_none()).then_some(first)
}

/// Rows of so many elements are reduced on their own. With shorter ones, there would be many.
const LONG_ROW: usize = 256;

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
    if ty.shape.known().is_some() && dims.all(Dim::is_one) {
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
    /// Whether numbers of `f32` hold what each element of a part adds.
    are_short: bool,
}

impl Parts {
    fn of(ty: &TensorType, axes: &[usize]) -> Option<Self> {
        let sizes = ty.shape.known()?;
        let count: usize = sizes.iter().product();
        if axes.len() != sizes.len() || count < LARGE {
            return None;
        }
        let most = MOST_PARTS.max(count / long::MOST);
        let mut parts = 1;
        for (axis, size) in sizes.iter().enumerate() {
            if parts * size <= most {
                parts *= size;
                continue;
            }
            let split = (1..=most / parts).rev().find(|split| size % split == 0)?;
            let (before, after) = (sizes.get(..axis)?, sizes.get(axis + 1..)?);
            let shape = [before, &[split, size / split], after].concat();
            return (parts * split > 1).then(|| Self {
                shape: Shape::new(shape.into_iter().map(Dim::Static).collect()),
                axes: axis + 1,
                are_short: count / parts / split <= 4 * long::MOST,
            });
        }
        None
    }
}

/// How many elements are reduced in parts. Fewer take less time than another dispatch.
const LARGE: usize = 1 << 17;

/// So that there is one for each thread. There are more if the parts would be long.
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

/// A reduction that makes no new numbers. IREE 3.13 begins each on a GPU with the greatest or the least number of `i64`, cut to
/// the width of the type: that is right for `i64`, and for integers without a sign of up to 32 bits, and wrong for all others.
/// Defect `identity-of-integers-is-cut`.
fn extremum<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    kind: ReduceKind,
    operand: &Tensor<'c, 'b>,
    axes: &[usize],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let other = match operand.dtype() {
        DType::I8 if machine.is_gpu => DType::U8,
        DType::I16 if machine.is_gpu => DType::U16,
        DType::I32 if machine.is_gpu => DType::U32,
        DType::U64 if machine.is_gpu => DType::I64,
        _ => return reduce(emitter, kind, operand, axes, ty),
    };
    let operand = signs::exchanged(emitter, operand, other)?;
    let found = reduce(emitter, kind, &operand, axes, &types::with_dtype(ty, other))?;
    signs::exchanged(emitter, &found, ty.dtype)
}

/// Finds the extremum first, then the first place that holds it: two plain reductions run faster than
/// one over pairs, which IREE does not vectorise.
pub(super) fn lower_arg<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &ArgReduce,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let kind = match op.kind {
        ExtremumKind::Maximum => ReduceKind::Maximum,
        ExtremumKind::Minimum => ReduceKind::Minimum,
    };
    let extremum_type = types::with_dtype(ty, operand.dtype());
    let found = extremum(emitter, machine, kind, operand, &[op.axis], &extremum_type)?;
    let kept: Vec<_> = (0..operand.ty.shape.rank())
        .filter(|axis| *axis != op.axis)
        .collect();
    let found = emitter.broadcast(&found, &operand.ty.shape, &kept)?;
    let mut here = emitter.compare(ComparisonDirection::Equal, operand, &found)?;
    if operand.dtype().class() == DTypeClass::Float {
        // If there is a NaN, it is the extremum, and equal to nothing.
        let nan = emitter.compare(ComparisonDirection::NotEqual, operand, operand)?;
        here = emitter.or(&here, &nan)?;
    }
    let index_type = types::with_dtype(&operand.ty, DType::I32);
    let index = emitter.iota(&index_type, op.axis)?;
    let elsewhere = emitter.splat(Scalar::Integer(i128::from(i32::MAX)), &index_type)?;
    let places = emitter.select(&here, &index, &elsewhere)?;
    extremum(
        emitter,
        machine,
        ReduceKind::Minimum,
        &places,
        &[op.axis],
        ty,
    )
}
