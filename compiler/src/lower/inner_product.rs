//! Products inside of dispatches, as loops over vectors.
//!
//! Of a contraction in a loop that one dispatch runs IREE would make a loop with one number at a time. Where the last axis of a
//! factor is one of the result, the sums along it are added up side by side; where the last axes of both are summed up, so are
//! parts of each sum.

use super::{
    contained,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, opaque, types,
    vm::Vm,
};
use iree_abi::{DType, DTypeClass, TensorType};
use iree_dialects::{
    arith, attributes,
    prelude::*,
    scf, tensor,
    vector::{self, CombiningKind},
};
use iree_dsl_ir::op::{Consecutive, DotGeneral};
use std::fmt::Display;

/// The bytes of the sums that are added up side by side: a few registers.
const BYTES: usize = 256;

/// Multiplies and adds up.
pub(super) fn lower<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &DotGeneral,
    (lhs, rhs): (&Tensor<'c, 'b>, &Tensor<'c, 'b>),
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let stored = |tensor: &Tensor<'c, 'b>| {
        let stored = types::stored(&tensor.ty);
        global::cast(emitter, tensor.clone(), &stored)
    };
    let product = Product::of(
        emitter,
        op,
        [stored(lhs)?, stored(rhs)?],
        &types::stored(ty),
    )?;
    let sums = product.append(emitter)?;
    global::cast(emitter, sums, ty)
}

/// Where the index along an axis of a factor comes from.
#[derive(Clone, Copy)]
enum Index {
    /// An axis of the result.
    Result(usize),
    /// A pair of axes that are summed up.
    Summed(usize),
}

struct Factor<'c, 'b> {
    value: Value<'c, 'b>,
    axes: Vec<Index>,
}

struct Product<'c, 'b> {
    factors: [Factor<'c, 'b>; 2],
    /// The result.
    ty: TensorType,
    sizes: Vec<usize>,
    /// The sizes that are summed up.
    summed: Vec<usize>,
    along: Consecutive,
    element: Type<'c>,
}

/// Vectors of which a sum is made.
#[derive(Clone, Copy)]
struct Part {
    /// The index along the axis at which numbers are read.
    start: usize,
    /// How many numbers a vector has.
    width: usize,
    /// How many vectors follow each other, of [`Consecutive::Summed`].
    count: usize,
}

impl<'c, 'b> Product<'c, 'b> {
    fn of(
        emitter: &Emitter<'c, 'b>,
        op: &DotGeneral,
        [lhs, rhs]: [Tensor<'c, 'b>; 2],
        ty: &TensorType,
    ) -> Result<Self> {
        let known = |ty: &TensorType| ty.shape.known().ok_or(LowerCause::Lost("a size"));
        let (sizes, of_lhs) = (known(ty)?, known(&lhs.ty)?);
        let mut free = op.batch.0.len()..;
        let mut axes = |rank: usize, batch: &[usize], summed: &[usize]| -> Vec<Index> {
            let axes = (0..rank).map(|axis| {
                let at = |axes: &[usize]| axes.iter().position(|it| *it == axis);
                let summed = at(summed).map(Index::Summed);
                let mut kept = || at(batch).or_else(|| free.next()).unwrap_or_default();
                summed.unwrap_or_else(|| Index::Result(kept()))
            });
            axes.collect()
        };
        let axes = [
            axes(lhs.ty.shape.rank(), &op.batch.0, &op.contract.0),
            axes(rhs.ty.shape.rank(), &op.batch.1, &op.contract.1),
        ];
        let summed = op.contract.0.iter();
        let summed: Vec<_> = summed
            .filter_map(|axis| of_lhs.get(*axis).copied())
            .collect();
        let along = op.consecutive(lhs.ty.shape.rank(), rhs.ty.shape.rank());
        let [first, second] = axes;
        Ok(Self {
            factors: [(lhs, first), (rhs, second)].map(|(tensor, axes)| Factor {
                value: tensor.value,
                axes,
            }),
            ty: ty.clone(),
            sizes,
            summed,
            along,
            element: types::element(emitter.context, ty.dtype)?,
        })
    }

