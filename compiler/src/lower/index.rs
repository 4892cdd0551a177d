use super::{
    contract::accumulator,
    emit::{Emitter, Result, Tensor},
    error::LowerCause,
    global, placement, reduce, rows, types,
};
use crate::machine::Machine;
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dialects::stablehlo::{
    self, ComparisonDirection, GatherDimensionNumbers, ScatterDimensionNumbers,
};
use iree_dsl_ir::{
    Scalar, limits,
    op::{Gather, ReduceKind, Scatter, Transpose},
};

/// What is looked up on a machine: as whole rows, if it is that.
pub(super) fn lower_lookup<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    machine: Machine,
    op: &Gather,
    operand: &Tensor<'c, 'b>,
    places: &[Tensor<'c, 'b>],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    match places {
        [places]
            if places.ty.shape.rank() > 0
                && types::has_elements(ty)
                && rows::are_looked_up(machine, op, &operand.ty) =>
        {
            rows::lower(emitter, operand, places, ty)
        }
        _ => lower_gather(emitter, op, operand, places, ty),
    }
}

fn lower_gather<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Gather,
    operand: &Tensor<'c, 'b>,
    places: &[Tensor<'c, 'b>],
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let rank = operand.ty.shape.rank();
    let kept: Vec<_> = (0..rank).filter(|axis| !op.axes.contains(axis)).collect();
    let first = op.axes.first().copied().unwrap_or_default();
    let before = kept.iter().filter(|axis| **axis < first).count();
    if places.iter().all(|place| place.ty.shape.rank() == 0) {
        return gather_at_one(emitter, op, operand, places, (ty, before));
    }
    let results = ty.shape.rank();
    let behind = results - (kept.len() - before)..results;
    let offset: Vec<_> = (0..before).chain(behind).collect();
    let (indices, index_vector) = index_vectors(emitter, places)?;
    let axes = types::axes(&op.axes);
    let numbers = GatherDimensionNumbers {
        offset_dims: types::axes(&offset),
        collapsed_slice_dims: axes.clone(),
        start_index_map: axes,
        index_vector_dim: index_vector,
        ..GatherDimensionNumbers::default()
    };
    let dims = operand.ty.shape.dims().iter().enumerate();
    let sizes = dims.map(|(axis, dim)| match op.axes.contains(&axis) {
        true => Some(1),
        false => dim.known(),
    });
    let sizes: Option<Vec<_>> = sizes.collect();
    let Some(sizes) = sizes else {
        let places = all_places(emitter, op, places, ty, &offset)?;
        let axes = (0..rank).collect();
        return lower_gather(emitter, &Gather { axes }, operand, &places, ty);
    };
    // IREE cannot look up single elements of integers without a sign.
    let stored = global::cast(emitter, operand.clone(), &types::stored(&operand.ty))?;
    let result = types::stored(ty);
    let value = stablehlo::GatherOperation::builder(emitter.context, emitter.location)
        .operand(stored.value)
        .start_indices(indices.value)
        .dimension_numbers(numbers)
        .slice_sizes(emitter.axes(&sizes))
        .result(emitter.tensor_type(&result)?)
        .append_to(&emitter.block)?
        .result()?;
    global::cast(emitter, Tensor { value, ty: result }, ty)
}

/// What is looked up at a single place, by a list of one: a single place IREE 3.13 does not move into the tensor, and reads
/// outside of it.
/// Defect `single-place-reads-outside`.
fn gather_at_one<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Gather,
    operand: &Tensor<'c, 'b>,
    places: &[Tensor<'c, 'b>],
    (ty, axis): (&TensorType, usize),
) -> Result<Tensor<'c, 'b>> {
    let one = Shape::new(vec![Dim::Static(1)]);
    let places = places.iter().map(|place| emitter.reshape(place, &one));
    let places = places.collect::<Result<Vec<_>>>()?;
    let mut dims = ty.shape.dims().to_vec();
    dims.insert(axis, Dim::Static(1));
    let list = TensorType::new(ty.dtype, Shape::new(dims));
    let found = lower_gather(emitter, op, operand, &places, &list)?;
    emitter.reshape(&found, &ty.shape)
}

