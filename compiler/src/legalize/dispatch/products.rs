//! Sums of products that IREE must not take for contractions.
//!
//! - A sum of products of two tensors to a single number: IREE 3.13 takes it for a contraction of vectors, and then refuses it
//!   where a factor has not all the axes ("invalid accumulator/result vector shape").
//! - A vector times a matrix that is computed before, or widened from 16 bits. IREE packs the matrix into tiles where it computes it,
//!   on a stack that is too small for them. Not packed, it need not be stored either, and the product is several times as fast.
//!   Of sizes that IREE does not know, it packs the vector too, and fails without a word where a reduction is before it.
//!
//! Defect `sum-of-products-taken-for-a-contraction`.

use super::graph::{Graph, Node, Step};
use iree_abi::DType;
use iree_dsl_ir::op::{BinaryOp, DotGeneral, Op, ReduceKind, Structure};

/// Whether an operation adds up products, and must not look like a contraction.
pub(super) fn must_be_sums(graph: &Graph<'_>, step: &Step<'_>) -> bool {
    if let Op::DotGeneral(op) = step.op() {
        return has_computed_factor(graph, step, op);
    }
    is_sum(graph, step)
}

/// Whether a product has a vector as one factor, and what IREE packs of it is not in memory.
fn has_computed_factor(graph: &Graph<'_>, step: &Step<'_>, op: &DotGeneral) -> bool {
    let (Some(lhs), Some(rhs)) = (step.operand(0), step.operand(1)) else {
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

/// Whether an operation sums all products along several axes.
fn is_sum(graph: &Graph<'_>, step: &Step<'_>) -> bool {
    let Op::Reduce(op) = step.op() else {
        return false;
    };
    let rank = step.operand(0).map(|ty| ty.shape.rank());
    let is_whole = rank.is_some_and(|rank| rank > 1 && op.axes.len() == rank);
    let mut operands = step.operands.iter();
    let is_product = operands.any(|operand| is_product(graph, *operand));
    op.kind == ReduceKind::Sum && is_whole && is_product
}

fn is_product(graph: &Graph<'_>, node: Node) -> bool {
    let steps = graph.through(node, |step| {
        let is_reduction = matches!(step.op().structure(), Structure::Reduction(_));
        is_view(step) || is_reduction && step.is_parallel()
    });
    let mut steps = steps.filter_map(|node| graph.step(node));
    let multiply = Op::Binary(BinaryOp::Multiply);
    steps.any(|step| {
        let is_contraction = matches!(step.op(), Op::DotGeneral(_));
        *step.op() == multiply || is_contraction && step.is_parallel()
    })
}

fn is_view(step: &Step<'_>) -> bool {
    let structure = step.op().structure();
    matches!(structure, Structure::Reshape(_)) || matches!(structure, Structure::Transpose(_))
}
