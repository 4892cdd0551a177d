//! Linear algebra of matrices in the last two axes.

use super::{
    super::{
        tracer::Tracer,
        value::{Tensor, Value},
    },
    OperationCall,
    formula::formula,
    options::truth,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_dsl_ir::op::{InferError, Matrices, Solve};
use iree_dsl_library::linalg;

type Result = Option<Value>;

pub(super) fn cholesky(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let a = matrices(tracer, &call)?;
    let factor = formula(tracer, &call, [&a], |[a]| linalg::cholesky(&a))?;
    Some(factor.settled().into())
}

pub(super) fn triangular_solve(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let lower = truth(tracer, &call, "lower", true)?;
    let transposed = truth(tracer, &call, "transpose", false)?;
    let unit = truth(tracer, &call, "unit_diagonal", false)?;
    let matrices = match (lower, unit) {
        (true, false) => Matrices::Lower,
        (false, false) => Matrices::Upper,
        (true, true) => Matrices::UnitLower,
        (false, true) => Matrices::UnitUpper,
    };
    solutions(tracer, &call, Solve::of(matrices, transposed))
}

pub(super) fn solve(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    solutions(tracer, &call, Solve::of(Matrices::General, false))
}

pub(super) fn inv(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let a = matrices(tracer, &call)?;
    let inverse = formula(tracer, &call, [&a], |[a]| linalg::inverse(&a))?;
    Some(inverse.settled().into())
}

pub(super) fn det(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let a = matrices(tracer, &call)?;
    let determinant = formula(tracer, &call, [&a], |[a]| linalg::determinant(&a))?;
    Some(determinant.settled().into())
}

/// Solutions of systems. One vector may stand for a matrix with one column.
fn solutions(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, op: Solve) -> Result {
    let a = matrices(tracer, call)?;
    let b = call.tensor(tracer, 1)?;
    let b = tracer.with_dtype(b, a.ty.dtype, call.name, call.span)?;
    let (matrices, shape) = (&a.ty.shape, b.ty.shape.clone());
    let rows = matrices.rank() - 1;
    let given = shape.dims();
    let columns = given.len().saturating_sub(1).max(1);
    if given.get(..columns) != matrices.dims().get(..rows) {
        let message = format!(
            "`{}` cannot solve for `{shape}` with matrices `{matrices}`: the rows differ",
            call.name
        );
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
        let help = "the right side has the axes of the matrices but the last, then one for its columns; it may be one vector";
        tracer.report(diagnostic.help(help));
        return None;
    }
    let x = formula(tracer, call, [&a, &b], |[a, b]| {
        linalg::solution(op, &a, &b)
    })?;
    Some(x.settled().into())
}

/// Square matrices in the last two axes.
fn matrices(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Tensor> {
    let tensor = call.tensor(tracer, 0)?;
    let dtype = tensor.ty.dtype;
    if !dtype.is_float() && !dtype.is_complex() {
        let operation = "";
        let error = InferError::DType { operation, dtype };
        tracer.infer_error(&error, call.name, call.span);
        return None;
    }
    if !matches!(tensor.ty.shape.dims(), [.., rows, columns] if rows == columns) {
        let message = format!(
            "`{}` needs square matrices in the last two axes, found `{}`",
            call.name, tensor.ty
        );
        tracer.error(Code::ShapeMismatch, call.span, message);
        return None;
    }
    Some(tensor)
}
