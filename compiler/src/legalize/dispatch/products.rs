//! Sums of products that IREE must not take for contractions.
//!
//! - A sum of products of two tensors to a single number: IREE 3.13 takes it for a contraction of vectors, and then refuses it
//!   where a factor has not all the axes ("invalid accumulator/result vector shape").
//! - A sum along several axes of products of which a factor is the same along an axis, `einsum!("abc,c->b", x, y)`: the same, or IREE
//!   packs the factor along axes that it has not, and crashes.
//! - A vector times a matrix that is computed before, or widened from 16 bits. IREE packs the matrix into tiles where it computes it,
//!   on a stack that is too small for them. Not packed, it need not be stored either, and the product is several times as fast.
//!   Of sizes that IREE does not know, it packs the vector too, and fails without a word where a reduction is before it.
//!   So it is with one that is written as a sum of products: `(x.tanh() * mask.insert_axis(2)).sum_axis(1)`, and with a few vectors at once.
//! - A product of a matrix and a vector, or a batch of these, that is written as a sum of products, and whose result is repeated: `(a *
//!   b).sum_axis(2).insert_axis(2) * c` of `a: Tensor<f32, 4, 8, 8>` and `b: Tensor<f32, 8, 8>`. IREE packs the factors, and divides the dispatch
//!   for the sum only. It refuses what is stored of the repeated sum.
//!
//! Defects `sum-of-products-taken-for-a-contraction`, `factor-is-packed-along-axes-it-lacks` and `product-with-a-vector-is-reduced`.

use super::{
    changes::Changes,
    graph::{Graph, Node, Step},
    sources::computed_from,
    stack::is_larger,
};
use iree_abi::DType;
use iree_dsl_ir::op::{BinaryOp, Op, ReduceKind, Structure};
use std::{cell::LazyCell, collections::BTreeSet};

/// A factor with fewer columns is multiplied like a few vectors.
const FEW: usize = 1 << 3;

/// What adds up products, and must not look like a contraction.
pub(super) fn sums(graph: &Graph<'_>) -> BTreeSet<Node> {
    // Few programs ask.
    let changes = LazyCell::new(|| Changes::of(graph));
    let steps = graph
        .nodes()
        .filter_map(|(node, computed)| Some((node, computed.step.as_ref()?)));
    let sums = steps.filter(|(node, step)| {
        has_computed_factor(graph, step)
            || is_sum(graph, || &*changes, step)
            || beside_vectors(graph, || &*changes, step)
                .is_some_and(|factor| is_computed(graph, factor) || is_repeated(graph, *node))
    });
    sums.map(|(node, _)| node).collect()
}

/// Whether a product has a vector as one factor, and what IREE packs of it is not in memory.
fn has_computed_factor(graph: &Graph<'_>, step: &Step<'_>) -> bool {
    let (Op::DotGeneral(op), Some(lhs), Some(rhs)) = (step.op(), step.operand(0), step.operand(1))
    else {
        return false;
    };
    let vectors = op.vectors(&lhs.shape, &rhs.shape);
    let mut factors = vectors.iter().zip(&step.operands);
    let is_packed = match lhs.dtype {
        DType::F16 | DType::BF16 => vectors != [true, true],
        DType::F32 => factors.any(|(is_vector, factor)| {
            let may_be_packed = !is_vector || !step.has_known_factors();
            may_be_packed && is_computed(graph, *factor)
        }),
        _ => false,
    };
    step.is_product() && vectors.contains(&true) && is_packed
}

/// Whether a value is computed element by element, whatever its shape is then.
fn is_computed(graph: &Graph<'_>, node: Node) -> bool {
    let steps = graph.through(node, is_view);
    let mut steps = steps.filter_map(|node| graph.step(node));
    steps.any(|step| step.is_parallel() && !is_view(step))
}

