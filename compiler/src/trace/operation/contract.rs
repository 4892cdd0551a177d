use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{Dim, Shape};
use iree_dsl_ir::op::{DotGeneral, Op};

type Result = Option<Value>;

/// Every product of an element of one vector with one of another.
pub(super) fn outer(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [lhs, rhs] = operands(tracer, &call)?;
    if (lhs.ty.shape.rank(), rhs.ty.shape.rank()) != (1, 1) {
        let message = format!(
            "`outer` multiplies two vectors, found `{}` and `{}`",
            lhs.ty.shape, rhs.ty.shape
        );
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
        let help = "other products are written with `einsum!(\"ab,cd->abcd\", x, y)`";
        return Some(tracer.report(diagnostic.help(help)));
    }
    let op = DotGeneral {
        batch: (Vec::new(), Vec::new()),
        contract: (Vec::new(), Vec::new()),
        dtype: lhs.ty.dtype,
    };
    multiply(tracer, op, &lhs, &rhs, &call)
}

/// Any contraction of two tensors.
pub(super) fn dot_general(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [lhs, rhs] = operands(tracer, &call)?;
    let op = DotGeneral {
        batch: axes_option(tracer, &call, "batch", [&lhs, &rhs])?,
        contract: axes_option(tracer, &call, "contract", [&lhs, &rhs])?,
        dtype: match call.option("accumulate") {
            None => lhs.ty.dtype,
            Some((Value::Leaf(ValueLeaf::Element(dtype)), _)) => dtype,
            Some((other, span)) => {
                let message = format!(
                    "the option `accumulate` of `{}` is an element type such as `f32`, found `{}`",
                    call.name,
                    other.ty()
                );
                return Some(tracer.error(Code::Option, span, message));
            }
        },
    };
    Some(tracer.emit_named(Op::DotGeneral(op), &[&lhs, &rhs], call.name, call.span))
}

/// Pairs of axes: those of the first operand and those of the second, none if left out.
fn axes_option(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    name: &str,
    operands: [&Tensor; 2],
) -> Option<(Vec<usize>, Vec<usize>)> {
    let Some((value, span)) = call.option(name) else {
        return Some((Vec::new(), Vec::new()));
    };
    let lists = match value {
        Tree::Tuple(lists) | Tree::Array(lists) => lists,
        other => vec![other],
    };
    let Ok([left, right]) = <[Value; 2]>::try_from(lists) else {
        let message = format!(
            "the option `{name}` of `{}` is a list of axes for each operand, such as `([1], [0])`",
            call.name
        );
        tracer.error(Code::Option, span, message);
        return None;
    };
    let [lhs, rhs] = operands.map(|operand| operand.ty.shape.rank());
    let left = tracer.axes((left, span), lhs, call.name)?;
    let right = tracer.axes((right, span), rhs, call.name)?;
    if left.len() == right.len() {
        return Some((left, right));
    }
    let message = format!(
        "the option `{name}` of `{}` names {} and {} axes, which do not pair up",
        call.name,
        left.len(),
        right.len()
    );
    tracer.error(Code::Option, span, message);
    None
}

/// As in NumPy: the last axis of the first operand with the first of a vector or matrix. A vector on the left is a
/// row, whatever is on the right.
pub(super) fn dot(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [lhs, rhs] = operands(tracer, &call)?;
    let axis = match (lhs.ty.shape.rank(), rhs.ty.shape.rank()) {
        (1.., 1 | 2) => 0,
        (1, rank @ 3..) => rank - 2,
        ranks => return Some(no_dot(tracer, &lhs, &rhs, ranks, &call)),
    };
    let op = DotGeneral {
        dtype: lhs.ty.dtype,
        batch: (Vec::new(), Vec::new()),
        contract: (vec![lhs.ty.shape.rank() - 1], vec![axis]),
    };
    multiply(tracer, op, &lhs, &rhs, &call)
}

/// Reports operands that `dot` has no product of.
fn no_dot(
    tracer: &mut Tracer<'_>,
    lhs: &Tensor,
    rhs: &Tensor,
    ranks: (usize, usize),
    call: &OperationCall<'_>,
) -> Value {
    let (lhs, rhs) = (&lhs.ty.shape, &rhs.ty.shape);
    if ranks.0 == 0 || ranks.1 == 0 {
        let message = format!("`dot` multiplies tensors with axes, found `{lhs}` and `{rhs}`");
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
        return tracer.report(diagnostic.help("scalars are multiplied with `*`"));
    }
    let message = format!("`dot` multiplies by a vector or a matrix, found `{lhs}` and `{rhs}`");
    let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
    tracer.report(diagnostic.help(
        "matrices in the last two axes are multiplied side by side with `matmul`, other products written with `einsum!`",
    ))
}

/// As in NumPy: matrices in the last two axes, the axes before them broadcast; a vector is a row on the
/// left and a column on the right.
pub(super) fn matmul(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [lhs, rhs] = operands(tracer, &call)?;
    let ranks = (lhs.ty.shape.rank(), rhs.ty.shape.rank());
    if ranks.0 == 0 || ranks.1 == 0 {
        let message = "`matmul` multiplies tensors with axes, found a scalar";
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
        return Some(tracer.report(diagnostic.help("scalars are multiplied with `*`")));
    }
    if ranks.0 <= 2 && ranks.1 <= 2 {
        let op = DotGeneral {
            dtype: lhs.ty.dtype,
            batch: (Vec::new(), Vec::new()),
            contract: (vec![ranks.0 - 1], vec![0]),
        };
        return multiply(tracer, op, &lhs, &rhs, &call);
    }
    batched(tracer, lhs, rhs, &call)
}

