use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    op::{DotGeneral, Op},
};
use iree_abi::{Dim, Shape};

type Result = Option<Value>;

/// Vectors and matrices, as in `ndarray`: the last axis of the first operand with the first of the
/// second.
pub(super) fn dot(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [lhs, rhs] = operands(tracer, &call)?;
    let ranks = (lhs.ty.shape.rank(), rhs.ty.shape.rank());
    if !matches!(ranks, (1 | 2, 1 | 2)) {
        let message = format!(
            "`dot` multiplies vectors and matrices, found `{}` and `{}`",
            lhs.ty.shape, rhs.ty.shape
        );
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
        return Some(match ranks {
            (0, _) | (_, 0) => tracer.report(diagnostic.help("scalars are multiplied with `*`")),
            _ => tracer
                .report(diagnostic.help("tensors with more axes are multiplied with `matmul`")),
        });
    }
    let op = DotGeneral {
        dtype: lhs.ty.dtype,
        batch: (Vec::new(), Vec::new()),
        contract: (vec![ranks.0 - 1], vec![0]),
    };
    multiply(tracer, op, &lhs, &rhs, &call)
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
    let rhs_matrix = rhs.ty.shape.rank().min(2);
    // A vector has no batch, so contracting it is all there is to do.
    if lhs_matrix == 1 {
        let op = DotGeneral {
            dtype: lhs.ty.dtype,
            batch: (Vec::new(), Vec::new()),
            contract: (vec![0], vec![rhs.ty.shape.rank() - 2]),
        };
        return multiply(tracer, op, &lhs, &rhs, call);
    }
    if rhs_matrix == 1 {
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
