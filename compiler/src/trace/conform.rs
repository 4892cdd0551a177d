//! Where a value must have a type: arguments, declared variables, fields, stores, results.

use super::{
    deferred::tells_type,
    statics::{Static, StaticError, StaticType},
    tracer::Tracer,
    tree::Tree,
    types::{Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, Shape};
use std::rc::Rc;

impl Tracer<'_> {
    /// The value with the type that its place has: literals become tensors, everything else must be of
    /// the type already. `place` says what it is, "the argument `x`".
    pub(crate) fn conform(&mut self, value: Value, ty: &Type, span: SpanId, place: &str) -> Value {
        let span = self.value_span(span);
        match (value, ty) {
            (Value::Leaf(ValueLeaf::Deferred(deferred)), ty) if ty.is_run_time() => {
                match self.build(&deferred, ty) {
                    value if value.is_poisoned() => Value::POISON,
                    value => self.conform(value, ty, span, place),
                }
            }
            (Value::Leaf(value), Type::Leaf(ty)) => self.conform_leaf(value, ty, span, place),
            (Value::Struct(name, fields), Type::Struct(expected, types)) if name == *expected => {
                let fields = fields.into_iter().zip(types);
                let fields = fields.map(|((name, value), (_, ty))| {
                    let value = self.conform(value, ty, span, place);
                    (name, value)
                });
                Tree::Struct(name, fields.collect())
            }
            (Value::Tuple(items), Type::Tuple(types)) if items.len() == types.len() => {
                Tree::Tuple(self.conform_all(items, types, span, place))
            }
            (Value::Array(items), Type::Array(types)) if items.len() == types.len() => {
                Tree::Array(self.conform_all(items, types, span, place))
            }
            (Value::Leaf(ValueLeaf::Poison), _) | (_, Type::Leaf(TypeLeaf::Poison)) => {
                Value::POISON
            }
            (value, ty) => self.mismatch(&value.ty(), ty, span, place),
        }
    }

    /// The value with literals, and what waits for its type, as tensors of the expected type, where that is known. What differs is
    /// reported where the value goes.
    pub(crate) fn adopt(&mut self, value: Value, expected: Option<&Type>, span: SpanId) -> Value {
        let Some(expected) = expected else {
            return value;
        };
        if let Some(deferred) = value.as_deferred().filter(|_| tells_type(expected)) {
            return self.build(&Rc::clone(deferred), expected);
        }
        if !value.has_structure_of(expected) {
            return value;
        }
        let mut types = expected.leaves().into_iter();
        value.map(&mut |leaf| {
            let ty = types.next().map(|(_, ty)| ty);
            match (leaf, ty) {
                (ValueLeaf::Static(number), Some(ty @ TypeLeaf::Tensor(_)))
                    if number.ty.is_weak() =>
                {
                    match self.conform_leaf(leaf.clone(), ty, span, "the value") {
                        Value::Leaf(leaf) => leaf,
                        _ => ValueLeaf::Poison,
                    }
                }
                (ValueLeaf::Deferred(deferred), Some(TypeLeaf::Tensor(ty))) if !ty.is_open() => {
                    let tensor = self.build_tensor(deferred, ty);
                    tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
                }
                _ => leaf.clone(),
            }
        })
    }

    /// The value with what has no type of its own in a type that it may have, where it can be of that.
    pub(crate) fn typed(&mut self, value: &Value, ty: &Type, span: SpanId) -> Value {
        if let Some(deferred) = value.as_deferred().filter(|_| tells_type(ty)) {
            return self.build(deferred, ty);
        }
        if !value.has_structure_of(ty) {
            return value.clone();
        }
        let mut types = ty.leaves().into_iter();
        value.map(&mut |leaf| {
            let tensor = match (leaf, types.next()) {
                (ValueLeaf::Deferred(deferred), Some((_, TypeLeaf::Tensor(ty))))
                    if !ty.is_open() =>
                {
                    self.build_tensor(deferred, ty)
                }
                (ValueLeaf::Static(number), Some((_, TypeLeaf::Tensor(ty))))
                    if number.ty.is_weak() && number.ty.becomes(ty) =>
                {
                    self.constant(*number, ty.dtype, &ty.shape, span)
                }
                _ => return leaf.clone(),
            };
            tensor.map_or(ValueLeaf::Poison, ValueLeaf::Tensor)
        })
    }

    fn conform_all(
        &mut self,
        items: Vec<Value>,
        types: &[Type],
        span: SpanId,
        place: &str,
    ) -> Vec<Value> {
        let items = items.into_iter().zip(types).enumerate();
        items
            .map(|(position, (item, ty))| {
                let span = self.element_span(span, position);
                self.conform(item, ty, span, place)
            })
            .collect()
    }

    fn conform_leaf(
        &mut self,
        value: ValueLeaf,
        ty: &TypeLeaf,
        span: SpanId,
        place: &str,
    ) -> Value {
        match (value, ty) {
            (ValueLeaf::Poison, _) | (_, TypeLeaf::Poison) => Value::POISON,
            (ValueLeaf::Tensor(tensor), TypeLeaf::Tensor(ty)) if ty.admits(&tensor.ty) => {
                tensor.into()
            }
            (ValueLeaf::Tensor(tensor), TypeLeaf::Tensor(ty)) if tensor.adapts_to(ty) => {
                let adapted = self.adapt(&tensor, ty.dtype, span);
                adapted.map_or(Value::POISON, Value::from)
            }
            (ValueLeaf::Size(extent), TypeLeaf::Static(StaticType::Usize)) => Value::size(extent),
            (ValueLeaf::Static(number), TypeLeaf::Tensor(ty)) if ty.shape.rank() == 0 => {
                match self.constant(number, ty.dtype, &ty.shape, span) {
                    Some(tensor) => tensor.into(),
                    None => Value::POISON,
                }
            }
            (ValueLeaf::Static(number), TypeLeaf::Static(ty)) => match number.conform(*ty) {
                Ok(number) => number.into(),
                Err(error) => self.static_error(error, "this number", span),
            },
            (ValueLeaf::Callable(callable), TypeLeaf::Callable(Some(ty))) => {
                self.declared(callable, ty, span, place)
            }
            (text @ ValueLeaf::Text(_), TypeLeaf::Text)
            | (text @ ValueLeaf::Range(..), TypeLeaf::Range) => Value::Leaf(text),
            (ValueLeaf::Tensor(tensor), TypeLeaf::Static(ty)) => {
                let message = format!(
                    "{place} must be known while building: expected `{ty}`, found `{}`",
                    tensor.ty
                );
                self.error(Code::NotStatic, span, message)
            }
            (value, ty) => {
                let found = Value::Leaf(value).ty();
                self.mismatch(&found, &Type::Leaf(ty.clone()), span, place)
            }
        }
    }

    /// Reports that two types differ, by what differs most.
    pub(super) fn mismatch(
        &mut self,
        found: &Type,
        expected: &Type,
        span: SpanId,
        place: &str,
    ) -> Value {
        let code = match (found, expected) {
            (Type::Leaf(TypeLeaf::Tensor(found)), Type::Leaf(TypeLeaf::Tensor(expected))) => {
                if found.dtype != expected.dtype {
                    Code::DTypeMismatch
                } else {
                    Code::ShapeMismatch
                }
            }
            _ => Code::TypeMismatch,
        };
        let message = format!("{place}: expected `{expected}`, found `{found}`");
        let mut diagnostic = Diagnostic::new(code, span, message);
        if let (Type::Leaf(TypeLeaf::Tensor(found)), Type::Leaf(TypeLeaf::Tensor(expected))) =
            (found, expected)
        {
            if found.shape == expected.shape {
                let help = format!("convert it: `as {}`", expected.dtype);
                diagnostic = diagnostic.help(help);
            } else if found.dtype == expected.dtype && transposed(&found.shape, &expected.shape) {
                diagnostic =
                    diagnostic.help("the axes are the other way round: transpose with `t()`");
            }
        }
        self.report(diagnostic)
    }

    /// A number as a tensor that has it everywhere; `None` if it was reported that it cannot be one.
    pub(crate) fn constant(
        &mut self,
        number: Static,
        dtype: DType,
        shape: &Shape,
        span: SpanId,
    ) -> Option<Tensor> {
        if !self.accepts(number, dtype, span) {
            return None;
        }
        match self.builder.splat(number.value, dtype, shape, span) {
            Ok(tensor) => Some(tensor),
            Err(_) => {
                self.misfit(number, dtype, span);
                None
            }
        }
    }

    /// Reports a number that an element type does not have.
    pub(crate) fn misfit(&mut self, number: Static, dtype: DType, span: SpanId) {
        let message = format!("the literal `{number}` does not fit in `{dtype}`");
        self.report(Diagnostic::new(Code::Literal, span, message).help(literal_help(dtype)));
    }

    fn accepts(&mut self, number: Static, dtype: DType, span: SpanId) -> bool {
        let ty = StaticType::Element(dtype);
        if number.ty.unify(ty) == Some(ty) {
            return true;
        }
        let is_literal = number.ty.is_weak() && number.ty != StaticType::Real;
        let diagnostic = if is_literal {
            let message = format!("the literal `{number}` cannot become `{dtype}`");
            let help = match (number.ty, dtype.is_integer()) {
                (StaticType::Float, true) => {
                    "write an integer, or convert what it meets, for example `as f32`".to_owned()
                }
                _ => literal_help(dtype),
            };
            Diagnostic::new(Code::Literal, span, message).help(help)
        } else {
            let message = format!(
                "expected a `{dtype}`, found `{number}` of type `{}`",
                number.ty
            );
            let help = format!("convert it: `as {dtype}`");
            Diagnostic::new(Code::DTypeMismatch, span, message).help(help)
        };
        self.report(diagnostic);
        false
    }

    /// Reports why static arithmetic failed.
    pub(crate) fn static_error(&mut self, error: StaticError, what: &str, span: SpanId) -> Value {
        let (code, message) = match error {
            StaticError::Types(lhs, rhs) => {
                let message = format!("{what} needs one type, found `{lhs}` and `{rhs}`");
                let diagnostic = Diagnostic::new(Code::DTypeMismatch, span, message);
                return self.report(diagnostic.help(conversion_help(lhs, rhs)));
            }
            StaticError::Undefined(ty) => (
                Code::DTypeMismatch,
                format!("{what} is not defined for `{ty}`"),
            ),
            StaticError::Overflow(ty) => (
                Code::Literal,
                match what.starts_with('`') {
                    true => format!("the result of {what} does not fit in `{ty}`"),
                    false => format!("{what} does not fit in `{ty}`"),
                },
            ),
            StaticError::DivisionByZero => (
                Code::StaticEvaluation,
                format!("{what} divides by zero while building"),
            ),
        };
        self.error(code, span, message)
    }
}

fn conversion_help(lhs: StaticType, rhs: StaticType) -> String {
    let element = |ty| match ty {
        StaticType::Element(dtype) => Some(dtype),
        StaticType::Integer | StaticType::Float | StaticType::Real | StaticType::Usize => None,
    };
    match element(lhs).or(element(rhs)) {
        Some(dtype) => format!("convert the other, `as {dtype}`"),
        None => "convert the integer, for example `as f32`".to_owned(),
    }
}

fn literal_help(dtype: DType) -> String {
    match dtype {
        DType::Bool => "write `true` or `false`".to_owned(),
        _ if dtype.is_integer() => {
            let bits = 8 * dtype.size() as u32;
            let (low, high) = match dtype.class() {
                iree_abi::DTypeClass::Signed => {
                    (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
                }
                _ => (0, (1_i128 << bits) - 1),
            };
            format!("`{dtype}` holds the integers from {low} to {high}")
        }
        _ => format!("`{dtype}` has a smaller range: use a wider type"),
    }
}

fn transposed(found: &Shape, expected: &Shape) -> bool {
    found.rank() > 1 && found.dims().iter().rev().eq(expected.dims())
}
