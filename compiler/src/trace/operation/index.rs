//! Elements at places that the program computes.

use super::{
    super::{
        index::Axis,
        statics::{Static, StaticType},
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall, build,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData,
    op::{BinaryOp, Gather, Iota, Op, Scatter, ScatterKind, Transpose},
};
use std::cmp::Ordering;

type Result = Option<Value>;

pub(super) fn take(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let places = places_along(tracer, &operand, axis, &call)?;
    let size = operand.ty.shape.dims().get(axis)?.extent()?;
    require_elements(tracer, &size, &places.ty.shape.element_count()?)?;
    let op = Op::Gather(Gather { axes: vec![axis] });
    Some(tracer.emit_named(op, &[&operand, &places], call.name, call.span))
}

pub(super) fn take_along_axis(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let places = places_along(tracer, &operand, axis, &call)?;
    let (own, other) = (operand.ty.shape.dims(), places.ty.shape.dims());
    let fits = |(at, (a, b)): (usize, (&Dim, &Dim))| at == axis || a == b;
    if own.len() != other.len() || !own.iter().zip(other).enumerate().all(fits) {
        let message = format!(
            "`take_along_axis` needs indices with the sizes of the tensor along all axes but {axis}, found `{}` for `{}`",
            places.ty.shape, operand.ty.shape
        );
        let (_, span) = call.argument(1)?;
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, span, message);
        let help = "the same indices for all rows are taken with `take`";
        return Some(tracer.report(diagnostic.help(help)));
    }
    along(tracer, &operand, &places, axis, &call).map(Value::from)
}

/// The elements at places along an axis, each in its own row, of tensors that otherwise have the same
/// sizes. They are looked up in a list of all elements, rows one after the other.
pub(super) fn along(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    places: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let (name, span) = (call.name, call.span);
    let shape = &places.ty.shape;
    let Rows { table, count, size } = rows(tracer, operand, axis, call)?;
    let places = rows(tracer, places, axis, call)?.table;
    require_elements(tracer, &size, &places.ty.shape.element_count()?)?;
    let all = Dim::from_extent(count.times(&size)?)?;
    let list = Op::Reshape(Shape::new(vec![all]));
    let list = tracer.emit_checked(list, &[&table], name, span)?;
    let last = size.plus(&Extent::constant(-1))?;
    let places = clamped(tracer, &places, (Extent::from(0), last), call)?;
    let ty = places.ty.clone();
    let size = everywhere(tracer, size, &ty, call)?;
    let row = tracer.emit_checked(Op::Iota(Iota { ty, axis: 0 }), &[], name, span)?;
    let [multiply, add] = [BinaryOp::Multiply, BinaryOp::Add].map(Op::Binary);
    let start = tracer.emit_checked(multiply, &[&row, &size], name, span)?;
    let places = tracer.emit_checked(add, &[&start, &places], name, span)?;
    let gather = Op::Gather(Gather { axes: vec![0] });
    let elements = tracer.emit_checked(gather, &[&list, &places], name, span)?;
    from_rows(tracer, &elements, (shape, axis), call)
}

/// What stands along an axis as rows of a table.
pub(super) struct Rows {
    pub(super) table: Tensor,
    /// How many there are.
    pub(super) count: Extent,
    /// How long they are.
    pub(super) size: Extent,
}

pub(super) fn rows(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<Rows> {
    let rank = operand.ty.shape.rank();
    let order = (0..rank).filter(|other| *other != axis).chain([axis]);
    let turned = transposed(tracer, operand, &order.collect::<Vec<_>>(), call)?;
    let (size, others) = turned.ty.shape.dims().split_last()?;
    let count = Shape::new(others.to_vec()).element_count()?;
    let table = Shape::new(vec![Dim::from_extent(count.clone())?, size.clone()]);
    let size = size.extent()?;
    let table = tracer.emit_checked(Op::Reshape(table), &[&turned], call.name, call.span)?;
    Some(Rows { table, count, size })
}

/// The rows of a table along an axis of a tensor.
pub(super) fn from_rows(
    tracer: &mut Tracer<'_>,
    table: &Tensor,
    (shape, axis): (&Shape, usize),
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let rank = shape.rank();
    let mut dims = shape.dims().to_vec();
    let size = dims.remove(axis);
    dims.push(size);
    let turned = Op::Reshape(Shape::new(dims));
    let turned = tracer.emit_checked(turned, &[table], call.name, call.span)?;
    let back = (0..rank).map(|at| match at.cmp(&axis) {
        Ordering::Less => at,
        Ordering::Equal => rank - 1,
        Ordering::Greater => at - 1,
    });
    transposed(tracer, &turned, &back.collect::<Vec<_>>(), call)
}

/// Requires at the call that there is something along an axis where so many elements are looked up. Sizes
/// that are known are checked with the operation.
fn require_elements(tracer: &mut Tracer<'_>, size: &Extent, count: &Extent) -> Option<()> {
    // Where there are as many as the axis has elements, or a multiple, there are none of nothing.
    let is_multiple = || count.exactly_over(size).is_some();
    if size.known().is_some() || count.known() == Some(0) || is_multiple() {
        return Some(());
    }
    tracer
        .require_order(count, &count.times(size)?)
        .then_some(())
}

fn transposed(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    permutation: &[usize],
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    if permutation.is_sorted() {
        return Some(operand.clone());
    }
    let permutation = permutation.to_vec();
    let op = Op::Transpose(Transpose { permutation });
    tracer.emit_checked(op, &[operand], call.name, call.span)
}

macro_rules! scatters {
    ($($name:ident $kind:ident;)+) => {
        $(pub(super) fn $name(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
            put(tracer, &call, ScatterKind::$kind)
        })+
    };
}

scatters! {
    scatter Replace;
    scatter_add Add;
    scatter_mul Multiply;
    scatter_max Maximum;
    scatter_min Minimum;
}

fn put(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, kind: ScatterKind) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(3)?, operand.ty.shape.rank(), call.name)?;
    let places = places_along(tracer, &operand, axis, call)?;
    let mut expected = operand.ty.shape.dims().to_vec();
    expected.splice(axis..=axis, places.ty.shape.dims().iter().cloned());
    let expected = Shape::new(expected);
    let (updates, span) = call.argument(2)?;
    let ty = (operand.ty.dtype, &expected);
    let updates = tracer.tensor_like((updates, span), ty, call.name)?;
    if updates.ty.dtype == operand.ty.dtype && !broadcasts(&updates.ty.shape, &expected) {
        let message = format!(
            "`{}` needs updates of the shape `{expected}`, or one that broadcasts to it, found `{}`",
            call.name, updates.ty.shape
        );
        return Some(tracer.error(Code::ShapeMismatch, span, message));
    }
    let updates = tracer.broadcast_to(updates, &expected, call.name, span)?;
    let op = Op::Scatter(Scatter {
        kind,
        axes: vec![axis],
    });
    Some(tracer.emit_named(op, &[&operand, &updates, &places], call.name, call.span))
}

