//! Operators: arithmetic and comparison of tensors and static numbers in every combination, and `as`.

use super::super::{
    frame::Flow,
    statics::{self, Static, StaticType},
    tracer::Tracer,
    types::{Type, TypeLeaf},
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{self, BinaryOperator, Expr, ExprKind, UnaryOperator},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::DType;
use iree_dsl_ir::{
    Scalar,
    op::{BinaryOp, CompareOp, Op, UnaryOp},
};

impl Tracer<'_> {
    /// `-x` or `!x`.
    pub(crate) fn unary_value(
        &mut self,
        operator: UnaryOperator,
        value: Value,
        operand_span: SpanId,
        span: SpanId,
    ) -> Value {
        let (symbol, op) = match operator {
            UnaryOperator::Negate => ("-", UnaryOp::Negate),
            UnaryOperator::Not => ("!", UnaryOp::Not),
        };
        match value {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => {
                self.emit_named(Op::Unary(op), &[&tensor], symbol, span)
            }
            Value::Leaf(ValueLeaf::Static(number)) => {
                let result = match operator {
                    UnaryOperator::Negate => number.negate(),
                    UnaryOperator::Not => number.not(),
                };
                match result {
                    Ok(number) => number.into(),
                    Err(error) => self.static_error(error, &format!("`{symbol}`"), span),
                }
            }
            Value::Leaf(ValueLeaf::Poison) => Value::POISON,
            other => match self.defer_unary(operator, &other, span) {
                Some(deferred) => deferred,
                None => self.not_a_number(&other, symbol, operand_span),
            },
        }
    }

    /// `a op b` as written.
    pub(super) fn binary_expr(
        &mut self,
        operator: BinaryOperator,
        lhs: &Expr,
        rhs: &Expr,
        expected: Option<&Type>,
        span: SpanId,
    ) -> Flow {
        let of_operand = |operand| expected.filter(|_| takes_type_of_result(operator, operand));
        let left = (self.expr(lhs, of_operand(lhs))?, lhs.span);
        let right = (self.expr(rhs, of_operand(rhs))?, rhs.span);
        Ok(self.binary_value(operator, left, right, span))
    }

    /// `a op b`.
    pub(crate) fn binary_value(
        &mut self,
        operator: BinaryOperator,
        (lhs, lhs_span): (Value, SpanId),
        (rhs, rhs_span): (Value, SpanId),
        span: SpanId,
    ) -> Value {
        let symbol = operator.symbol();
        match (lhs, rhs) {
            (Value::Leaf(ValueLeaf::Poison), _) | (_, Value::Leaf(ValueLeaf::Poison)) => {
                Value::POISON
            }
            (Value::Leaf(ValueLeaf::Static(lhs)), Value::Leaf(ValueLeaf::Static(rhs))) => {
                match statics::binary(operator, lhs, rhs) {
                    Ok(number) => number.into(),
                    Err(error) => self.static_error(error, &format!("`{symbol}`"), span),
                }
            }
            (Value::Leaf(ValueLeaf::Text(lhs)), Value::Leaf(ValueLeaf::Text(rhs)))
                if let Some(holds) = compare_texts(operator, &lhs, &rhs) =>
            {
                Static::bool(holds).into()
            }
            (mask, Value::Leaf(ValueLeaf::Static(number)))
            | (Value::Leaf(ValueLeaf::Static(number)), mask)
                if is_neutral(operator, number, &mask) =>
            {
                mask
            }
            (lhs, rhs) => {
                if let Some(value) = self.size_arithmetic(operator, &lhs, &rhs, span) {
                    return value;
                }
                let Some(op) = binary_op(operator) else {
                    return Value::POISON;
                };
                let operands = [(lhs, lhs_span), (rhs, rhs_span)];
                let deferred = match op {
                    Op::Binary(_) => self.defer_binary(operator, operands.each_ref(), span),
                    _ => None,
                };
                match deferred {
                    Some(deferred) => deferred,
                    None => self.elementwise(op, operands, symbol, span),
                }
            }
        }
    }

    /// An operation of two tensors place by place, after what has no type of its own took that of the other operand
    /// and shapes were broadcast.
    pub(crate) fn elementwise(
        &mut self,
        op: Op,
        operands: [(Value, SpanId); 2],
        name: &str,
        span: SpanId,
    ) -> Value {
        let operands = self.build_beside(operands, &[]);
        let operands = operands.and_then(|operands| self.same_dtype(operands, name, span));
        let Some([lhs, rhs]) = operands else {
            return Value::POISON;
        };
        let Some(operands) = self.broadcast(vec![lhs, rhs], name, span) else {
            return Value::POISON;
        };
        let operands: Vec<&Tensor> = operands.iter().collect();
        self.emit_named(op, &operands, name, span)
    }

    /// `x as T`.
    pub(super) fn cast(&mut self, operand: &Expr, ty: &ast::Type, span: SpanId) -> Flow {
        let value = self.expr(operand, None)?;
        let target = match self.resolve(ty) {
            Type::Leaf(TypeLeaf::Static(target)) => target,
            Type::Leaf(TypeLeaf::Poison) => return Ok(Value::POISON),
            other => {
                let message = format!("`as` takes an element type, found `{other}`");
                let diagnostic = Diagnostic::new(Code::UnknownType, ty.span, message);
                return Ok(match &other {
                    Type::Leaf(TypeLeaf::Tensor(tensor)) => {
                        self.report(diagnostic.help(format!("write `as {}`", tensor.dtype)))
                    }
                    _ => self.report(diagnostic),
                });
            }
        };
        Ok(self.cast_value(value, target, span))
    }

    /// Rust's `as`, for tensors and static numbers.
    pub(crate) fn cast_value(&mut self, value: Value, target: StaticType, span: SpanId) -> Value {
        match (value, target) {
            (Value::Leaf(ValueLeaf::Tensor(tensor)), StaticType::Element(dtype)) => {
                if tensor.ty.dtype == dtype {
                    return tensor.settled().into();
                }
                self.emit_named(Op::Convert(dtype), &[&tensor], "as", span)
            }
            (Value::Leaf(ValueLeaf::Tensor(tensor)), target) => {
                let message = format!(
                    "a `{}` is not known while building and cannot be a `{target}`",
                    tensor.ty
                );
                self.error(Code::NotStatic, span, message)
            }
            (Value::Leaf(ValueLeaf::Static(number)), target) => number.cast(target).into(),
            (size @ Value::Leaf(ValueLeaf::Size(_)), StaticType::Usize) => size,
            (Value::Leaf(ValueLeaf::Size(extent)), StaticType::Element(dtype)) => {
                match self.size_tensor(extent, dtype, span) {
                    Some(tensor) => tensor.into(),
                    None => Value::POISON,
                }
            }
            (Value::Leaf(ValueLeaf::Poison), _) => Value::POISON,
            (other, _) => self.not_a_number(&other, "as", span),
        }
    }

    /// Reports an operand that is neither a tensor nor a number.
    pub(crate) fn not_a_number(&mut self, value: &Value, name: &str, span: SpanId) -> Value {
        if value.is_poisoned() {
            return Value::POISON;
        }
        if let Some(deferred) = value.as_deferred() {
            return self.cannot_infer(deferred);
        }
        let message = format!("`{name}` needs a tensor, found `{}`", value.ty());
        let help = matches!(value, Value::Array(_)).then(|| {
            "numbers become a tensor by `tensor([1.0, 2.0])`, tensors by `stack([a, b], 0)`"
                .to_owned()
        });
        self.report(Diagnostic::new(Code::TypeMismatch, span, message).help_if(help))
    }

    /// A value as a tensor; a number on its own becomes a scalar of its own type.
    pub(crate) fn tensor(&mut self, value: Value, name: &str, span: SpanId) -> Option<Tensor> {
        match value {
            Value::Leaf(ValueLeaf::Tensor(tensor)) => Some(tensor),
            Value::Leaf(ValueLeaf::Static(number)) => self.scalar(number, name, span),
            Value::Leaf(ValueLeaf::Size(extent)) => self.no_dtype(&extent.to_string(), name, span),
            Value::Leaf(ValueLeaf::Deferred(deferred)) => self.settle(&deferred),
            other => {
                self.not_a_number(&other, name, span);
                None
            }
        }
    }

    fn scalar(&mut self, number: Static, name: &str, span: SpanId) -> Option<Tensor> {
        let Some(dtype) = number.ty.default_dtype() else {
            return self.no_dtype(&number.to_string(), name, span);
        };
        self.constant(number, dtype, &iree_abi::Shape::default(), span)
    }

    fn no_dtype(&mut self, number: &str, name: &str, span: SpanId) -> Option<Tensor> {
        let message = format!("`{name}` needs a tensor, found `{number}` of type `usize`");
        let diagnostic = Diagnostic::new(Code::DTypeMismatch, span, message);
        self.report(diagnostic.help("convert it, for example `as f32`"));
        None
    }
}

