use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value},
    },
    OperationCall,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    op::{InferError, Op, Transpose},
};
use iree_abi::{Dim, Shape};

type Result = Option<Value>;

pub(super) fn shape(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let sizes = sizes(&call.tensor(tracer, 0)?);
    let sizes = sizes.into_iter().map(|size| Static::usize(size).into());
    Some(Tree::Array(sizes.collect()))
}

pub(super) fn dim(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let sizes = sizes(&call.tensor(tracer, 0)?);
    let axis = tracer.axis(call.argument(1)?, sizes.len(), call.name)?;
    Some(Static::usize(*sizes.get(axis)?).into())
}

pub(super) fn rank(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    Some(Static::usize(operand.ty.shape.rank()).into())
}

pub(super) fn len(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let sizes = sizes(&call.tensor(tracer, 0)?);
    Some(Static::usize(sizes.into_iter().product()).into())
}

fn sizes(tensor: &Tensor) -> Vec<usize> {
    tensor.ty.shape.known().unwrap_or_default()
}

pub(super) fn reshape(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (list, span) = call.argument(1)?;
    let wanted = tracer.integers((list, span), call.name)?;
    if wanted.iter().filter(|size| **size == -1).count() > 1 {
        let message = "only one size can be -1, which stands for what is left";
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    }
    let Some(sizes) = complete(&wanted, &sizes(&operand)) else {
        let wanted: Vec<_> = wanted.iter().map(ToString::to_string).collect();
        let message = format!(
            "cannot reshape `{}` to `[{}]`: the numbers of elements differ",
            operand.ty.shape,
            wanted.join(", ")
        );
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, span, message);
        let count: usize = self::sizes(&operand).into_iter().product();
        return Some(tracer.report(diagnostic.help(format!("it has {}", elements(count)))));
    };
    Some(reshape_to(tracer, &operand, sizes, &call))
}

fn elements(count: usize) -> String {
    super::super::resolve::count(count, "element")
}

/// The sizes with the one -1 filled in; `None` if they do not hold as many elements.
fn complete(wanted: &[i128], sizes: &[usize]) -> Option<Vec<usize>> {
    let total: usize = sizes.iter().product();
    let open = wanted.iter().filter(|size| **size == -1).count();
    let known = wanted.iter().filter(|size| **size != -1);
    let known: Option<Vec<usize>> = known.map(|size| usize::try_from(*size).ok()).collect();
    let product = known?.into_iter().try_fold(1_usize, usize::checked_mul)?;
    let fill = match open {
        0 if product == total => 0,
        1 if product != 0 && total.is_multiple_of(product) => total / product,
        _ => return None,
    };
    let fill = |size: &i128| usize::try_from(*size).unwrap_or(fill);
    Some(wanted.iter().map(fill).collect())
}

fn reshape_to(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    sizes: Vec<usize>,
    call: &OperationCall<'_>,
) -> Value {
    let shape = Shape::from(sizes.as_slice());
    if shape == operand.ty.shape {
        return operand.clone().into();
    }
    tracer.emit_named(Op::Reshape(shape), &[operand], call.name, call.span)
}

pub(super) fn flatten(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let total = sizes(&operand).into_iter().product();
    Some(reshape_to(tracer, &operand, vec![total], &call))
}

pub(super) fn t(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let permutation = (0..operand.ty.shape.rank()).rev().collect();
    Some(transpose(tracer, operand, permutation, &call))
}

pub(super) fn permute(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let rank = operand.ty.shape.rank();
    let (list, span) = call.argument(1)?;
    let permutation = tracer.axes((list, span), rank, call.name)?;
    if permutation.len() != rank {
        let axes = super::super::resolve::count(permutation.len(), "axis").replace("axiss", "axes");
        let message = format!("`permute` must name each of the {rank} axes, found {axes}");
        return Some(tracer.error(Code::Axis, span, message));
    }
    Some(transpose(tracer, operand, permutation, &call))
}

pub(super) fn swap_axes(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let rank = operand.ty.shape.rank();
    let first = tracer.axis(call.argument(1)?, rank, call.name)?;
    let second = tracer.axis(call.argument(2)?, rank, call.name)?;
    let mut permutation: Vec<_> = (0..rank).collect();
    permutation.swap(first, second);
    Some(transpose(tracer, operand, permutation, &call))
}

fn transpose(
    tracer: &mut Tracer<'_>,
    operand: Tensor,
    permutation: Vec<usize>,
    call: &OperationCall<'_>,
) -> Value {
    if permutation.is_sorted() {
        return operand.into();
    }
    let op = Op::Transpose(Transpose { permutation });
    tracer.emit_named(op, &[&operand], call.name, call.span)
}

pub(super) fn reverse(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axes = tracer.axes(call.argument(1)?, operand.ty.shape.rank(), call.name)?;
    Some(tracer.emit_named(Op::Reverse(axes), &[&operand], call.name, call.span))
}

pub(super) fn insert_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let mut sizes = sizes(&operand);
    let axis = tracer.axis(call.argument(1)?, sizes.len() + 1, call.name)?;
    sizes.insert(axis, 1);
    Some(reshape_to(tracer, &operand, sizes, &call))
}

pub(super) fn remove_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let mut sizes = sizes(&operand);
    let (value, span) = call.argument(1)?;
    let axis = tracer.axis((value, span), sizes.len(), call.name)?;
    let size = sizes.remove(axis);
    if size != 1 {
        let message =
            format!("`remove_axis` needs an axis of size 1, but the axis {axis} has size {size}");
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    }
    Some(reshape_to(tracer, &operand, sizes, &call))
}

pub(super) fn broadcast_to(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (list, span) = call.argument(1)?;
    let wanted = tracer.integers((list, span), call.name)?;
    let dims: Option<Vec<_>> = wanted
        .into_iter()
        .map(|size| usize::try_from(size).ok().map(Dim::Static))
        .collect();
    let Some(dims) = dims else {
        let message = "a dimension cannot be negative";
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    };
    let shape = Shape::new(dims);
    if shape.rank() < operand.ty.shape.rank() {
        let error = InferError::Broadcast(operand.ty.shape, shape);
        return Some(tracer.infer_error(&error, call.name, span));
    }
    let result = tracer.broadcast_to(operand, &shape, call.name, call.span)?;
    Some(result.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_size_is_filled_in() {
        assert_eq!(complete(&[2, -1], &[4, 3]), Some(vec![2, 6]));
        assert_eq!(complete(&[-1], &[]), Some(vec![1]));
        assert_eq!(complete(&[12], &[4, 3]), Some(vec![12]));
        assert_eq!(complete(&[5, -1], &[4, 3]), None);
        assert_eq!(complete(&[-1, -1], &[4, 3]), None);
        assert_eq!(complete(&[0, -1], &[0]), None);
        assert_eq!(complete(&[-2, 6], &[4, 3]), None);
    }
}
