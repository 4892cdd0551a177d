//! Elements at places that are computed: indices are of `i32`.

use crate::{
    lines::{from_table, table},
    term::Term,
};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{CompareOp, Gather, InferError, Iota, Op, Size},
};

/// The parts of a tensor at places along an axis.
pub fn take<'x, V: Clone>(x: &Term<'x, V>, places: &Term<'x, V>, axis: usize) -> Term<'x, V> {
    let size = extent(&x.shape(), axis);
    let x = requiring_elements(x, size.as_ref(), places);
    x.emit(Op::Gather(Gather { axes: vec![axis] }), &[places])
}

/// The elements at places along an axis, each in its own line, of tensors that otherwise have the same sizes. They are looked up
/// in a list of all elements, lines one after the other. A place outside of the axis is the nearest one in it.
pub fn take_along<'x, V: Clone>(x: &Term<'x, V>, places: &Term<'x, V>, axis: usize) -> Term<'x, V> {
    let shape = places.shape();
    let lines = table(x, axis);
    let places = table(places, axis);
    let (count, size) = (extent(&lines.shape(), 0), extent(&lines.shape(), 1));
    let lines = requiring_elements(&lines, size.as_ref(), &places);
    let all = count.zip(size.as_ref());
    let all = all.and_then(|(count, size)| Dim::from_extent(count.times(size)?));
    let last = size.as_ref();
    let last = last.and_then(|size| size.plus(&Extent::constant(-1)));
    let (Some(size), Some(all), Some(last)) = (size, all, last) else {
        return lines.failed(InferError::UnknownShape(lines.shape()).into());
    };
    let list = lines.emit(Op::Reshape(Shape::new(vec![all])), &[]);
    let places = clamped(&places, &Extent::from(0), &last);
    let size = everywhere(&places, &size);
    let line = places.make(Op::Iota(Iota {
        ty: places.tensor_type(),
        axis: 0,
    }));
    let places = line * size + places;
    let elements = list.emit(Op::Gather(Gather { axes: vec![0] }), &[&places]);
    from_table(&elements, &shape, axis)
}

/// Integers as indices along an axis of a size. What is outside of the axis stays outside where `i32` cannot hold it.
pub fn indices<'x, V: Clone>(places: &Term<'x, V>, size: &Extent) -> Term<'x, V> {
    let most = Extent::constant(size.known().unwrap_or(i32::MAX.into()));
    let places = match places.dtype() {
        DType::I64 => clamped(places, &Extent::constant(-1), &most),
        DType::U64 | DType::U32 => clamped(places, &Extent::from(0), &most),
        _ => places.clone(),
    };
    places.convert(DType::I32)
}

/// Ones along a new last axis of a size at the places that indices name, and zeros elsewhere.
pub fn one_hot<'x, V: Clone>(places: &Term<'x, V>, size: Dim, dtype: DType) -> Term<'x, V> {
    let mut dims = places.shape().dims().to_vec();
    let axis = dims.len();
    dims.push(size);
    let shape = Shape::new(dims);
    let repeated = places.repeat(&shape, (0..axis).collect());
    let ty = TensorType::new(places.dtype(), shape);
    let classes = places.make(Op::Iota(Iota { ty, axis }));
    repeated.compare(CompareOp::Equal, classes).convert(dtype)
}

/// Requires at the call that there is something along an axis where so many elements are looked up. Sizes that are known are
/// checked with the operation.
fn requiring_elements<'x, V: Clone>(
    x: &Term<'x, V>,
    size: Option<&Extent>,
    places: &Term<'x, V>,
) -> Term<'x, V> {
    let count = places.shape().element_count();
    let (Some(size), Some(count)) = (size, count) else {
        return x.clone();
    };
    // Where there are as many as the axis has elements, or a multiple, there are none of nothing.
    let is_multiple = || count.exactly_over(size).is_some();
    if size.known().is_some() || count.known() == Some(0) || is_multiple() {
        return x.clone();
    }
    let all = count.times(size);
    match all.is_some_and(|all| x.require_order(&count, &all)) {
        true => x.clone(),
        false => x.failed(InferError::UnknownShape(x.shape()).into()),
    }
}

/// Integers moved between two.
fn clamped<'x, V: Clone>(x: &Term<'x, V>, least: &Extent, most: &Extent) -> Term<'x, V> {
    let (least, most) = (everywhere(x, least), everywhere(x, most));
    x.max(least).min(most)
}

/// A number of `i32`, or the largest one, in the type of a term.
fn everywhere<'x, V: Clone>(x: &Term<'x, V>, number: &Extent) -> Term<'x, V> {
    let TensorType { dtype, shape } = x.tensor_type();
    match number.known() {
        Some(number) => {
            let number = Scalar::Integer(number.min(i32::MAX.into()));
            x.make_splat(number, &TensorType::new(dtype, shape))
        }
        None => {
            let extent = number.clone();
            x.make(Op::Size(Size { extent, dtype })).broadcast(&shape)
        }
    }
}

fn extent(shape: &Shape, axis: usize) -> Option<Extent> {
    shape.dims().get(axis)?.extent()
}
