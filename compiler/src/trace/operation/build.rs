use super::{
    super::{
        deferred::tells_type,
        statics::{Static, StaticType},
        tracer::Tracer,
        tree::Tree,
        types::{Type, TypeLeaf},
        value::{Tensor, Value, ValueLeaf},
        weak::Joined,
    },
    OperationCall, OperationForm, as_integers,
    formula::formula,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, Dim, TensorType};
use iree_dsl_ir::{
    Constant, ConstantData,
    op::{Iota, Op},
};
use iree_dsl_library::lookup;

type Result = Option<Value>;

pub(super) fn zeros(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = built_type(tracer, &call)?;
    fill(tracer, &ty, &|dtype| simple(0, dtype), call.span)
}

pub(super) fn ones(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = built_type(tracer, &call)?;
    fill(tracer, &ty, &|dtype| simple(1, dtype), call.span)
}

pub(super) fn zeros_like(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    simple_like(tracer, 0, &call)
}

pub(super) fn ones_like(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    simple_like(tracer, 1, &call)
}

fn simple_like(tracer: &mut Tracer<'_>, number: i128, call: &OperationCall<'_>) -> Result {
    let (value, span) = call.argument(0)?;
    let ty = run_time_type(tracer, &value, call.name, span)?;
    fill(tracer, &ty, &|dtype| simple(number, dtype), call.span)
}

pub(super) fn full(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = built_type(tracer, &call)?;
    fill_with(tracer, &ty, call.argument(0)?, &call)
}

pub(super) fn full_like(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (value, span) = call.argument(0)?;
    let ty = run_time_type(tracer, &value, call.name, span)?;
    fill_with(tracer, &ty, call.argument(1)?, &call)
}

/// 0 and 1 exist in every element type.
pub(super) fn simple(number: i128, dtype: DType) -> Static {
    match dtype {
        DType::Bool => Static::bool(number != 0),
        _ => Static::integer(number),
    }
}

pub(super) fn fill_with(
    tracer: &mut Tracer<'_>,
    ty: &Type,
    (value, span): (Value, SpanId),
    call: &OperationCall<'_>,
) -> Result {
    match value {
        Value::Leaf(ValueLeaf::Static(number)) => fill(tracer, ty, &|_| number, span),
        value => {
            let scalar = tracer.tensor(value, call.name, span)?;
            let mut failed = false;
            let filled = ty.map(&mut |leaf| match leaf {
                TypeLeaf::Tensor(ty) => match repeat(tracer, &scalar, ty, call, span) {
                    Some(tensor) => ValueLeaf::Tensor(tensor),
                    None => {
                        failed = true;
                        ValueLeaf::Poison
                    }
                },
                _ => ValueLeaf::Poison,
            });
            (!failed).then_some(filled)
        }
    }
}

fn repeat(
    tracer: &mut Tracer<'_>,
    scalar: &Tensor,
    ty: &TensorType,
    call: &OperationCall<'_>,
    span: SpanId,
) -> Option<Tensor> {
    let expected = Type::from(TensorType::new(ty.dtype, []));
    let place = format!("the number given to `{}`", call.name);
    match tracer.conform(scalar.clone().into(), &expected, span, &place) {
        Value::Leaf(ValueLeaf::Tensor(scalar)) => {
            tracer.broadcast_to(scalar, &ty.shape, call.name, call.span)
        }
        _ => None,
    }
}

fn fill(
    tracer: &mut Tracer<'_>,
    ty: &Type,
    number: &dyn Fn(DType) -> Static,
    span: SpanId,
) -> Result {
    let mut failed = false;
    let filled = ty.map(&mut |leaf| {
        let tensor = match leaf {
            TypeLeaf::Tensor(ty) => tracer.constant(number(ty.dtype), ty.dtype, &ty.shape, span),
            _ => None,
        };
        match tensor {
            Some(tensor) => ValueLeaf::Tensor(tensor),
            None => {
                failed = true;
                ValueLeaf::Poison
            }
        }
    });
    (!failed).then_some(filled)
}