    fn vector_type(&self, width: usize) -> Type<'c> {
        Type::vector(&[width as u64], self.element)
    }

    fn widest(&self) -> usize {
        (BYTES / self.ty.dtype.size()).max(1)
    }

    /// The parts of the axis that numbers are read along, each of a power of two, since code for others is slow. Those of the result may
    /// overlap: what is computed twice is the same.
    fn parts(&self) -> Vec<Part> {
        let size = match self.along {
            Consecutive::Result => self.sizes.last().copied().unwrap_or(1),
            Consecutive::Summed => self.summed.last().copied().unwrap_or(1),
            Consecutive::Nothing => 1,
        };
        let mut parts = Vec::new();
        let mut start = 0;
        while start < size {
            let overlaps = self.along == Consecutive::Result;
            let rest = if overlaps { size } else { size - start };
            let width = power_of_two(rest.min(self.widest()));
            let count = if overlaps { 1 } else { rest / width };
            let part = Part {
                start: start.min(size - width),
                width,
                count,
            };
            start = part.start + width * count;
            parts.push(part);
        }
        parts
    }

    /// The result, one row after the other: all that has the same index along all axes but the one that numbers are read along.
    fn append(&self, emitter: &Emitter<'c, 'b>) -> Result<Tensor<'c, 'b>> {
        let rows = match self.along {
            Consecutive::Result => self.sizes.split_last().map_or(&[][..], |(_, rows)| rows),
            Consecutive::Summed | Consecutive::Nothing => &self.sizes,
        };
        let empty = opaque::kept(emitter, emitter.tensor_type(&self.ty)?)?;
        let count = rows.iter().product();
        let region = Region::new();
        {
            let inside = block(
                emitter,
                &region,
                &[Type::index(emitter.context), empty.r#type()],
            );
            let [row, sums] = arguments(&inside)?;
            let row = indices(&inside, row, rows)?;
            let value = match self.along {
                Consecutive::Result => self.side_by_side(&inside, &row, sums)?,
                Consecutive::Summed | Consecutive::Nothing => self.one(&inside, &row, sums)?,
            };
            contained::yielded(&inside, &[value])?;
        }
        let value = repeated(emitter, count, empty, region)?;
        let ty = self.ty.clone();
        Ok(Tensor { value, ty })
    }

    /// The sums of a row, written into a tensor.
    fn side_by_side<'i>(
        &self,
        emitter: &Emitter<'c, 'i>,
        row: &[Value<'c, 'i>],
        mut sums: Value<'c, 'i>,
    ) -> Result<Value<'c, 'i>>
    where
        'b: 'i,
    {
        for part in self.parts() {
            let vector = self.sum(emitter, row, part)?;
            let start = index(emitter, part.start)?;
            let written =
                vector::TransferWriteOperation::builder(emitter.context, emitter.location)
                    .value_to_store(vector)
                    .base(sums)
                    .indices(&[row, &[start]].concat())
                    .permutation_map(last_axis(emitter, row.len() + 1)?)
                    .in_bounds(in_bounds(emitter))
                    .result(sums.r#type())
                    .append_to(&emitter.block)?
                    .result()?;
            sums = written.ok_or(LowerCause::Lost("the result of a write"))?;
        }
        Ok(sums)
    }

    /// One sum, written into a tensor.
    fn one<'i>(
        &self,
        emitter: &Emitter<'c, 'i>,
        row: &[Value<'c, 'i>],
        sums: Value<'c, 'i>,
    ) -> Result<Value<'c, 'i>>
    where
        'b: 'i,
    {
        let (context, location) = (emitter.context, emitter.location);
        let mut all = None;
        for part in self.parts() {
            let vector = self.sum(emitter, row, part)?;
            let builder = vector::ReductionOperation::builder(context, location)
                .kind(CombiningKind::ADD)
                .vector(vector);
            let builder = match all {
                Some(all) => builder.acc(all),
                None => builder,
            };
            all = Some(
                builder
                    .dest(self.element)
                    .append_to(&emitter.block)?
                    .dest()?,
            );
        }
        let inserted = tensor::InsertOperation::builder(context, location)
            .scalar(all.ok_or(LowerCause::Lost("a sum"))?)
            .dest(sums)
            .indices(row)
            .append_to(&emitter.block)?;
        Ok(inserted.result()?)
    }

    /// A vector of sums.
    fn sum<'i>(
        &self,
        emitter: &Emitter<'c, 'i>,
        row: &[Value<'c, 'i>],
        part: Part,
    ) -> Result<Value<'c, 'i>>
    where
        'b: 'i,
    {
        let ty = self.vector_type(part.width);
        let zeros = self.constant(emitter, format!("dense<{}>", self.zero()), ty)?;
        let mut dims = self.summed.clone();
        if let (Consecutive::Summed, Some(last)) = (self.along, dims.last_mut()) {
            *last = part.count;
        }
        let count = dims.iter().product();
        let region = Region::new();
        {
            let inside = block(emitter, &region, &[Type::index(emitter.context), ty]);
            let [number, sum] = arguments(&inside)?;
            let summed = indices(&inside, number, &dims)?;
            let (row, summed) = self.starts(&inside, row, &summed, part)?;
            let read = |factor| self.read(&inside, factor, (&row, &summed), part.width);
            let [lhs, rhs] = &self.factors;
            let sum = self.add(&inside, [read(lhs)?, read(rhs)?], sum)?;
            contained::yielded(&inside, &[sum])?;
        }
        repeated(emitter, count, zeros, region)
    }

    /// The indices along all axes of the result and all that are summed up, at which a vector begins.
    #[allow(clippy::type_complexity)]
    fn starts<'i>(
        &self,
        emitter: &Emitter<'c, 'i>,
        row: &[Value<'c, 'i>],
        summed: &[Value<'c, 'i>],
        part: Part,
    ) -> Result<(Vec<Value<'c, 'i>>, Vec<Value<'c, 'i>>)> {
        let (mut row, mut summed) = (row.to_vec(), summed.to_vec());
        let start = index(emitter, part.start)?;
        match (self.along, summed.last_mut()) {
            (Consecutive::Result, _) => row.push(start),
            (Consecutive::Summed, Some(last)) => {
                let vm = Vm(emitter);
                let before = vm.multiply(*last, index(emitter, part.width)?)?;
                *last = vm.add(before, start)?;
            }
            (Consecutive::Summed, None) | (Consecutive::Nothing, _) => {}
        }
        Ok((row, summed))
    }

    /// Numbers of a factor: one after the other along the axis that numbers are read along, or the same everywhere.
    fn read<'i>(
        &self,
        emitter: &Emitter<'c, 'i>,
        factor: &Factor<'c, 'b>,
        (row, summed): (&[Value<'c, 'i>], &[Value<'c, 'i>]),
        width: usize,
    ) -> Result<Value<'c, 'i>>
    where
        'b: 'i,
    {
        let (context, location) = (emitter.context, emitter.location);
        let at = factor.axes.iter().map(|axis| match axis {
            Index::Result(axis) => row.get(*axis).copied(),
            Index::Summed(pair) => summed.get(*pair).copied(),
        });
        let at: Option<Vec<_>> = at.collect();
        let at = at.ok_or(LowerCause::Lost("an index"))?;
        let ty = self.vector_type(width);
        if self.is_along(factor) {
            let padding = self.constant(emitter, self.zero(), self.element)?;
            let read = vector::TransferReadOperation::builder(context, location)
                .base(factor.value)
                .indices(&at)
                .padding(padding)
                .permutation_map(last_axis(emitter, at.len())?)
                .in_bounds(in_bounds(emitter))
                .vector(ty)
                .append_to(&emitter.block)?;
            return Ok(read.vector()?);
        }
        let number = tensor::ExtractOperation::builder(context, location)
            .tensor(factor.value)
            .indices(&at)
            .result(self.element)
            .append_to(&emitter.block)?
            .result()?;
        let everywhere = vector::BroadcastOperation::builder(context, location)
            .source(number)
            .vector(ty)
            .append_to(&emitter.block)?;
        Ok(everywhere.vector()?)
    }

    const fn zero(&self) -> &'static str {
        match self.ty.dtype.class() {
            DTypeClass::Float => "0.0",
            _ => "0",
        }
    }

    fn constant<'i>(
        &self,
        emitter: &Emitter<'c, 'i>,
        number: impl Display,
        ty: Type<'c>,
    ) -> Result<Value<'c, 'i>> {
        let value = attributes::parse(emitter.context, &format!("{number} : {ty}"))?;
        let constant = arith::ConstantOperation::builder(emitter.context, emitter.location)
            .value(value)
            .result(ty)
            .append_to(&emitter.block)?;
        Ok(constant.result()?)
    }

    /// Whether the last axis of a factor is the one that numbers are read along.
    fn is_along(&self, factor: &Factor<'c, 'b>) -> bool {
        match (self.along, factor.axes.last()) {
            (Consecutive::Result, Some(Index::Result(axis))) => axis + 1 == self.sizes.len(),
            (Consecutive::Summed, Some(Index::Summed(pair))) => pair + 1 == self.summed.len(),
            _ => false,
        }
    }

    /// Adds products to sums.
    fn add<'i>(
        &self,
        emitter: &Emitter<'c, 'i>,
        [lhs, rhs]: [Value<'c, 'i>; 2],
        sum: Value<'c, 'i>,
    ) -> Result<Value<'c, 'i>> {
        if !matches!(self.ty.dtype, DType::F32 | DType::F64) {
            let vm = Vm(emitter);
            return vm.add(vm.multiply(lhs, rhs)?, sum);
        }
        let added = vector::FmaOperation::builder(emitter.context, emitter.location)
            .lhs(lhs)
            .rhs(rhs)
            .acc(sum)
            .result(sum.r#type())
            .append_to(&emitter.block)?;
        Ok(added.result()?)
    }
}

