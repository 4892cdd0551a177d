//! What operations share: operands of one type and shape, axes, and errors.

use super::super::{
    statics::{Static, StaticType},
    tracer::Tracer,
    tree::Tree,
    types::{GenericValue, Type},
    value::{Tensor, Value, ValueLeaf},
    weak,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, DTypeClass, Dim, Extent, Shape, TensorType};
use iree_dsl_ir::op::{Broadcast, InferError, Op};
use iree_dsl_library::broadcast::missing_axes;

impl Tracer<'_> {
    /// Adds an operation with one result; what it refuses is reported under the name that users know.
    pub(crate) fn emit_named(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        name: &str,
        span: SpanId,
    ) -> Value {
        match self.emit(op, operands, span) {
            Ok(tensor) => tensor.into(),
            Err(error) => self.infer_error(&error, name, span),
        }
    }

    /// Reports why an operation does not exist for its operands.
    pub(crate) fn infer_error(&mut self, error: &InferError, name: &str, span: SpanId) -> Value {
        let diagnostic = infer_diagnostic(error, name, span);
        let is_power = name == "^" && matches!(error, InferError::DType { .. });
        let help = is_power.then(|| "a power is written `x.powi(2)` or `x.powf(y)`".to_owned());
        self.report(diagnostic.help_if(help))
    }
}

/// Why an operation does not exist for its operands, under the name that users know.
pub(super) fn infer_diagnostic(error: &InferError, name: &str, span: SpanId) -> Diagnostic {
    let (code, message) = match error {
        InferError::DType { dtype, .. } => (
            Code::DTypeMismatch,
            format!("`{name}` is not defined for `{dtype}`"),
        ),
        InferError::DTypes(lhs, rhs) if name == "as" => (
            Code::DTypeMismatch,
            format!("a `{lhs}` cannot become a `{rhs}`"),
        ),
        InferError::DTypes(lhs, rhs) => (
            Code::DTypeMismatch,
            format!("`{name}` needs one element type, found `{lhs}` and `{rhs}`"),
        ),
        InferError::Accumulator(..) => (Code::DTypeMismatch, format!("`{name}`: {error}")),
        InferError::Empty(_) => (
            Code::ShapeMismatch,
            format!("`{name}` of no elements has no value"),
        ),
        InferError::Axis { .. } | InferError::RepeatedAxis(_) => {
            (Code::Axis, format!("`{name}`: {error}"))
        }
        other => (Code::ShapeMismatch, format!("`{name}`: {other}")),
    };
    let diagnostic = Diagnostic::new(code, span, message);
    match error {
        InferError::DType { dtype, .. } if dtype.is_integer() || *dtype == DType::Bool => {
            let target = match *dtype {
                DType::U64 if name == "-" => "i64",
                DType::Bool => "i32",
                _ if name == "-" => "i32",
                _ => "f32",
            };
            diagnostic.help(format!("convert it, for example `as {target}`"))
        }
        _ => diagnostic,
    }
}