fn operands(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<[Tensor; 2]> {
    let operands = [call.argument(0)?, call.argument(1)?];
    tracer.same_dtype(operands, call.name, call.span)
}

fn batched(tracer: &mut Tracer<'_>, lhs: Tensor, rhs: Tensor, call: &OperationCall<'_>) -> Result {
    let lhs_matrix = lhs.ty.shape.rank().min(2);
    // A vector has no batch, so contracting it is all there is to do.
    if lhs_matrix == 1 {
        let op = DotGeneral {
            dtype: lhs.ty.dtype,
            batch: (Vec::new(), Vec::new()),
            contract: (vec![0], vec![rhs.ty.shape.rank() - 2]),
        };
        return multiply(tracer, op, &lhs, &rhs, call);
    }
    // Nor has a matrix on the right, by which all rows on the left are multiplied. To repeat it for each batch would
    // make a product of weights read them, and bring them into the order that it reads, as often as there are batches.
    if rhs.ty.shape.rank() <= 2 {
        let op = DotGeneral {
            dtype: lhs.ty.dtype,
            batch: (Vec::new(), Vec::new()),
            contract: (vec![lhs.ty.shape.rank() - 1], vec![0]),
        };
        return multiply(tracer, op, &lhs, &rhs, call);
    }
    check_inner(
        tracer,
        &lhs,
        &rhs,
        (lhs.ty.shape.rank() - 1, rhs.ty.shape.rank() - 2),
        call,
    )?;
    let [lhs, rhs] = broadcast_batch(tracer, lhs, rhs, call)?;
    let batch: Vec<_> = (0..lhs.ty.shape.rank() - 2).collect();
    let op = DotGeneral {
        dtype: lhs.ty.dtype,
        contract: (vec![batch.len() + 1], vec![batch.len()]),
        batch: (batch.clone(), batch),
    };
    multiply(tracer, op, &lhs, &rhs, call)
}

/// Both operands with the same axes before the last two.
fn broadcast_batch(
    tracer: &mut Tracer<'_>,
    lhs: Tensor,
    rhs: Tensor,
    call: &OperationCall<'_>,
) -> Option<[Tensor; 2]> {
    let (lhs_batch, lhs_matrix) = split(&lhs.ty.shape);
    let (rhs_batch, rhs_matrix) = split(&rhs.ty.shape);
    let Ok(batch) = super::operand::broadcast_shapes(&lhs_batch, &rhs_batch) else {
        let message = format!(
            "`matmul` cannot combine `{}` and `{}`: the axes before the last two are `{lhs_batch}` and `{rhs_batch}`",
            lhs.ty.shape, rhs.ty.shape
        );
        tracer.error(Code::ShapeMismatch, call.span, message);
        return None;
    };
    let join = |matrix: Vec<Dim>| Shape::new([batch.dims().to_vec(), matrix].concat());
    let lhs = tracer.broadcast_to(lhs, &join(lhs_matrix), call.name, call.span)?;
    let rhs = tracer.broadcast_to(rhs, &join(rhs_matrix), call.name, call.span)?;
    Some([lhs, rhs])
}

fn split(shape: &Shape) -> (Shape, Vec<Dim>) {
    let position = shape.rank().saturating_sub(2);
    let (batch, matrix) = shape.dims().split_at(position);
    (Shape::new(batch.to_vec()), matrix.to_vec())
}

fn multiply(
    tracer: &mut Tracer<'_>,
    op: DotGeneral,
    lhs: &Tensor,
    rhs: &Tensor,
    call: &OperationCall<'_>,
) -> Result {
    if let (Some(left), Some(right)) = (op.contract.0.first(), op.contract.1.first()) {
        check_inner(tracer, lhs, rhs, (*left, *right), call)?;
    }
    Some(tracer.emit_named(Op::DotGeneral(op), &[lhs, rhs], call.name, call.span))
}

/// Refuses inner dimensions that differ.
fn check_inner(
    tracer: &mut Tracer<'_>,
    lhs: &Tensor,
    rhs: &Tensor,
    (lhs_axis, rhs_axis): (usize, usize),
    call: &OperationCall<'_>,
) -> Option<()> {
    let (lhs, rhs) = (&lhs.ty.shape, &rhs.ty.shape);
    let (left, right) = (lhs.dims().get(lhs_axis)?, rhs.dims().get(rhs_axis)?);
    if left == right {
        return Some(());
    }
    let message =
        format!("cannot multiply `{lhs}` by `{rhs}`: the inner dimensions are {left} and {right}");
    let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
    let transposed = rhs.rank() == 2 && rhs.dims().last() == Some(left);
    tracer.report(match transposed {
        true => diagnostic.help("transpose the second operand with `t()`"),
        false => diagnostic,
    });
    None
}