/// What a call builds: the type between the angle brackets, or the expected one.
fn built_type(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<Type> {
    if !call.generics.is_empty() {
        let ty = tracer.tensor_type(call.generics, call.span)?;
        if !ty.is_open() {
            return Some(ty.into());
        }
    }
    match call.expected {
        Some(Type::Leaf(TypeLeaf::Poison)) => None,
        Some(ty) if tells_type(ty) => Some(ty.clone()),
        _ => {
            let usage = super::find(call.name, OperationForm::Function)?.usage;
            tracer.type_does_not_follow(call.name, usage, call.span);
            None
        }
    }
}

fn run_time_type(tracer: &mut Tracer<'_>, value: &Value, name: &str, span: SpanId) -> Option<Type> {
    let ty = value.ty();
    if ty.is_run_time() {
        return Some(ty);
    }
    tracer.not_a_number(value, name, span);
    None
}

/// The type of the one tensor that a call builds.
pub(super) fn one_type(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<TensorType> {
    match built_type(tracer, call)? {
        Type::Leaf(TypeLeaf::Tensor(ty)) => Some(ty),
        other => {
            let message = format!(
                "`{}` builds one tensor, but a `{other}` is expected",
                call.name
            );
            tracer.error(Code::TypeMismatch, call.span, message);
            None
        }
    }
}

pub(super) fn iota(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let ty = one_type(tracer, &call)?;
    if ty.shape.rank() == 0 {
        let message = format!("`iota` counts along an axis, and a `{ty}` has none");
        let help = format!(
            "its shape is that of what it meets, unless it is said: `iota::<{}, 5>(0)`",
            ty.dtype
        );
        let diagnostic = Diagnostic::new(Code::Axis, call.span, message).help(help);
        return Some(tracer.report(diagnostic));
    }
    let axis = match call.argument(0) {
        Some(axis) => tracer.axis(axis, ty.shape.rank(), call.name)?,
        None => 0,
    };
    Some(tracer.emit_named(Op::Iota(Iota { ty, axis }), &[], call.name, call.span))
}

pub(super) fn one_hot(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let indices = call.tensor(tracer, 0)?;
    let (dtype, size) = classes(tracer, &call)?;
    if !indices.ty.dtype.is_integer() {
        let message = format!("`one_hot` needs integers, found `{}`", indices.ty);
        let diagnostic = Diagnostic::new(Code::DTypeMismatch, call.span, message);
        return Some(tracer.report(diagnostic.help_if(as_integers(indices.ty.dtype))));
    }
    if size == Dim::Any {
        let message = "`one_hot` needs to know the number of classes";
        return Some(tracer.error(Code::CannotInfer, call.span, message));
    }
    let classes = formula(tracer, &call, [&indices], |[places]| {
        lookup::one_hot(&places, size, dtype)
    });
    classes.map(|classes| classes.settled().into())
}

/// The element type and the number of classes between the angle brackets, or of the expected type.
fn classes(tracer: &mut Tracer<'_>, call: &OperationCall<'_>) -> Option<(DType, Dim)> {
    match (call.generics, call.expected) {
        ([element, size], _) => {
            let dtype = tracer.element_type(element)?;
            Some((dtype, tracer.dimension(size)?))
        }
        ([], Some(Type::Leaf(TypeLeaf::Tensor(ty)))) if let Some(last) = ty.shape.dims().last() => {
            Some((ty.dtype, last.clone()))
        }
        _ => {
            let message = "`one_hot` needs the element type and the number of classes";
            let help = "name them: `labels.one_hot::<f32, 10>()`";
            tracer.report(Diagnostic::new(Code::CannotInfer, call.span, message).help(help));
            None
        }
    }
}

/// How an array with tensors in it becomes a tensor.
fn stack_instead(value: &Value) -> Option<String> {
    let Tree::Array(rows) = value else {
        return None;
    };
    if value.tensors().is_empty() {
        return None;
    }
    let call = match rows.iter().any(|row| matches!(row, Tree::Array(_))) {
        true => "stack([stack([a, b], 0), stack([c, d], 0)], 0)",
        false => "stack([a, b], 0)",
    };
    Some(format!("tensors are put together with `{call}`"))
}

pub(super) fn tensor(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Result {
    let (value, span) = call.argument(0)?;
    let Some((sizes, numbers)) = nested(&value) else {
        let message = "`tensor` takes nested arrays of numbers, each level of one length";
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, span, message);
        return Some(tracer.report(diagnostic.help_if(stack_instead(&value))));
    };
    let mut ty = StaticType::Integer;
    for number in &numbers {
        ty = match ty.unify(number.ty) {
            Some(ty) => ty,
            None if ty == StaticType::Integer => number.ty,
            None => {
                let message = format!(
                    "`tensor` needs one element type, found `{ty}` and `{}`",
                    number.ty
                );
                return Some(tracer.error(Code::DTypeMismatch, span, message));
            }
        };
    }
    let expected = match call.expected {
        Some(Type::Leaf(TypeLeaf::Tensor(expected))) if ty.is_weak() => Some(expected.dtype),
        _ => None,
    };
    let joined = match expected {
        Some(dtype) => Some(Joined::of(TensorType::new(dtype, []))),
        None => tracer.type_of_literal(ty, (call.span, 0)),
    };
    let (dtype, weak) = match joined {
        Some(joined) => (joined.ty.dtype, joined.weak),
        None => {
            let message = "`tensor` needs numbers of an element type, found `usize`";
            return Some(tracer.error(Code::DTypeMismatch, span, message));
        }
    };
    let encoded = numbers.iter().map(|number| number.value.encode(dtype));
    let encoded: Vec<_> = encoded.collect();
    let misfit = numbers
        .iter()
        .zip(&encoded)
        .find(|(_, bytes)| bytes.is_err());
    if let Some((number, _)) = misfit {
        let message = format!("the literal `{number}` does not fit in `{dtype}`");
        let diagnostic = Diagnostic::new(Code::Literal, span, message);
        let poison = tracer.report(match weak {
            Some(_) => diagnostic.help(format!("nothing decides the element type, so it is `{dtype}`: declare it, `let x: Tensor<u32, _> = tensor(..)`, or write it behind a number, `1_u32`")),
            None => diagnostic,
        });
        // What it meets may have room for it.
        if weak.is_none() {
            return Some(poison);
        }
    }
    let nothing = || vec![0; dtype.size()];
    let encoded = encoded
        .into_iter()
        .map(|bytes| bytes.unwrap_or_else(|_| nothing()));
    let bytes = encoded.flatten().collect();
    let constant = Constant {
        ty: TensorType::new(dtype, sizes.as_slice()),
        data: ConstantData::Dense(bytes),
    };
    let constant = tracer.emit_checked(Op::Constant(constant), &[], call.name, call.span)?;
    Some(Tensor { weak, ..constant }.into())
}

/// The sizes and numbers of nested arrays; `None` if a level has several lengths.
pub(super) fn nested(value: &Value) -> Option<(Vec<usize>, Vec<Static>)> {
    match value {
        Tree::Leaf(ValueLeaf::Static(number)) => Some((Vec::new(), vec![*number])),
        Tree::Array(items) => {
            let mut sizes = None;
            let mut numbers = Vec::new();
            for item in items {
                let (inner, more) = nested(item)?;
                if *sizes.get_or_insert_with(|| inner.clone()) != inner {
                    return None;
                }
                numbers.extend(more);
            }
            let mut all = vec![items.len()];
            all.extend(sizes.unwrap_or_default());
            Some((all, numbers))
        }
        _ => None,
    }
}