impl Tracer<'_> {
    /// The operands as tensors of one element type; literals take the type of the others.
    pub(crate) fn same_dtype<const N: usize>(
        &mut self,
        operands: [(Value, SpanId); N],
        name: &str,
        span: SpanId,
    ) -> Option<[Tensor; N]> {
        let literal = weak::common_literal(operands.iter().map(|(value, _)| value));
        let literal = literal.and_then(|literal| self.type_of_literal(literal, (span, 0)));
        let (dtype, weak) = match literal {
            Some(joined) => (joined.ty.dtype, joined.weak),
            None => (self.common_dtype(&operands, name, span)?, None),
        };
        let shape = common_shape(&operands);
        let mut tensors = Vec::with_capacity(N);
        for (value, span) in operands {
            tensors.push(match value {
                Value::Leaf(ValueLeaf::Static(number)) => Tensor {
                    weak,
                    ..self.constant(number, dtype, &shape, span)?
                },
                Value::Leaf(ValueLeaf::Tensor(tensor)) if tensor.ty.dtype != dtype => {
                    self.adapt(&tensor, dtype, span)?
                }
                value => self.tensor(value, name, span)?,
            });
        }
        tensors.try_into().ok()
    }

    /// A value as a tensor that broadcasts to a shape: numbers, and what has no type of its own, take the type.
    pub(crate) fn tensor_like(
        &mut self,
        (value, span): (Value, SpanId),
        (dtype, shape): (DType, &Shape),
        name: &str,
    ) -> Option<Tensor> {
        match value {
            Value::Leaf(ValueLeaf::Static(number)) => self.constant(number, dtype, shape, span),
            Value::Leaf(ValueLeaf::Deferred(deferred)) => self.build_for(&deferred, dtype, shape),
            value => self.tensor(value, name, span),
        }
    }

    /// A number, or a tensor of any shape, as a tensor of an element type; what it is stands in messages.
    pub(crate) fn tensor_of(
        &mut self,
        (value, span): (Value, SpanId),
        dtype: DType,
        name: &str,
    ) -> Option<Tensor> {
        let tensor = self.tensor_like((value, span), (dtype, &Shape::default()), name)?;
        self.with_dtype(tensor, dtype, name, span)
    }

    /// A tensor that must be of an element type.
    pub(crate) fn with_dtype(
        &mut self,
        tensor: Tensor,
        dtype: DType,
        name: &str,
        span: SpanId,
    ) -> Option<Tensor> {
        if tensor.ty.dtype == dtype {
            return Some(tensor);
        }
        if let Some(adapted) = self.adapt(&tensor, dtype, span) {
            return Some(adapted);
        }
        let found = tensor.ty.dtype;
        self.infer_error(&InferError::DTypes(dtype, found), name, span);
        None
    }

    fn common_dtype(
        &mut self,
        operands: &[(Value, SpanId)],
        name: &str,
        span: SpanId,
    ) -> Option<DType> {
        let common = weak::common_dtype(operands.iter().map(|(value, _)| value));
        let is_number = |value: &Value| matches!(value, Value::Leaf(ValueLeaf::Static(_)));
        let mut found: Option<StaticType> = None;
        for (value, operand_span) in operands {
            let ty = match value {
                Value::Leaf(ValueLeaf::Tensor(tensor)) => weak::element_beside(tensor, common),
                Value::Leaf(ValueLeaf::Static(number)) => number.ty,
                Value::Leaf(ValueLeaf::Size(_)) => StaticType::Usize,
                other => {
                    self.not_a_number(other, name, *operand_span);
                    return None;
                }
            };
            found = Some(match found {
                None => ty,
                // What a literal cannot become is reported where it becomes a constant.
                Some(known) if ty.is_weak() && !known.is_weak() => known,
                Some(known) if known.is_weak() && !ty.is_weak() => ty,
                Some(known) => match known.unify(ty) {
                    Some(unified) => unified,
                    None => {
                        let mut before = operands.iter().map(|(value, _)| value);
                        let number = match is_number(value) {
                            true => Some((ty, known)),
                            false => before.any(is_number).then_some((known, ty)),
                        };
                        return self.dtypes_differ([known, ty], number, name, span);
                    }
                },
            });
        }
        let dtype = found.and_then(StaticType::default_dtype);
        if dtype.is_none() {
            let message = format!("`{name}` needs a tensor, found a number of type `usize`");
            let diagnostic = Diagnostic::new(Code::DTypeMismatch, span, message);
            self.report(diagnostic.help("convert it, for example `as f32`"));
        }
        dtype
    }

    /// Reports two operands of different types; `number` has the type of the number and that of the tensor, if one of the two is a
    /// number.
    fn dtypes_differ(
        &mut self,
        [lhs, rhs]: [StaticType; 2],
        number: Option<(StaticType, StaticType)>,
        name: &str,
        span: SpanId,
    ) -> Option<DType> {
        let message = format!("`{name}` needs one element type, found `{lhs}` and `{rhs}`");
        let help = match (lhs, rhs, common_complex(lhs, rhs)) {
            (.., Some(target)) => format!("convert what is not `{target}` with `as {target}`"),
            (StaticType::Usize, target, _) | (target, StaticType::Usize, _) => {
                format!("convert the `usize` with `as {target}`")
            }
            (lhs, ..) => match number {
                Some((number, StaticType::Element(dtype))) => {
                    let target = self.element_name(dtype);
                    format!("convert the number, which is `{number}`, with `as {target}`")
                }
                _ => format!("convert one of them, for example with `as {lhs}`"),
            },
        };
        self.report(Diagnostic::new(Code::DTypeMismatch, span, message).help(help));
        None
    }

    /// An element type as the function has it that is traced: the parameter that stands for it, if there is one.
    fn element_name(&self, dtype: DType) -> String {
        let generics = self.frame.generics.iter();
        let mut names = generics.filter_map(|(name, value)| match value {
            GenericValue::Element(element) => (*element == dtype).then_some(name),
            _ => None,
        });
        match (names.next(), names.next()) {
            (Some(name), None) => name.to_owned(),
            _ => dtype.to_string(),
        }
    }

    /// The operands with one shape, by NumPy's rules.
    pub(crate) fn broadcast(
        &mut self,
        operands: Vec<Tensor>,
        name: &str,
        span: SpanId,
    ) -> Option<Vec<Tensor>> {
        let mut shape = Shape::default();
        for operand in &operands {
            shape = match super::broadcast_shapes(&shape, &operand.ty.shape) {
                Ok(shape) => shape,
                Err(axis) => {
                    self.report_broadcast(&shape, &operand.ty.shape, axis, name, span);
                    return None;
                }
            };
        }
        let operands = operands.into_iter();
        operands
            .map(|operand| {
                self.check_repeated(&operand, &shape)?;
                self.broadcast_to(operand, &shape, name, span)
            })
            .collect()
    }

    fn report_broadcast(
        &mut self,
        lhs: &Shape,
        rhs: &Shape,
        (from_the_right, left, right): (usize, Dim, Dim),
        name: &str,
        span: SpanId,
    ) {
        let message = format!(
            "`{name}` cannot combine `{lhs}` and `{rhs}`: the sizes {left} and {right} at axis -{from_the_right} differ"
        );
        let diagnostic = Diagnostic::new(Code::ShapeMismatch, span, message);
        let transposed = lhs.rank() == 2 && lhs.dims().iter().rev().eq(rhs.dims());
        let help = match (transposed, name) {
            (true, _) => {
                Some("the axes are the other way round: transpose one side with `t()`".to_owned())
            }
            (false, "*") if are_factors(lhs, rhs) => Some(
                "`*` multiplies element by element; the product of matrices is `a.matmul(b)`"
                    .to_owned(),
            ),
            _ => axes_to_insert(lhs, rhs),
        };
        self.report(diagnostic.help_if(help));
    }

    /// A tensor repeated to a shape that it broadcasts to; the axes align at the end.
    pub(crate) fn broadcast_to(
        &mut self,
        operand: Tensor,
        shape: &Shape,
        name: &str,
        span: SpanId,
    ) -> Option<Tensor> {
        if operand.ty.shape == *shape {
            return Some(operand);
        }
        let Some(offset) = shape.rank().checked_sub(operand.ty.shape.rank()) else {
            let error = InferError::Broadcast(operand.ty.shape, shape.clone());
            self.infer_error(&error, name, span);
            return None;
        };
        let op = Broadcast {
            shape: shape.clone(),
            axes: (offset..shape.rank()).collect(),
        };
        self.emit_checked(Op::Broadcast(op), &[&operand], name, span)
    }

    /// Adds an operation with one result; `None` if it was reported that it is refused.
    pub(crate) fn emit_checked(
        &mut self,
        op: Op,
        operands: &[&Tensor],
        name: &str,
        span: SpanId,
    ) -> Option<Tensor> {
        match self.emit(op, operands, span) {
            Ok(tensor) => Some(tensor),
            Err(error) => {
                self.infer_error(&error, name, span);
                None
            }
        }
    }

    /// The axis that a value names, counted from the end if negative.
    pub(crate) fn axis(
        &mut self,
        (value, span): (Value, SpanId),
        rank: usize,
        name: &str,
    ) -> Option<usize> {
        let Value::Leaf(ValueLeaf::Static(Static { value: number, .. })) = &value else {
            let message = format!(
                "the axis of `{name}` must be an integer known while building, found `{}`",
                value.ty()
            );
            self.error(Code::NotStatic, span, message);
            return None;
        };
        let iree_dsl_ir::Scalar::Integer(axis) = *number else {
            let message = format!("the axis of `{name}` must be an integer");
            self.error(Code::Axis, span, message);
            return None;
        };
        let rank_i = rank as i128;
        let from_start = if axis < 0 { axis + rank_i } else { axis };
        match usize::try_from(from_start) {
            Ok(found) if found < rank => Some(found),
            _ => {
                let count = match rank {
                    0 => "a scalar".to_owned(),
                    1 => "a tensor with 1 axis".to_owned(),
                    _ => format!("a tensor with {rank} axes"),
                };
                let message = format!("there is no axis {axis} in {count}");
                let diagnostic = Diagnostic::new(Code::Axis, span, message);
                self.report(match rank {
                    0 => diagnostic,
                    _ => diagnostic.help(format!("axes are {}", valid_axes(rank))),
                });
                None
            }
        }
    }

    /// One axis or a list of them, each once.
    pub(crate) fn axes(
        &mut self,
        (value, span): (Value, SpanId),
        rank: usize,
        name: &str,
    ) -> Option<Vec<usize>> {
        let items = match value {
            Tree::Array(items) | Tree::Tuple(items) => items,
            value => vec![value],
        };
        let mut axes = Vec::with_capacity(items.len());
        for (position, item) in items.into_iter().enumerate() {
            let span = self.element_span(span, position);
            let axis = self.axis((item, span), rank, name)?;
            if axes.contains(&axis) {
                let message = format!("`{name}` names the axis {axis} twice");
                self.error(Code::Axis, span, message);
                return None;
            }
            axes.push(axis);
        }
        Some(axes)
    }

    /// An integer that is known.
    pub(crate) fn integer(&mut self, (value, span): (Value, SpanId), name: &str) -> Option<i128> {
        let number = match &value {
            Value::Leaf(ValueLeaf::Static(number)) => number.as_integer(),
            _ => None,
        };
        if number.is_none() {
            let message = format!("`{name}` takes an integer known while building");
            self.error(Code::NotStatic, span, message);
        }
        number
    }

    /// A list of sizes.
    pub(crate) fn extents(
        &mut self,
        (value, span): (Value, SpanId),
        name: &str,
    ) -> Option<Vec<Extent>> {
        let items = match value {
            Tree::Array(items) | Tree::Tuple(items) => items,
            value => vec![value],
        };
        let items: Vec<_> = items.into_iter().flat_map(spread).collect();
        let numbers: Option<Vec<_>> = items.iter().map(Value::as_extent).collect();
        if numbers.is_none() && !items.iter().any(Value::is_poisoned) {
            let wrong = items.iter().position(|item| item.as_extent().is_none());
            let wrong = wrong.unwrap_or(0);
            let found = items.get(wrong).map_or(Type::POISON, Value::ty);
            let message = format!("`{name}` takes integers known while building, found `{found}`");
            let span = self.element_span(span, wrong);
            self.error(Code::NotStatic, span, message);
        }
        numbers
    }

    /// Refuses what is not a tensor of real or complex numbers.
    pub(crate) fn require_fractions(
        &mut self,
        ty: &TensorType,
        name: &str,
        span: SpanId,
    ) -> Option<()> {
        match ty.dtype.class() {
            DTypeClass::Float | DTypeClass::Complex => Some(()),
            _ => {
                let operation = "";
                let dtype = ty.dtype;
                self.infer_error(&InferError::DType { operation, dtype }, name, span);
                None
            }
        }
    }
}