/// The places of each element along every axis of the tensor, so that what is looked up are single
/// elements: IREE knows the size of a part while it compiles.
fn all_places<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Gather,
    places: &[Tensor<'c, 'b>],
    ty: &TensorType,
    offset: &[usize],
) -> Result<Vec<Tensor<'c, 'b>>> {
    let all = types::with_dtype(ty, DType::I32);
    let own: Vec<_> = (0..ty.shape.rank())
        .filter(|axis| !offset.contains(axis))
        .collect();
    let (mut given, mut kept) = (places.iter(), offset.iter());
    let rank = op.axes.len() + offset.len();
    (0..rank)
        .map(|axis| match op.axes.contains(&axis) {
            true => {
                let place = given.next().ok_or(LowerCause::Lost("a place"))?;
                emitter.broadcast(place, &all.shape, &own)
            }
            false => {
                let axis = kept.next().ok_or(LowerCause::Lost("an axis"))?;
                emitter.iota(&all, *axis)
            }
        })
        .collect()
}

/// The places along several axes as vectors along a last axis, and that axis. For one axis, it may be
/// left out.
fn index_vectors<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    places: &[Tensor<'c, 'b>],
) -> Result<(Tensor<'c, 'b>, i64)> {
    let lost = || LowerCause::Lost("the places of elements");
    let first = places.first().ok_or_else(lost)?;
    let rank = first.ty.shape.rank();
    if let [only] = places {
        return Ok((only.clone(), rank as i64));
    }
    let mut dims = first.ty.shape.dims().to_vec();
    dims.push(Dim::Static(1));
    let layer = Shape::new(dims.clone());
    let layers = places.iter().map(|place| emitter.reshape(place, &layer));
    let layers = layers.collect::<Result<Vec<_>>>()?;
    dims.pop();
    dims.push(Dim::Static(places.len()));
    let ty = TensorType::new(DType::I32, Shape::new(dims));
    let vectors = super::slice::lower_concatenate(emitter, rank, &layers, &ty)?;
    Ok((vectors, rank as i64))
}

/// Brings the axes of the places to the front, since IREE scatters along the first axes only, and makes
/// the updates a list.
pub(super) fn lower_scatter<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    op: &Scatter,
    operand: &Tensor<'c, 'b>,
    updates: &Tensor<'c, 'b>,
    places: &[Tensor<'c, 'b>],
) -> Result<Tensor<'c, 'b>> {
    if !types::has_elements(&updates.ty) {
        return Ok(operand.clone());
    }
    let lost = || LowerCause::Lost("the places of elements");
    let rank = operand.ty.shape.rank();
    let first = op.axes.first().copied().ok_or_else(lost)?;
    let place_shape = &places.first().ok_or_else(lost)?.ty.shape;
    let kept = (0..rank).filter(|axis| !op.axes.contains(axis));
    let order: Vec<_> = op.axes.iter().copied().chain(kept).collect();
    let list = first..first + place_shape.rank();
    let window = (0..updates.ty.shape.rank()).filter(|axis| !list.contains(axis));
    let update_order: Vec<_> = list.clone().chain(window).collect();
    let table = Table {
        emitter,
        operand: transposed(emitter, operand, &order)?,
        updates: listed(
            emitter,
            &transposed(emitter, updates, &update_order)?,
            list.len(),
        )?,
        places: places
            .iter()
            .map(|place| listed(emitter, place, place_shape.rank()))
            .collect::<Result<_>>()?,
    };
    let result = match op.kind.reduction() {
        Some(kind) => table.combined(kind)?,
        None => table.replaced()?,
    };
    transposed(emitter, &result, &inverse(&order)?)
}

/// A list of numbers, combined with a list of others for places in it, which are all inside.
pub(super) fn combined<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    kind: ReduceKind,
    [operand, updates, places]: [&Tensor<'c, 'b>; 3],
) -> Result<Tensor<'c, 'b>> {
    let table = Table {
        emitter,
        operand: operand.clone(),
        updates: updates.clone(),
        places: vec![places.clone()],
    };
    table.scatter(operand, updates, kind)
}

/// A tensor, whose first axes are those of the places; a list of updates, and the list of each axis'
/// places.
struct Table<'e, 'c, 'b> {
    emitter: &'e Emitter<'c, 'b>,
    operand: Tensor<'c, 'b>,
    updates: Tensor<'c, 'b>,
    places: Vec<Tensor<'c, 'b>>,
}

