//! Elements put elsewhere, and repeated.

use crate::term::Term;
use iree_abi::{Dim, Extent, Shape};
use iree_dsl_ir::{
    Scalar,
    op::{DynamicSlice, InferError, Op},
};

/// The elements along an axis, from one place on and then those before it.
pub fn rotated<'x, V: Clone>(x: &Term<'x, V>, axis: usize, first: Extent) -> Term<'x, V> {
    let shape = x.shape();
    let size = shape.dims().get(axis).and_then(Dim::extent);
    let Some(size) = size else {
        return x.failed(InferError::UnknownShape(shape).into());
    };
    let start = x.part(axis, first.clone(), size);
    let end = x.part(axis, Extent::from(0), first);
    start.emit(Op::Concatenate(axis), &[&end])
}

/// The same from a place on that the program computes.
pub fn rotated_to<'x, V: Clone>(x: &Term<'x, V>, axis: usize, first: &Term<'x, V>) -> Term<'x, V> {
    let sizes = x.shape();
    let zero = first.make_splat(Scalar::Integer(0), &first.tensor_type());
    let twice = x.emit(Op::Concatenate(axis), &[x]);
    let starts = (0..sizes.rank()).map(|at| if at == axis { first } else { &zero });
    let starts: Vec<_> = starts.collect();
    twice.emit(Op::DynamicSlice(DynamicSlice { sizes }), &starts)
}

/// Tensors one behind the other along a new axis; `None` without any.
pub fn stacked<'x, V: Clone>(
    tensors: impl IntoIterator<Item = Term<'x, V>>,
    axis: usize,
) -> Option<Term<'x, V>> {
    let layers = tensors.into_iter().map(|tensor| {
        let mut dims = tensor.shape().dims().to_vec();
        dims.insert(axis.min(dims.len()), Dim::Static(1));
        tensor.emit(Op::Reshape(Shape::new(dims)), &[])
    });
    let layers: Vec<_> = layers.collect();
    let (first, others) = layers.split_first()?;
    let others: Vec<_> = others.iter().collect();
    Some(first.emit(Op::Concatenate(axis), &others))
}

/// Each element along an axis so many times, one behind the other.
pub fn repeated<'x, V: Clone>(x: &Term<'x, V>, times: &Extent, axis: usize) -> Term<'x, V> {
    let shape = x.shape();
    let mut dims = shape.dims().to_vec();
    let count = Dim::from_extent(times.clone());
    let size = dims.get(axis).and_then(|size| multiplied(times, size));
    let (Some(count), Some(size)) = (count, size) else {
        return x.failed(InferError::UnknownShape(shape).into());
    };
    dims.insert(axis + 1, count);
    let axes = (0..dims.len()).filter(|kept| *kept != axis + 1);
    let repeated = x.repeat(&Shape::new(dims.clone()), axes.collect());
    dims.splice(axis..axis + 2, [size]);
    repeated.reshape(&Shape::new(dims))
}

/// The tensor so many times along each axis, of which the last are its own; there are as many numbers as it has axes, or more.
pub fn tiled<'x, V: Clone>(x: &Term<'x, V>, times: &[Extent]) -> Term<'x, V> {
    let shape = x.shape();
    let new = times.len().saturating_sub(shape.rank());
    let ones = std::iter::repeat_n(Dim::Static(1), new);
    let sizes: Vec<Dim> = ones.chain(shape.dims().iter().cloned()).collect();
    let pairs = || times.iter().zip(&sizes);
    let repeated =
        pairs().flat_map(|(times, size)| [Dim::from_extent(times.clone()), Some(size.clone())]);
    let repeated: Option<Vec<_>> = repeated.collect();
    let tiled = pairs().map(|(times, size)| multiplied(times, size));
    let tiled: Option<Vec<_>> = tiled.collect();
    let (Some(repeated), Some(tiled)) = (repeated, tiled) else {
        return x.failed(InferError::UnknownShape(shape).into());
    };
    let axes = (1 + 2 * new..repeated.len()).step_by(2);
    let repeated = x.repeat(&Shape::new(repeated), axes.collect());
    repeated.reshape(&Shape::new(tiled))
}

/// A size so many times.
fn multiplied(times: &Extent, size: &Dim) -> Option<Dim> {
    Dim::from_extent(times.times(&size.extent()?)?)
}
