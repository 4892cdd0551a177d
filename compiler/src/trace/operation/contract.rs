use super::{
    super::{
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall,
    formula::{Term, attempted, refuse},
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{Dim, Shape};
use iree_dsl_ir::op::{DotGeneral, InferError, Op};
use iree_dsl_library::{Error, contract};

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
    multiply(tracer, &call, [&lhs, &rhs], contract::outer)
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

pub(super) fn dot(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [lhs, rhs] = operands(tracer, &call)?;
    match (lhs.ty.shape.rank(), rhs.ty.shape.rank()) {
        (1.., 1 | 2) | (1, 3..) => multiply(tracer, &call, [&lhs, &rhs], contract::dot),
        ranks => Some(no_dot(tracer, &lhs, &rhs, ranks, &call)),
    }
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

pub(super) fn matmul(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let [lhs, rhs] = operands(tracer, &call)?;
    if lhs.ty.shape.rank() == 0 || rhs.ty.shape.rank() == 0 {
        let message = "`matmul` multiplies tensors with axes, found a scalar";
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
        return Some(tracer.report(diagnostic.help("scalars are multiplied with `*`")));
    }
    multiply(tracer, &call, [&lhs, &rhs], contract::matmul)
}

fn operands(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<[Tensor; 2]> {
    let operands = [call.argument(0)?, call.argument(1)?];
    tracer.same_dtype(operands, call.name, call.span)
}

fn multiply(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    operands: [&Tensor; 2],
    run: impl for<'x> FnOnce(&Term<'x>, &Term<'x>) -> Term<'x>,
) -> Result {
    let product = attempted(tracer, call, |formula| {
        let [lhs, rhs] = operands.map(|operand| formula.term(operand));
        Some(run(&lhs, &rhs))
    });
    match product? {
        Ok(product) => return Some(product.into()),
        Err(Error::Refused(InferError::Contraction {
            lhs,
            lhs_axis,
            rhs,
            rhs_axis,
        })) => differ(tracer, call, (&lhs, lhs_axis), (&rhs, rhs_axis))?,
        Err(Error::Refused(InferError::Broadcast(lhs, rhs))) => {
            let [left, right] = operands.map(|operand| &operand.ty.shape);
            let message = format!(
                "`matmul` cannot combine `{left}` and `{right}`: the axes before the last two are `{lhs}` and `{rhs}`"
            );
            tracer.error(Code::ShapeMismatch, call.span, message);
        }
        Err(error) => refuse(tracer, call, &error),
    }
    None
}

/// Reports inner dimensions that differ.
fn differ(
    tracer: &mut Tracer<'_>,
    call: &OperationCall<'_>,
    (lhs, lhs_axis): (&Shape, usize),
    (rhs, rhs_axis): (&Shape, usize),
) -> Option<()> {
    let (left, right) = (lhs.dims().get(lhs_axis)?, rhs.dims().get(rhs_axis)?);
    let message =
        format!("cannot multiply `{lhs}` by `{rhs}`: the inner dimensions are {left} and {right}");
    let diagnostic = Diagnostic::new(Code::ShapeMismatch, call.span, message);
    tracer.report(diagnostic.help_if(transposed(lhs, rhs).map(str::to_owned)));
    Some(())
}

/// How the second operand is transposed where it fits the first then.
fn transposed(lhs: &Shape, rhs: &Shape) -> Option<&'static str> {
    let (lhs, rhs) = (lhs.dims(), rhs.dims());
    let fits = |rows: usize, batch: &mut dyn Iterator<Item = &Dim>| {
        let before = lhs.iter().rev().skip(2).zip(batch);
        let mut before = before.map(|(one, other)| one == other);
        rhs.get(rows) == lhs.last() && before.all(|same| same)
    };
    match rhs.len() {
        2 if fits(1, &mut [].iter()) => Some("transpose the second operand with `t()`"),
        // As all axes were exchanged, the rows are the first.
        rank @ 3.. if fits(0, &mut rhs.iter().skip(2)) && rank == lhs.len() => Some(
            "`t()` exchanges all axes: transpose the matrices of a batch with `swap_axes(-2, -1)`",
        ),
        rank @ 3.. if fits(rank - 1, &mut rhs.iter().rev().skip(2)) => {
            Some("transpose the matrices of the second operand with `swap_axes(-2, -1)`")
        }
        _ => None,
    }
}
