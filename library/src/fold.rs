//! Elements that a function combines.

use crate::term::Term;
use iree_abi::{Dim, Extent, Shape};
use iree_dsl_ir::op::{InferError, Op, Slice};

/// The elements along some axes along one that is the last.
pub fn merged<'x, V: Clone>(x: &Term<'x, V>, mut axes: Vec<usize>) -> Term<'x, V> {
    axes.sort_unstable();
    let rank = x.shape().rank();
    let kept = (0..rank).filter(|axis| !axes.contains(axis));
    let permutation: Vec<_> = kept.chain(axes.iter().copied()).collect();
    let turned = x.transposed(permutation);
    if axes.len() == 1 {
        return turned;
    }
    let shape = turned.shape();
    let (kept, merged) = shape.dims().split_at(rank.saturating_sub(axes.len()));
    let size = Shape::new(merged.to_vec()).element_count();
    match size.and_then(Dim::from_extent) {
        Some(size) => {
            let dims = kept.iter().cloned().chain([size]);
            turned.emit(Op::Reshape(Shape::new(dims.collect())), &[])
        }
        None => turned.failed(InferError::UnknownShape(shape).into()),
    }
}

/// A first number everywhere but along the last axis.
pub fn started<'x, V: Clone>(x: &Term<'x, V>, first: &Term<'x, V>) -> Term<'x, V> {
    let shape = x.shape();
    let kept = shape.dims().split_last().map_or(&[][..], |(_, kept)| kept);
    first.repeat(&Shape::new(kept.to_vec()), Vec::new())
}

/// What is started with and the elements along the last axis, so many, made one: neighbours are combined, then those that are left,
/// and so on, so that the order of the elements is kept.
pub fn pairwise<'x, V: Clone>(
    x: &Term<'x, V>,
    start: Term<'x, V>,
    mut size: usize,
    mut combine: impl FnMut(Term<'x, V>, Term<'x, V>) -> Term<'x, V>,
) -> Term<'x, V> {
    if size == 0 {
        return start;
    }
    let mut combined = x.clone();
    // What is left over stands behind everything that is combined after it.
    let mut left_over = Vec::new();
    while size > 1 {
        let even = size - size % 2;
        if even < size {
            left_over.push(along_last(&combined, [even, size, 1]));
        }
        let first = along_last(&combined, [0, even, 2]);
        let second = along_last(&combined, [1, even, 2]);
        combined = combine(first, second);
        size = even / 2;
    }
    for behind in left_over.into_iter().rev() {
        combined = combine(combined, behind);
    }
    let combined = combined.emit(Op::Reshape(start.shape()), &[]);
    combine(start, combined)
}

/// The elements from one place to before another, in steps.
fn along_last<'x, V: Clone>(x: &Term<'x, V>, [from, to, step]: [usize; 3]) -> Term<'x, V> {
    let mut limit = x.shape().extents().unwrap_or_default();
    let mut start = vec![Extent::from(0); limit.len()];
    let mut stride = vec![1; limit.len()];
    let ends = start
        .last_mut()
        .zip(limit.last_mut())
        .zip(stride.last_mut());
    if let Some(((start, limit), stride)) = ends {
        (*start, *limit, *stride) = (Extent::from(from), Extent::from(to), step);
    }
    let slice = Slice {
        start,
        limit,
        stride,
    };
    x.emit(Op::Slice(slice), &[])
}
