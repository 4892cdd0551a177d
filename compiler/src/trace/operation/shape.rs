use super::{
    super::{
        statics::Static,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value},
    },
    OperationCall,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{Dim, Extent, Requirement, Shape};
use iree_dsl_ir::op::{InferError, Op, Transpose};

type Result = Option<Value>;

pub(super) fn shape(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let extents = call.tensor(tracer, 0)?.ty.shape.extents()?;
    Some(Tree::Array(extents.into_iter().map(Value::size).collect()))
}

pub(super) fn dim(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let mut extents = call.tensor(tracer, 0)?.ty.shape.extents()?;
    let axis = tracer.axis(call.argument(1)?, extents.len(), call.name)?;
    Some(Value::size(extents.swap_remove(axis)))
}

pub(super) fn rank(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    Some(Static::usize(operand.ty.shape.rank()).into())
}

pub(super) fn len(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    Some(Value::size(operand.ty.shape.element_count()?))
}

pub(super) fn reshape(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (list, span) = call.argument(1)?;
    let wanted = tracer.extents((list, span), call.name)?;
    if wanted.iter().filter(|size| is_open(size)).count() > 1 {
        let message = "only one size can be -1, which stands for what is left";
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    }
    let count = operand.ty.shape.element_count()?;
    let Some(shape) = complete(&wanted, &count) else {
        let (message, help) = unfit(&operand.ty.shape, &wanted, &count);
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, span, message);
        return Some(tracer.report(diagnostic.help(help)));
    };
    Some(reshape_to(tracer, &operand, shape, &call))
}

/// Why elements do not fit into sizes, and what helps.
fn unfit(shape: &Shape, wanted: &[Extent], count: &Extent) -> (String, String) {
    let (reason, help) = match count.known() {
        Some(0) if wanted.iter().any(is_open) => (
            "without elements, -1 may be any size",
            "write the size that -1 stands for".to_owned(),
        ),
        _ => (
            "the numbers of elements differ",
            format!("it has {}", elements(count)),
        ),
    };
    let wanted: Vec<_> = wanted.iter().map(ToString::to_string).collect();
    let wanted = wanted.join(", ");
    let message = format!("cannot reshape `{shape}` to `[{wanted}]`: {reason}");
    (message, help)
}

/// Whether a size stands for what is left.
fn is_open(size: &Extent) -> bool {
    size.known() == Some(-1)
}

fn elements(count: &Extent) -> String {
    match count.known() {
        Some(1) => "1 element".to_owned(),
        _ => format!("{count} elements"),
    }
}

/// The sizes with the one -1 filled in; `None` if they do not hold as many elements.
fn complete(wanted: &[Extent], count: &Extent) -> Option<Shape> {
    let mut known = wanted.iter().filter(|size| !is_open(size));
    let product = known.try_fold(Extent::from(1), |product, size| product.times(size))?;
    let left = quotient(count, &product);
    let fits = match wanted.iter().any(is_open) {
        true => left.is_some(),
        false => Requirement::equal(&product, count).is_some(),
    };
    let dims = wanted.iter().map(|size| match is_open(size) {
        true => left.clone().and_then(Dim::from_extent),
        false => Dim::from_extent(size.clone()),
    });
    let dims: Option<Vec<_>> = dims.collect();
    fits.then_some(Shape::new(dims?))
}

/// What is left for the one size. Where only the call tells whether a number divides the others, it is a
/// requirement that the operation makes.
fn quotient(count: &Extent, product: &Extent) -> Option<Extent> {
    let exactly = count.exactly_over(product);
    exactly.or_else(|| {
        let left = count.over_whole(product)?;
        let whole = left.times(product)?;
        Requirement::equal(&whole, count).map(|_| left)
    })
}

pub(super) fn reshape_to(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    shape: Shape,
    call: &OperationCall<'_>,
) -> Value {
    if shape == operand.ty.shape {
        return operand.clone().into();
    }
    tracer.emit_named(Op::Reshape(shape), &[operand], call.name, call.span)
}

pub(super) fn flatten(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let count = Dim::from_extent(operand.ty.shape.element_count()?)?;
    Some(reshape_to(tracer, &operand, Shape::new(vec![count]), &call))
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
        let axes = super::super::resolve::axes(permutation.len());
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

pub(super) fn insert_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let mut dims = operand.ty.shape.dims().to_vec();
    let axis = tracer.axis(call.argument(1)?, dims.len() + 1, call.name)?;
    dims.insert(axis, Dim::Static(1));
    Some(reshape_to(tracer, &operand, Shape::new(dims), &call))
}

pub(super) fn remove_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let mut dims = operand.ty.shape.dims().to_vec();
    let (value, span) = call.argument(1)?;
    let axis = tracer.axis((value, span), dims.len(), call.name)?;
    let size = dims.remove(axis);
    if size != Dim::Static(1) {
        let message =
            format!("`remove_axis` needs an axis of size 1, but the axis {axis} has size {size}");
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    }
    Some(reshape_to(tracer, &operand, Shape::new(dims), &call))
}

pub(super) fn broadcast_to(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let (list, span) = call.argument(1)?;
    let wanted = tracer.extents((list, span), call.name)?;
    let dims: Option<Vec<_>> = wanted.into_iter().map(Dim::from_extent).collect();
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
        let complete = |wanted: &[i128], count: &str| {
            let wanted: Vec<_> = wanted.iter().copied().map(Extent::constant).collect();
            let shape = complete(&wanted, &count.parse().unwrap());
            shape.map(|shape| shape.to_string())
        };
        assert_eq!(complete(&[2, -1], "12").as_deref(), Some("[2, 6]"));
        assert_eq!(complete(&[-1], "1").as_deref(), Some("[1]"));
        assert_eq!(complete(&[12], "12").as_deref(), Some("[12]"));
        assert_eq!(complete(&[5, -1], "12"), None);
        assert_eq!(complete(&[0, -1], "0"), None);
        assert_eq!(complete(&[-2, 6], "12"), None);
        assert_eq!(complete(&[-1, 3], "6*B").as_deref(), Some("[2*B, 3]"));
        assert_eq!(complete(&[-1, 4], "6*B").as_deref(), Some("[B + B/2, 4]"));
        assert_eq!(complete(&[-1, 4], "6*B + 1"), None);
    }
}
