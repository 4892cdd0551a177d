use super::{
    contract::accumulator,
    convert,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, index, limits, network, opaque, reduce, types,
};
use crate::{
    ir::Scalar,
    op::{ArgSort, Cumulate, ReduceKind},
};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
use iree_dialects::{
    attributes,
    stablehlo::{self, attributes::ComparisonDirection},
};

/// The length from which on a sorting network is faster than to compare each element with all others.
const LONG: usize = 4096;

/// For short lines, counts for each element how many come before it, which is its place in the order, and
/// writes its own place there. Long lines go through a network.
///
/// IREE 3.13 can sort, but takes four times as long, exchanges equal elements, and mixes up the results of
/// several sorts of a function.
pub(super) fn lower_sort<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ArgSort,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let rank = ty.shape.rank();
    let mut order: Vec<_> = (0..rank).filter(|axis| *axis != op.axis).collect();
    order.push(op.axis);
    let lines = index::transposed(emitter, &keys(emitter, op.descending, operand)?, &order)?;
    let line_shape = lines.ty.shape.clone();
    let table = Lines::new(emitter, &lines)?;
    let places = emitter.reshape(&table.argsort()?, &line_shape)?;
    index::transposed(emitter, &places, &index::inverse(&order)?)
}

/// Integers with a sign in the order of the elements, NaN last.
fn keys<'c, 'b>(
    e: &Emitter<'c, 'b>,
    descending: bool,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let dtype = operand.dtype();
    let integers = match dtype.class() {
        DTypeClass::Bool => convert::lower(e, DType::I8, operand)?,
        DTypeClass::Float => float_keys(e, operand)?,
        _ => global::cast(e, operand.clone(), &types::stored(&operand.ty))?,
    };
    let keys = match dtype.class() {
        DTypeClass::Unsigned => {
            let highest = e.splat(limits::least(integers.dtype()), &integers.ty)?;
            e.xor(&integers, &highest)?
        }
        _ => integers,
    };
    let keys = if descending { e.not(&keys)? } else { keys };
    if dtype.class() != DTypeClass::Float {
        return Ok(keys);
    }
    let nan = e.compare(ComparisonDirection::NotEqual, operand, operand)?;
    let last = e.splat(limits::greatest(keys.dtype()), &keys.ty)?;
    e.select(&nan, &last, &keys)
}

/// The bits of floating-point numbers as integers with a sign are in order, but that negative ones fall.
fn float_keys<'c, 'b>(e: &Emitter<'c, 'b>, operand: &Tensor<'c, 'b>) -> Result<Tensor<'c, 'b>> {
    let integer = match operand.dtype().size() {
        2 => DType::I16,
        4 => DType::I32,
        _ => DType::I64,
    };
    let bits = e.bitcast_convert(operand, integer)?;
    let width = 8 * integer.size() as i128;
    let sign = e.splat(Scalar::Integer(width - 1), &bits.ty)?;
    let sign = e.shift_right_arithmetic(&bits, &sign)?;
    let others = e.splat(limits::greatest(integer), &bits.ty)?;
    let ordered = e.xor(&bits, &e.and(&sign, &others)?)?;
    // Both zeros are equal.
    let minus_zero = e.splat(Scalar::Integer(-1), &bits.ty)?;
    let zero = e.splat(Scalar::Integer(0), &bits.ty)?;
    let is_zero = e.compare(ComparisonDirection::Equal, &ordered, &minus_zero)?;
    e.select(&is_zero, &zero, &ordered)
}

/// Keys, those of one line along the last of two axes.
struct Lines<'e, 'c, 'b> {
    emitter: &'e Emitter<'c, 'b>,
    keys: Tensor<'c, 'b>,
    length: usize,
}

impl<'e, 'c, 'b> Lines<'e, 'c, 'b> {
    fn new(emitter: &'e Emitter<'c, 'b>, keys: &Tensor<'c, 'b>) -> Result<Self> {
        let lost = || LowerCause::Lost("a size");
        let (length, lines) = keys.ty.shape.dims().split_last().ok_or_else(lost)?;
        let count = Shape::new(lines.to_vec()).element_count();
        let count = count.and_then(Dim::from_extent).ok_or_else(lost)?;
        let table = Shape::new(vec![count, length.clone()]);
        let keys = emitter.reshape(keys, &table)?;
        Ok(Self {
            emitter,
            // They are read many times, and should not be computed as often.
            keys: opaque::barrier(emitter, &keys)?,
            length: length.known().ok_or_else(lost)?,
        })
    }

