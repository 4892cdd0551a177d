//! What is computed from a reduction or a product, kept, and repeated along an axis that may have no elements: `let s = x.sum_axis(0); (x -
//! s, s)` of `Tensor<f32, N, M>`, where `N` is 0. Of known sizes, as `Tensor<f32, N, 4>`, the sums are stored outside of the loop.
//!
//! IREE 3.13 may compute what follows the root inside a loop over the other axis, with what repeats it, and stores it there: never,
//! if the loop has no iterations. Sums along a size of the call are kept in a wider type and narrowed behind, so that something always
//! follows them.
//! Defect `kept-value-is-stored-in-an-empty-loop`.

use super::{
    graph::{Graph, Node, Step},
    merged::is_kept_with_a_root,
    sources::is_view,
};
use iree_abi::{Dim, Extent};
use std::collections::BTreeSet;

/// The values that must be in memory before they are repeated.
pub(super) fn cuts(graph: &Graph<'_>) -> BTreeSet<Node> {
    let mut found = BTreeSet::new();
    for step in graph.steps().filter(|step| step.is_parallel()) {
        for (position, operand) in step.operands.iter().enumerate() {
            let origin = graph.through(*operand, is_view).last();
            let origin = origin.filter(|_| repeats_along_empty(step, position));
            found.extend(origin.filter(|value| is_kept_with_a_root(graph, *value)));
        }
    }
    found
}

/// Whether an operand is read alike along an axis that may be empty while the operand is not.
fn repeats_along_empty(step: &Step<'_>, position: usize) -> bool {
    let (Some(ty), Some(axes)) = (step.result(), step.repeats(position)) else {
        return false;
    };
    let dims = ty.shape.dims().iter().enumerate();
    let (repeated, read): (Vec<_>, Vec<_>) = dims.partition(|(axis, _)| axes.contains(axis));
    let is_read = |dim: &Dim| read.iter().any(|(_, read)| *read == dim);
    let mut repeated = repeated.into_iter();
    repeated.any(|(_, dim)| may_be_empty(dim) && !is_read(dim))
}

fn may_be_empty(dim: &Dim) -> bool {
    let rest = dim.extent().and_then(|size| size.minus(&Extent::from(1)));
    dim.known().is_none() && !rest.is_some_and(|rest| rest.is_never_negative())
}