/// The largest power of two that is no larger.
fn power_of_two(number: usize) -> usize {
    number.checked_ilog2().map_or(1, |bits| 1 << bits)
}

/// The indices along axes of these sizes of a number that counts them all.
fn indices<'c, 'i>(
    emitter: &Emitter<'c, 'i>,
    number: Value<'c, 'i>,
    sizes: &[usize],
) -> Result<Vec<Value<'c, 'i>>> {
    let vm = Vm(emitter);
    let mut indices = Vec::new();
    let mut rest = number;
    for (axis, size) in sizes.iter().enumerate().rev() {
        let size = index(emitter, *size)?;
        indices.push(match axis {
            0 => rest,
            _ => vm.remainder_unsigned(rest, size)?,
        });
        if axis > 0 {
            rest = vm.divide_unsigned(rest, size)?;
        }
    }
    indices.reverse();
    Ok(indices)
}

fn index<'c, 'i>(emitter: &Emitter<'c, 'i>, number: usize) -> Result<Value<'c, 'i>> {
    Vm(emitter).number(Type::index(emitter.context), number as i64)
}

/// Of the indices into a tensor, the last one counts what a vector has.
fn last_axis<'c>(emitter: &Emitter<'c, '_>, rank: usize) -> Result<Attribute<'c>> {
    let axes: Vec<_> = (0..rank).map(|axis| format!("d{axis}")).collect();
    let last = axes.last().cloned().unwrap_or_default();
    let map = format!("affine_map<({}) -> ({last})>", axes.join(", "));
    Ok(attributes::parse(emitter.context, &map)?)
}