    /// Where each element stands in the order of its line: behind all that are smaller, and behind those
    /// of its size before it.
    fn ranks(&self) -> Result<Tensor<'c, 'b>> {
        let e = self.emitter;
        let table = types::with_dtype(&self.keys.ty, DType::I32);
        let mut dims = table.shape.dims().to_vec();
        dims.push(Dim::Static(self.length));
        let pairs = TensorType::new(DType::I32, Shape::new(dims));
        let own = e.broadcast(&self.keys, &pairs.shape, &[0, 1])?;
        let other = e.broadcast(&self.keys, &pairs.shape, &[0, 2])?;
        let smaller = e.compare(ComparisonDirection::Less, &other, &own)?;
        let equal = e.compare(ComparisonDirection::Equal, &other, &own)?;
        let (own, other) = (e.iota(&pairs, 1)?, e.iota(&pairs, 2)?);
        let earlier = e.compare(ComparisonDirection::Less, &other, &own)?;
        let before = e.or(&smaller, &e.and(&equal, &earlier)?)?;
        let one = e.splat(Scalar::Integer(1), &pairs)?;
        let zero = e.splat(Scalar::Integer(0), &pairs)?;
        let counted = e.select(&before, &one, &zero)?;
        reduce::reduce(e, ReduceKind::Sum, &counted, &[2], &table)
    }

    fn argsort(&self) -> Result<Tensor<'c, 'b>> {
        let e = self.emitter;
        if self.length > LONG && self.keys.ty.shape.known().is_some() {
            return network::argsort(e, &self.keys);
        }
        let table = types::with_dtype(&self.keys.ty, DType::I32);
        let length = e.splat(Scalar::Integer(self.length as i128), &table)?;
        let start = e.multiply(&e.iota(&table, 0)?, &length)?;
        let to = index::listed(e, &e.add(&start, &self.ranks()?)?, 2)?;
        let from = index::listed(e, &e.iota(&table, 1)?, 2)?;
        let nothing = e.splat(Scalar::Integer(0), &from.ty)?;
        let written = index::combined(e, ReduceKind::Sum, [&nothing, &from, &to])?;
        e.reshape(&written, &table.shape)
    }
}

/// A window that ends at each element and reaches beyond the first, which IREE makes one pass. Sums and
/// products of 16-bit numbers are kept as `f32` and rounded at the end.
pub(super) fn lower_cumulate<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Cumulate,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let narrow = operand.dtype();
    match narrow.class() {
        DTypeClass::Unsigned => return cumulate_unsigned(emitter, op, operand),
        DTypeClass::Bool => {
            // IREE packs them while it cumulates, and then mixes up their types.
            let numbers = convert::lower(emitter, DType::I8, operand)?;
            let numbers = cumulate(emitter, op, &numbers)?;
            return convert::lower(emitter, DType::Bool, &numbers);
        }
        _ => {}
    }
    let dtype = match op.kind {
        ReduceKind::Sum | ReduceKind::Product => accumulator(narrow),
        _ => narrow,
    };
    if dtype == narrow {
        return cumulate(emitter, op, operand);
    }
    let wide = cumulate(emitter, op, &emitter.convert(operand, dtype)?)?;
    emitter.convert(&wide, narrow)
}

/// IREE cannot do this with integers without a sign. Their bits with a sign have the same sums and
/// products, and with another highest bit the same order.
fn cumulate_unsigned<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Cumulate,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let bits = global::cast(emitter, operand.clone(), &types::stored(&operand.ty))?;
    let result = match op.kind {
        ReduceKind::Sum | ReduceKind::Product => cumulate(emitter, op, &bits)?,
        _ => {
            let highest = emitter.splat(limits::least(bits.dtype()), &bits.ty)?;
            let ordered = emitter.xor(&bits, &highest)?;
            emitter.xor(&cumulate(emitter, op, &ordered)?, &highest)?
        }
    };
    global::cast(emitter, result, &operand.ty)
}

fn cumulate<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Cumulate,
    operand: &Tensor<'c, 'b>,
) -> Result<Tensor<'c, 'b>> {
    let sizes = operand.ty.shape.known();
    let sizes = sizes.ok_or(LowerCause::Lost("a size"))?;
    let along = |axis: usize| axis == op.axis;
    let axes = sizes.iter().enumerate();
    let windows = axes
        .clone()
        .map(|(axis, size)| if along(axis) { *size } else { 1 });
    let before = axes.map(|(axis, size)| if along(axis) { *size as i64 - 1 } else { 0 });
    let padding: Vec<_> = before.map(|before| [before, 0]).collect();
    let element = types::scalar(operand.dtype());
    let init = emitter.splat(reduce::identity(op.kind, operand.dtype()), &element)?;
    let body = emitter.reducer(&element, |inner, lhs, rhs| {
        reduce::combine(inner, op.kind, lhs, rhs)
    })?;
    let results = stablehlo::ReduceWindowOperation::builder(emitter.context, emitter.location)
        .inputs(&[operand.value])
        .init_values(&[init.value])
        .window_dimensions(emitter.axes(&windows.collect::<Vec<_>>()))
        .padding(attributes::pairs(emitter.context, &padding)?)
        .body(body)
        .results(&[emitter.tensor_type(&operand.ty)?])
        .append_to(&emitter.block)?
        .results()?;
    let value = results.first().copied();
    Ok(Tensor {
        value: value.ok_or(LowerCause::Lost("the result of a window"))?,
        ty: operand.ty.clone(),
    })
}