impl<'c, 'b> Table<'_, 'c, 'b> {
    /// IREE writes to places outside the tensor: what belongs there goes to another place, as a number
    /// that changes nothing. 16-bit sums and products are kept as `f32` and rounded at the end.
    /// Defect `scatter-writes-outside`.
    fn combined(self, kind: ReduceKind) -> Result<Tensor<'c, 'b>> {
        let e = self.emitter;
        let dtype = self.operand.dtype();
        let wide = match kind {
            ReduceKind::Sum | ReduceKind::Product => accumulator(dtype),
            _ => dtype,
        };
        let widened = |tensor: &Tensor<'c, 'b>| match dtype == wide {
            true => Ok(tensor.clone()),
            false => e.convert(tensor, wide),
        };
        let (operand, updates) = (widened(&self.operand)?, widened(&self.updates)?);
        let inside = self.inside()?;
        let neutral = match kind {
            // Adding 0 would lose the sign of -0.
            ReduceKind::Sum if !wide.is_integer() => Scalar::Float(-0.0),
            _ => limits::identity(kind, wide),
        };
        let neutral = e.splat(neutral, &updates.ty)?;
        let inside = e.broadcast(&inside, &updates.ty.shape, &[0])?;
        let updates = e.select(&inside, &updates, &neutral)?;
        let result = self.scatter(&operand, &updates, kind)?;
        match dtype == wide {
            true => Ok(result),
            false => e.convert(&result, dtype),
        }
    }

    /// The number of the last update for each place says which one it is; the tensor keeps what has
    /// none.
    fn replaced(self) -> Result<Tensor<'c, 'b>> {
        let e = self.emitter;
        let axes = self.places.len();
        let dims = self.operand.ty.shape.dims().iter().take(axes);
        let shape = Shape::new(dims.cloned().collect());
        let ty = TensorType::new(DType::I32, shape);
        let count = self.updates.ty.shape.dims().first().cloned();
        let count = Shape::new(count.into_iter().collect());
        let numbers = e.iota(&TensorType::new(DType::I32, count), 0)?;
        let none = e.splat(Scalar::Integer(-1), &ty)?;
        let winners = Self {
            emitter: e,
            operand: none.clone(),
            updates: numbers,
            places: self.places,
        };
        let winners = winners.combined(ReduceKind::Maximum)?;
        let chosen = Gather { axes: vec![0] };
        let chosen = lower_gather(
            e,
            &chosen,
            &self.updates,
            std::slice::from_ref(&winners),
            &self.operand.ty,
        )?;
        let replaced = e.compare(ComparisonDirection::NotEqual, &winners, &none)?;
        let axes: Vec<_> = (0..axes).collect();
        let replaced = e.broadcast(&replaced, &self.operand.ty.shape, &axes)?;
        e.select(&replaced, &chosen, &self.operand)
    }

    /// Which places are inside the tensor.
    fn inside(&self) -> Result<Tensor<'c, 'b>> {
        let e = self.emitter;
        let mut all: Option<Tensor<'c, 'b>> = None;
        for (place, last) in self.places.iter().zip(self.last()?) {
            let zero = e.splat(Scalar::Integer(0), &place.ty)?;
            let above = e.compare(ComparisonDirection::GreaterOrEqual, place, &zero)?;
            let below = e.compare(ComparisonDirection::LessOrEqual, place, &last)?;
            let inside = e.and(&above, &below)?;
            all = Some(match all {
                Some(all) => e.and(&all, &inside)?,
                None => inside,
            });
        }
        all.ok_or(LowerCause::Lost("the places of elements"))
    }

    /// The last place along each axis, for each update.
    fn last(&self) -> Result<Vec<Tensor<'c, 'b>>> {
        let dims = self.operand.ty.shape.dims().iter().zip(&self.places);
        dims.map(|(dim, place)| last_place(self.emitter, dim, &place.ty))
            .collect()
    }

    fn scatter(
        &self,
        operand: &Tensor<'c, 'b>,
        updates: &Tensor<'c, 'b>,
        kind: ReduceKind,
    ) -> Result<Tensor<'c, 'b>> {
        let e = self.emitter;
        let dims = self.operand.ty.shape.dims().iter().zip(&self.places);
        let moved = dims.map(|(dim, place)| moved_inside(e, place, dim));
        let moved = moved.collect::<Result<Vec<_>>>()?;
        let axes = types::axes(&(0..moved.len()).collect::<Vec<_>>());
        let window = types::axes(&(1..updates.ty.shape.rank()).collect::<Vec<_>>());
        // IREE would compute all of them on the stack, which has room for some thousand elements.
        let vectors = placement::pin(e, &vectors(e, &moved)?)?;
        let updates = placement::pin(e, updates)?;
        let numbers = ScatterDimensionNumbers {
            update_window_dims: window,
            inserted_window_dims: axes.clone(),
            scatter_dims_to_operand_dims: axes,
            index_vector_dim: 1,
            ..ScatterDimensionNumbers::default()
        };
        let element = types::scalar(operand.dtype());
        let body = e.reducer(&element, |e, lhs, rhs| reduce::combine(e, kind, lhs, rhs))?;
        let results = stablehlo::ScatterOperation::builder(e.context, e.location)
            .inputs(&[operand.value])
            .scatter_indices(vectors.value)
            .updates(&[updates.value])
            .scatter_dimension_numbers(numbers)
            .update_computation(body)
            .append_to(&e.block)?
            .results()?;
        let value = results.first().copied();
        Ok(Tensor {
            value: value.ok_or(LowerCause::Lost("the result of a scatter"))?,
            ty: operand.ty.clone(),
        })
    }
}

