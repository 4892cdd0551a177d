//! What depends on the diagonal of the last two axes.

use super::{
    super::{statics::Static, tracer::Tracer, value::Value},
    OperationCall, build,
    formula::{formula, traced},
};
use crate::diagnostic::{Code, Diagnostic};
use iree_abi::{DType, Shape};
use iree_dsl_ir::op::CompareOp;
use iree_dsl_library::diagonal;

type Result = Option<Value>;

pub(super) fn eye(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = build::one_type(tracer, &call)?;
    has_two_axes(tracer, &call, &ty.shape)?;
    let eye = traced(tracer, &call, |formula| Some(diagonal::eye(formula, &ty)))?;
    Some(eye.settled().into())
}

pub(super) fn tri_lower(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    triangle(tracer, &call, CompareOp::GreaterEqual)
}

pub(super) fn tri_upper(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    triangle(tracer, &call, CompareOp::LessEqual)
}

pub(super) fn diagonal(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let shape = &operand.ty.shape;
    has_two_axes(tracer, &call, shape)?;
    if let [.., rows, columns] = shape.dims()
        && rows != columns
        && rows.known().zip(columns.known()).is_none()
    {
        let message = format!(
            "`diagonal` needs to know which of `{rows}` and `{columns}` is smaller while building"
        );
        let help =
            "give both sizes one name, or take a part of which both are known: `x[s![..3, ..3]]`";
        let diagnostic = Diagnostic::new(Code::NotStatic, call.span, message);
        return Some(tracer.report(diagnostic.help(help)));
    }
    let diagonal = formula(tracer, &call, [&operand], |[x]| diagonal::diagonal(&x));
    diagonal.map(Value::from)
}

pub(super) fn trace(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let operand = call.tensor(tracer, 0)?;
    has_two_axes(tracer, &call, &operand.ty.shape)?;
    let trace = formula(tracer, &call, [&operand], |[x]| diagonal::trace(&x));
    trace.map(Value::from)
}

fn triangle(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, relation: CompareOp) -> Result {
    let operand = call.tensor(tracer, 0)?;
    let distance = match call.argument(1) {
        Some(distance) => tracer.integer(distance, call.name)?,
        None => 0,
    };
    has_two_axes(tracer, call, &operand.ty.shape)?;
    let Ok(distance) = i32::try_from(distance) else {
        tracer.misfit(Static::integer(distance), DType::I32, call.span);
        return None;
    };
    let triangle = formula(tracer, call, [&operand], |[x]| {
        diagonal::triangle(&x, relation, distance)
    });
    triangle.map(Value::from)
}

fn has_two_axes(tracer: &mut Tracer<'_>, call: &OperationCall<'_>, shape: &Shape) -> Option<()> {
    if shape.rank() >= 2 {
        return Some(());
    }
    let message = format!("`{}` needs two axes, found `{shape}`", call.name);
    let is_built = call.arguments.is_empty() && call.generics.is_empty();
    let help = "its shape is that of what it meets, unless it is said, as in `eye::<f64, 3, 3>()`";
    let help = is_built.then(|| help.to_owned());
    tracer.report(Diagnostic::new(Code::ShapeMismatch, call.span, message).help_if(help));
    None
}
