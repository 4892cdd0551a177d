use super::{
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    index, opaque, reduce, types,
};
use iree_abi::{DType, DTypeClass, Dim, Shape, TensorType};
use iree_dialects::stablehlo::ComparisonDirection;
use iree_dsl_ir::{
    Scalar,
    op::{ArgSort, ReduceKind},
};

/// Counts for each element how many come before it, which is its place in the order, and writes its own
/// place there. Elements are integers in rising order: `legalize` expands all else.
///
/// IREE 3.13 can sort, but takes four times as long, exchanges equal elements, and mixes up the results of
/// several sorts of a function.
/// Defect `sort-exchanges-equal-elements`.
pub(super) fn lower_sort<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &ArgSort,
    operand: &Tensor<'c, 'b>,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    if op.descending || operand.ty.dtype.class() != DTypeClass::Signed {
        return Err(LowerCause::Lost("the expansion of an order"));
    }
    let rank = ty.shape.rank();
    let mut order: Vec<_> = (0..rank).filter(|axis| *axis != op.axis).collect();
    order.push(op.axis);
    let lines = index::transposed(emitter, operand, &order)?;
    let line_shape = lines.ty.shape.clone();
    let table = Lines::new(emitter, &lines)?;
    let places = emitter.reshape(&table.argsort()?, &line_shape)?;
    index::transposed(emitter, &places, &index::inverse(&order)?)
}

/// Keys, those of one line along the last of two axes.
struct Lines<'e, 'c, 'b> {
    emitter: &'e Emitter<'c, 'b>,
    keys: Tensor<'c, 'b>,
    length: Dim,
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
            keys: opaque::unfused(emitter, &keys)?,
            length: length.clone(),
        })
    }

    /// Where each element stands in the order of its line: behind all that are smaller, and behind those
    /// of its size before it.
    fn ranks(&self) -> Result<Tensor<'c, 'b>> {
        let e = self.emitter;
        let table = types::with_dtype(&self.keys.ty, DType::I32);
        let mut dims = table.shape.dims().to_vec();
        dims.push(self.length.clone());
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
        let table = types::with_dtype(&self.keys.ty, DType::I32);
        let extent = self.length.extent().ok_or(LowerCause::Lost("a size"))?;
        let length = e.number_of(&extent, &table)?;
        let start = e.multiply(&e.iota(&table, 0)?, &length)?;
        let to = index::listed(e, &e.add(&start, &self.ranks()?)?, 2)?;
        let from = index::listed(e, &e.iota(&table, 1)?, 2)?;
        let nothing = e.splat(Scalar::Integer(0), &from.ty)?;
        let written = index::combined(e, ReduceKind::Sum, [&nothing, &from, &to])?;
        e.reshape(&written, &table.shape)
    }
}