/// The last place along an axis, as numbers of a type.
fn last_place<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    dim: &Dim,
    ty: &TensorType,
) -> Result<Tensor<'c, 'b>> {
    let last = dim
        .extent()
        .and_then(|size| size.plus(&Extent::constant(-1)));
    emitter.number_of(&last.ok_or(LowerCause::Lost("a size"))?, ty)
}

/// Places along an axis, those outside moved to the first or the last.
pub(super) fn moved_inside<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    places: &Tensor<'c, 'b>,
    dim: &Dim,
) -> Result<Tensor<'c, 'b>> {
    let zero = emitter.splat(Scalar::Integer(0), &places.ty)?;
    let last = last_place(emitter, dim, &places.ty)?;
    emitter.minimum(&emitter.maximum(places, &zero)?, &last)
}

/// The places along axes as vectors along a last axis.
fn vectors<'c, 'b>(emitter: &Emitter<'c, 'b>, places: &[Tensor<'c, 'b>]) -> Result<Tensor<'c, 'b>> {
    match places {
        [only] => {
            let mut dims = only.ty.shape.dims().to_vec();
            dims.push(Dim::Static(1));
            emitter.reshape(only, &Shape::new(dims))
        }
        places => Ok(index_vectors(emitter, places)?.0),
    }
}

pub(super) fn transposed<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    permutation: &[usize],
) -> Result<Tensor<'c, 'b>> {
    if permutation.is_sorted() {
        return Ok(operand.clone());
    }
    let dims = permutation.iter();
    let dims = dims.filter_map(|axis| operand.ty.shape.dims().get(*axis).cloned());
    let ty = TensorType::new(operand.dtype(), Shape::new(dims.collect()));
    let permutation = permutation.to_vec();
    super::shape::lower_transpose(emitter, &Transpose { permutation }, operand, &ty)
}

/// The permutation that takes another one back.
pub(super) fn inverse(permutation: &[usize]) -> Result<Vec<usize>> {
    let mut back = vec![0; permutation.len()];
    for (to, from) in permutation.iter().enumerate() {
        *back.get_mut(*from).ok_or(LowerCause::Lost("an axis"))? = to;
    }
    Ok(back)
}

/// A tensor with its first axes made one.
pub(super) fn listed<'c, 'b>(
    emitter: &Emitter<'c, 'b>,
    operand: &Tensor<'c, 'b>,
    axes: usize,
) -> Result<Tensor<'c, 'b>> {
    if axes == 1 {
        return Ok(operand.clone());
    }
    let (list, rest) = operand.ty.shape.dims().split_at(axes);
    let count = Shape::new(list.to_vec()).element_count();
    let count = count.and_then(Dim::from_extent);
    let mut dims = vec![count.ok_or(LowerCause::Lost("a size"))?];
    dims.extend_from_slice(rest);
    emitter.reshape(operand, &Shape::new(dims))
}