/// Whether an operand that builds a tensor builds it of the type of the result: `normal(key) * 0.1`.
/// Literals do not, since they broadcast.
fn takes_type_of_result(operator: BinaryOperator, operand: &Expr) -> bool {
    let arithmetic = matches!(binary_op(operator), Some(Op::Binary(_)));
    arithmetic
        && matches!(
            operand.kind,
            ExprKind::Call { .. } | ExprKind::Unary(..) | ExprKind::Binary { .. }
        )
}

fn compare_texts(operator: BinaryOperator, lhs: &str, rhs: &str) -> Option<bool> {
    match operator {
        BinaryOperator::Equal => Some(lhs == rhs),
        BinaryOperator::NotEqual => Some(lhs != rhs),
        _ => None,
    }
}

fn binary_op(operator: BinaryOperator) -> Option<Op> {
    use BinaryOperator as B;
    Some(match operator {
        B::Add => Op::Binary(BinaryOp::Add),
        B::Subtract => Op::Binary(BinaryOp::Subtract),
        B::Multiply => Op::Binary(BinaryOp::Multiply),
        B::Divide => Op::Binary(BinaryOp::Divide),
        B::Remainder => Op::Binary(BinaryOp::Remainder),
        B::And => Op::Binary(BinaryOp::And),
        B::Or => Op::Binary(BinaryOp::Or),
        B::Xor => Op::Binary(BinaryOp::Xor),
        B::ShiftLeft => Op::Binary(BinaryOp::ShiftLeft),
        B::ShiftRight => Op::Binary(BinaryOp::ShiftRight),
        B::Equal => Op::Compare(CompareOp::Equal),
        B::NotEqual => Op::Compare(CompareOp::NotEqual),
        B::Less => Op::Compare(CompareOp::Less),
        B::LessEqual => Op::Compare(CompareOp::LessEqual),
        B::Greater => Op::Compare(CompareOp::Greater),
        B::GreaterEqual => Op::Compare(CompareOp::GreaterEqual),
        B::LazyAnd | B::LazyOr => return None,
    })
}

/// Whether a mask stays what it is: it is combined with a truth value that is known, and that changes nothing. IREE would
/// compute with a tensor full of it.
fn is_neutral(operator: BinaryOperator, number: Static, mask: &Value) -> bool {
    let Value::Leaf(ValueLeaf::Tensor(mask)) = mask else {
        return false;
    };
    let neutral = match operator {
        BinaryOperator::And => true,
        BinaryOperator::Or => false,
        _ => return false,
    };
    mask.ty.dtype == DType::Bool && number.value == Scalar::Bool(neutral)
}