/// Whether an operation sums products to a number, or along several axes where a factor has not all of them.
fn is_sum<'c>(graph: &Graph<'_>, changes: impl Fn() -> &'c Changes, step: &Step<'_>) -> bool {
    let Op::Reduce(op) = step.op() else {
        return false;
    };
    let rank = step.operand(0).map(|ty| ty.shape.rank());
    let is_whole = rank == Some(op.axes.len());
    let mut operands = step.operands.iter();
    op.kind == ReduceKind::Sum
        && op.axes.len() > 1
        && operands.any(|operand| {
            let mut products = products(graph, *operand);
            products.any(|product| is_whole || lacks_axes(changes(), product))
        })
}

/// Whether what is computed from a value element by element has more elements.
pub(super) fn is_repeated(graph: &Graph<'_>, node: Node) -> bool {
    let ty = |node: Node| graph.step(node).and_then(Step::result);
    let Some(own) = ty(node) else { return false };
    let mut computed = computed_from(graph, node).into_iter();
    computed.any(|node| ty(node).is_some_and(|ty| is_larger(ty, own)))
}

/// What an operation multiplies by a tensor that is the same along an axis of the result, if it sums these products, of known sizes.
fn beside_vectors<'c>(
    graph: &Graph<'_>,
    changes: impl Fn() -> &'c Changes,
    step: &Step<'_>,
) -> Option<Node> {
    let (Op::Reduce(op), Some(operand)) = (step.op(), step.operand(0)) else {
        return None;
    };
    let product = step.operands.first().and_then(|it| graph.step(*it));
    let product = product.filter(|product| *product.op() == Op::Binary(BinaryOp::Multiply));
    let is_packed = operand.dtype == DType::F32 && operand.shape.known().is_some();
    let (ReduceKind::Sum, true, Some(product)) = (op.kind, is_packed, product) else {
        return None;
    };
    let changes = changes();
    let dims = operand.shape.dims().iter().enumerate();
    let kept = dims.filter(|(axis, dim)| !op.axes.contains(axis) && !dim.is_one());
    let kept: Vec<_> = kept.collect();
    // How many numbers the other factor has for each of this one.
    let columns = |position| {
        let axes = kept.iter();
        let lacking = axes.filter(|(axis, _)| changes.is_still(product, position, *axis));
        let sizes = lacking.filter_map(|(_, dim)| dim.known());
        sizes.fold(1, usize::saturating_mul)
    };
    let position = match (columns(0), columns(1)) {
        (1, more) if more > 1 => 0,
        (more, 1) if more > 1 => 1,
        (2..FEW, FEW..) => 0,
        (FEW.., 2..FEW) => 1,
        _ => return None,
    };
    product.operands.get(position).copied()
}

/// The products that a value shows.
fn products<'g, 'a>(
    graph: &'g Graph<'a>,
    node: Node,
) -> impl Iterator<Item = &'g Step<'a>> + use<'g, 'a> {
    let steps = graph.through(node, |step| {
        let is_reduction = matches!(step.op().structure(), Structure::Reduction(_));
        is_view(step) || is_reduction && step.is_parallel()
    });
    let steps = steps.filter_map(|node| graph.step(node));
    let multiply = Op::Binary(BinaryOp::Multiply);
    steps.filter(move |step| {
        let is_contraction = matches!(step.op(), Op::DotGeneral(_));
        *step.op() == multiply || is_contraction && step.is_parallel()
    })
}

/// Whether a factor of products is the same along an axis.
fn lacks_axes(changes: &Changes, product: &Step<'_>) -> bool {
    if matches!(product.op(), Op::DotGeneral(_)) {
        return true;
    }
    let rank = product.result().map_or(0, |ty| ty.shape.rank());
    let mut places = (0..product.operands.len())
        .flat_map(|position| (0..rank).map(move |axis| (position, axis)));
    places.any(|(position, axis)| changes.is_still(product, position, axis))
}

fn is_view(step: &Step<'_>) -> bool {
    let structure = step.op().structure();
    matches!(structure, Structure::Reshape(_)) || matches!(structure, Structure::Transpose(_))
}
