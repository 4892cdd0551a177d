//! Elements at places that the program computes.

use super::{
    super::{
        index::Axis,
        statics::Static,
        tracer::Tracer,
        tree::Tree,
        value::{Tensor, Value, ValueLeaf},
    },
    OperationCall, as_integers, build,
    formula::formula,
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Dim, Shape, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData,
    op::{Op, Scatter, ScatterKind},
};
use iree_dsl_library::lookup;

type Result = Option<Value>;

pub(super) fn take(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let axis = tracer.axis(call.argument(2)?, operand.ty.shape.rank(), call.name)?;
    let places = places_along(tracer, &operand, axis, &call)?;
    let operands = [&operand, &places];
    let taken = formula(tracer, &call, operands, |[x, places]| {
        lookup::take(&x, &places, axis)
    });
    taken.map(Value::from)
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

/// The elements at places along an axis, each in its own line.
pub(super) fn along(
    tracer: &mut Tracer<'_>,
    operand: &Tensor,
    places: &Tensor,
    axis: usize,
    call: &OperationCall<'_>,
) -> Option<Tensor> {
    formula(tracer, call, [operand, places], |[x, places]| {
        lookup::take_along(&x, &places, axis)
    })
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
    let both = super::broadcast_shapes(shape, to);
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
        let diagnostic = Diagnostic::new(Code::DTypeMismatch, span, message);
        tracer.report(diagnostic.help_if(as_integers(dtype)));
        return None;
    }
    formula(tracer, call, [&places], |[places]| {
        lookup::indices(&places, &size)
    })
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