fn in_bounds<'c>(emitter: &Emitter<'c, '_>) -> ArrayAttribute<'c> {
    let inside = BoolAttribute::new(emitter.context, true);
    ArrayAttribute::new(emitter.context, &[inside.into()])
}

/// A loop that hands on one value.
fn repeated<'c, 'i>(
    emitter: &Emitter<'c, 'i>,
    count: usize,
    first: Value<'c, 'i>,
    body: Region<'c>,
) -> Result<Value<'c, 'i>> {
    let looped = scf::ForOperation::builder(emitter.context, emitter.location)
        .lower_bound(index(emitter, 0)?)
        .upper_bound(index(emitter, count)?)
        .step(index(emitter, 1)?)
        .init_args(&[first])
        .results(&[first.r#type()])
        .region(body)
        .append_to(&emitter.block)?;
    let results = looped.results()?;
    results
        .first()
        .copied()
        .ok_or(LowerCause::Lost("the result of a loop"))
}

fn block<'c, 'i>(
    emitter: &Emitter<'c, 'i>,
    region: &'i Region<'c>,
    types: &[Type<'c>],
) -> Emitter<'c, 'i> {
    let arguments: Vec<_> = types.iter().map(|ty| (*ty, emitter.location)).collect();
    Emitter {
        block: region.append_block(Block::new(&arguments)),
        ..emitter.clone()
    }
}

/// What the block of a loop takes: a number that counts, and what is handed on.
fn arguments<'c, 'i>(emitter: &Emitter<'c, 'i>) -> Result<[Value<'c, 'i>; 2]> {
    let arguments = contained::arguments(emitter)?.try_into();
    arguments.map_err(|_| LowerCause::Lost("the argument of a block"))
}
