//! The values of expressions.

mod aggregate;
mod call;
mod literal;
mod macros;
mod operator;
mod path;

pub(crate) use aggregate::member_span;

use super::{
    frame::{Flow, Interrupt},
    statics::Static,
    tracer::Tracer,
    tree::Tree,
    types::Type,
    value::{Tensor, Value, ValueLeaf},
};
use crate::{
    ast::{BinaryOperator, Expr, ExprKind, UnaryOperator},
    diagnostic::{Code, Diagnostic},
    span::SpanId,
};
use iree_abi::{DType, TensorType};
use iree_dsl_ir::{
    Scalar,
    op::{BinaryOp, Op},
};

/// Expressions nest as deep as the user likes: below this many free bytes the stack grows.
const RED_ZONE: usize = 256 * 1024;
const STACK_STEP: usize = 4 * 1024 * 1024;

impl Tracer<'_> {
    /// The value of an expression. `expected` is the type that its place has, if that is known: what
    /// builds tensors takes it from there.
    pub(crate) fn expr(&mut self, expr: &Expr, expected: Option<&Type>) -> Flow {
        stacker::maybe_grow(RED_ZONE, STACK_STEP, || self.expr_kind(expr, expected))
    }

    fn expr_kind(&mut self, expr: &Expr, expected: Option<&Type>) -> Flow {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(self.literal(literal, span)),
            ExprKind::Path(path) => Ok(self.path(path)),
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, expected, span),
            ExprKind::Binary {
                operator: operator @ (BinaryOperator::LazyAnd | BinaryOperator::LazyOr),
                operator_span,
                lhs,
                rhs,
            } => self.lazy(*operator, lhs, rhs, *operator_span),
            ExprKind::Binary {
                operator,
                operator_span,
                lhs,
                rhs,
            } => self.binary_expr(*operator, lhs, rhs, expected, *operator_span),
            ExprKind::Assign {
                place,
                operator,
                value,
            } => self.assign(place, *operator, value, span),
            ExprKind::Call { callee, arguments } => self.call(callee, arguments, expected),
            ExprKind::MethodCall {
                receiver,
                method,
                generics,
                arguments,
            } => self.method_call(receiver, method, (generics, arguments), expected),
            ExprKind::Macro {
                name,
                positional,
                named,
            } => self.macro_call(name, (positional, named), expected, name.span),
            ExprKind::Field(..) | ExprKind::Index(..) if self.names_place(expr) => {
                let place = self.place(expr)?;
                Ok(place.map_or(Value::POISON, |place| self.value_at(&place)))
            }
            ExprKind::Field(base, member) => self.field(base, member),
            ExprKind::Index(base, index) => self.index(base, index),
            ExprKind::Cast(operand, ty) => self.cast(operand, ty, span),
            ExprKind::Tuple(items) => {
                self.note_elements(span, items);
                self.tuple(items, expected)
            }
            ExprKind::Array(items) => {
                self.note_elements(span, items);
                self.array(items, expected)
            }
            ExprKind::Repeat(value, count) => self.repeated(value, count, expected),
            ExprKind::Struct { path, fields, base } => {
                self.struct_literal(path, fields, base.as_deref(), expected)
            }
            ExprKind::Block(block) => {
                if let Some(value) = &block.value {
                    self.note_value(span, value.span);
                }
                self.unless_left(|tracer| tracer.block(block, expected), span)
            }
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => self.if_expr(condition, then, otherwise.as_deref(), expected),
            ExprKind::For { .. } | ExprKind::While(..) | ExprKind::Loop(_) => {
                self.unless_left(|tracer| tracer.looping(None, expr, expected, span), span)
            }
            ExprKind::Labelled(label, inner) => {
                self.unless_left(|tracer| tracer.labelled(label, inner, expected, span), span)
            }
            ExprKind::Break { label, value } => {
                self.break_with(label.as_ref(), value.as_deref(), span)
            }
            ExprKind::Continue(label) => self.continue_at(label.as_ref(), span),
            ExprKind::Return(value) => {
                let expected = self.frame.result.clone();
                if let Some(value) = value {
                    self.note_value(span, value.span);
                }
                let value = self.optional(value.as_deref(), Some(&expected))?;
                Err(Interrupt::Return(value, span))
            }
            ExprKind::Range {
                start,
                end,
                inclusive,
            } => self.range(start.as_deref(), end.as_deref(), *inclusive, span),
            ExprKind::Closure(closure) => Ok(self.closure(closure)),
            ExprKind::Reference(inner) => self.expr(inner, expected),
            ExprKind::Wildcard => {
                Ok(self.error(Code::Unsupported, span, "`_` has no value to compute with"))
            }
            ExprKind::Error => Ok(Value::POISON),
        }
    }

    fn optional(&mut self, expr: Option<&Expr>, expected: Option<&Type>) -> Flow {
        match expr {
            Some(expr) => self.expr(expr, expected),
            None => Ok(Tree::unit()),
        }
    }

    fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &Expr,
        expected: Option<&Type>,
        span: SpanId,
    ) -> Flow {
        if operator == UnaryOperator::Negate
            && let ExprKind::Literal(literal) = &operand.kind
            && let Some(value) = self.negative_literal(literal, span)
        {
            return Ok(value);
        }
        let value = self.expr(operand, expected)?;
        Ok(self.unary_value(operator, value, operand.span, span))
    }

    /// `&&` and `||`, which look at the right side only if they must. Tensors are both looked at where
    /// nobody can see whether that was needed.
    fn lazy(&mut self, operator: BinaryOperator, lhs: &Expr, rhs: &Expr, span: SpanId) -> Flow {
        let decides = operator == BinaryOperator::LazyOr;
        let Some(first) = self.lazy_operand(operator, lhs, span)? else {
            return Ok(Value::POISON);
        };
        if first.known() == Some(decides) {
            return Ok(Static::bool(decides).into());
        }
        let second = match &first {
            Truth::Known(_) => self.lazy_operand(operator, rhs, span)?,
            Truth::Tensor(condition) => {
                let (mark, state) = (self.builder.mark(), self.state());
                let mistakes = self.error_count();
                match self.with_effects(|tracer| tracer.lazy_operand(operator, rhs, span)) {
                    (Ok(second), false) => second,
                    _ => {
                        self.undo(mark, &state, mistakes);
                        return self.lazy_branch(operator, condition, rhs, span);
                    }
                }
            }
        };
        let Some(second) = second else {
            return Ok(Value::POISON);
        };
        Ok(match (first, second) {
            (Truth::Tensor(first), Truth::Tensor(second)) => {
                let op = match decides {
                    true => BinaryOp::Or,
                    false => BinaryOp::And,
                };
                let operands = [&first, &second];
                self.emit_named(Op::Binary(op), &operands, operator.symbol(), span)
            }
            (Truth::Tensor(first), Truth::Known(second)) if second != decides => first.into(),
            (Truth::Known(_), Truth::Tensor(second)) => second.into(),
            (_, Truth::Known(second)) => Static::bool(second).into(),
        })
    }

    /// `&&` and `||` as branches, of which one looks at the right side.
    fn lazy_branch(
        &mut self,
        operator: BinaryOperator,
        condition: &Tensor,
        rhs: &Expr,
        span: SpanId,
    ) -> Flow {
        let decides = operator == BinaryOperator::LazyOr;
        let look = |tracer: &mut Self| {
            let second = tracer.lazy_operand(operator, rhs, span)?;
            Ok(second.map_or(Value::POISON, Value::from))
        };
        let decided = |_: &mut Self| Ok(Static::bool(decides).into());
        match decides {
            true => self.branch(condition, decided, look, span),
            false => self.branch(condition, look, decided, span),
        }
    }

    fn lazy_operand(
        &mut self,
        operator: BinaryOperator,
        operand: &Expr,
        span: SpanId,
    ) -> Flow<Option<Truth>> {
        let value = self.expr(operand, None)?;
        match &value {
            Value::Leaf(ValueLeaf::Static(Static {
                value: Scalar::Bool(value),
                ..
            })) => return Ok(Some(Truth::Known(*value))),
            Value::Leaf(ValueLeaf::Tensor(tensor)) if is_truth(&tensor.ty) => {
                return Ok(Some(Truth::Tensor(tensor.clone())));
            }
            _ => {}
        }
        if !value.is_poisoned() {
            let symbol = operator.symbol();
            let message = format!(
                "`{symbol}` needs single truth values, found `{}`",
                value.ty()
            );
            let diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
            let single = symbol.get(..1).unwrap_or(symbol);
            self.report(diagnostic.help(format!(
                "tensors are combined place by place with `{single}`"
            )));
        }
        Ok(None)
    }
}

/// An operand of `&&` and `||`.
enum Truth {
    Known(bool),
    Tensor(Tensor),
}

impl Truth {
    const fn known(&self) -> Option<bool> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Tensor(_) => None,
        }
    }
}

impl From<Truth> for Value {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::Known(value) => Static::bool(value).into(),
            Truth::Tensor(tensor) => tensor.into(),
        }
    }
}

fn is_truth(ty: &TensorType) -> bool {
    ty.dtype == DType::Bool && ty.shape.rank() == 0
}