/// The sizes that a generic parameter for any number of dimensions stands for, or the one that it is.
fn spread(item: Value) -> Vec<Value> {
    match item {
        Tree::Array(sizes) => sizes,
        item => vec![item],
    }
}

/// The shape that literals take: that of the tensors if they have one, else a scalar's.
fn common_shape(operands: &[(Value, SpanId)]) -> Shape {
    let shapes = operands.iter().filter_map(|(value, _)| match value {
        Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(&tensor.ty.shape),
        _ => None,
    });
    let mut shapes = shapes.peekable();
    let first = shapes.peek().copied().cloned().unwrap_or_default();
    match shapes.all(|shape| *shape == first) {
        true => first,
        false => Shape::default(),
    }
}

fn valid_axes(rank: usize) -> String {
    match rank {
        1 => "0 or -1".to_owned(),
        _ => format!("0 to {} or -{rank} to -1", rank - 1),
    }
}

/// Whether there is a product of matrices of these shapes.
fn are_factors(lhs: &Shape, rhs: &Shape) -> bool {
    match (lhs.dims(), rhs.dims()) {
        ([.., _, columns], [.., rows, _]) => columns == rows,
        _ => false,
    }
}

/// Where to insert axes into the shape of lower rank, so that both broadcast.
fn axes_to_insert(lhs: &Shape, rhs: &Shape) -> Option<String> {
    let (short, long) = match lhs.rank() < rhs.rank() {
        true => (lhs, rhs),
        false => (rhs, lhs),
    };
    let axes = missing_axes(short, long)?;
    let calls: String = axes
        .iter()
        .map(|axis| format!(".insert_axis({axis})"))
        .collect();
    Some(format!(
        "axes align at the end: `{short}` fits `{long}` with an axis of 1, by `{calls}`"
    ))
}

/// How numbers of an element type that are no integers become places.
pub(crate) fn as_integers(dtype: DType) -> Option<String> {
    let is_float = dtype.class() == DTypeClass::Float;
    is_float.then(|| "convert to integers: `x as i32` rounds towards zero".to_owned())
}

/// What holds a complex number and another, if one of them is complex.
fn common_complex(lhs: StaticType, rhs: StaticType) -> Option<StaticType> {
    let (StaticType::Element(lhs), StaticType::Element(rhs)) = (lhs, rhs) else {
        return None;
    };
    let is_wide = |dtype: DType| match dtype.class() {
        DTypeClass::Complex => dtype == DType::C128,
        _ => dtype.size() > DType::F32.size(),
    };
    let is_complex = |dtype: DType| dtype.class() == DTypeClass::Complex;
    let common = match is_wide(lhs) || is_wide(rhs) {
        true => DType::C128,
        false => DType::C64,
    };
    (is_complex(lhs) || is_complex(rhs)).then_some(StaticType::Element(common))
}