fn broadcasts(shape: &Shape, to: &Shape) -> bool {
    let both = super::operand::broadcast_shapes(shape, to);
    both.is_ok_and(|both| both == *to)
}

/// The first argument, indices along an axis, as a tensor of `i32`. Those that are known are checked, and
/// counted from the end if negative.
fn places_along(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let (value, span) = call.argument(1)?;
    let size = operand.ty.shape.dims().get(axis)?.extent()?;
    let is_list = matches!(value, Tree::Array(_) | Tree::Leaf(ValueLeaf::Static(_)));
    if is_list && let Some((sizes, numbers)) = build::nested(&value) {
        let axis = Axis {
            number: axis,
            size: &size,
        };
        return known_places(tracer, &sizes, &numbers, axis, call);
    }
    let places = tracer.tensor(value, call.name, span)?;
    let dtype = places.ty.dtype;
    if !dtype.is_integer() {
        let name = call.name;
        let message = format!(
            "the indices of `{name}` are integers, found `{}`",
            places.ty
        );
        tracer.error(Code::DTypeMismatch, span, message);
        return None;
    }
    // What is outside the axis stays outside where `i32` cannot hold it.
    let most = Extent::constant(size.known().unwrap_or(i32::MAX.into()));
    let places = match dtype {
        DType::I64 => clamped(tracer, &places, (Extent::constant(-1), most), call)?,
        DType::U64 | DType::U32 => clamped(tracer, &places, (Extent::from(0), most), call)?,
        _ => places,
    };
    let places = tracer.cast_value(places.into(), StaticType::Element(DType::I32), span);
    tracer.tensor(places, call.name, span)
}

fn known_places(
    tracer: &mut Tracer<'_>,
    sizes: &[usize],
    numbers: &[Static],
    axis: Axis<'_>,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let (_, span) = call.argument(1)?;
    let mut bytes = Vec::with_capacity(4 * numbers.len());
    for number in numbers {
        let place = tracer.known_index(&(*number).into(), axis, span)?;
        let Some(place) = place.known() else {
            let message = format!(
                "an index counts from the end only if the size is known while building, which `{}` is not",
                axis.size
            );
            tracer.error(Code::NotStatic, span, message);
            return None;
        };
        bytes.extend(i32::try_from(place).ok()?.to_le_bytes());
    }
    let constant = Op::Constant(Constant {
        ty: TensorType::new(DType::I32, sizes),
        data: ConstantData::Dense(bytes),
    });
    tracer.emit_checked(constant, &[], call.name, call.span)
}

/// Integers moved between two.
fn clamped(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    (least, most): (Extent, Extent),
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    let ty = &operand.ty;
    let least = everywhere(tracer, least, ty, call)?;
    let most = everywhere(tracer, most, ty, call)?;
    let maximum = Op::Binary(BinaryOp::Maximum);
    let raised = tracer.emit_checked(maximum, &[operand, &least], call.name, call.span)?;
    let minimum = Op::Binary(BinaryOp::Minimum);
    tracer.emit_checked(minimum, &[&raised, &most], call.name, call.span)
}

/// A number of `i32` in a type.
fn everywhere(
    tracer: &mut Tracer<'_>,
    number: Extent,
    ty: &TensorType,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    match number.known() {
        Some(number) => {
            let number = Static::integer(number.min(i32::MAX.into()));
            tracer.constant(number, ty.dtype, &ty.shape, call.span)
        }
        None => {
            let number = tracer.size_tensor(number, ty.dtype, call.span)?;
            tracer.broadcast_to(number, &ty.shape, call.name, call.span)
        }
    }
}
