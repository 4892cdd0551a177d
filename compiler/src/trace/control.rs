//! Blocks, conditions and loops. Conditions and bounds are known while tracing: one branch is taken,
//! and loops are unrolled.

use super::{
    frame::{Flow, Interrupt},
    statics::Static,
    tracer::Tracer,
    tree::Tree,
    types::Type,
    value::{Value, ValueLeaf},
};
use crate::{
    ast::{Block, Expr, ExprKind, Pattern, Statement},
    diagnostic::{Code, Diagnostic},
    ir::Scalar,
    span::SpanId,
};

/// A loop with more rounds than this was hardly meant to be unrolled.
const UNROLL_LIMIT: usize = 100_000;

/// What a round of a loop leads to.
enum Round {
    Next,
    Done(Value),
}

impl Tracer<'_> {
    /// The value of a block.
    pub(crate) fn block(&mut self, block: &Block, expected: Option<&Type>) -> Flow {
        self.frame.scopes.enter();
        let value = self.block_inside(block, expected);
        self.frame.scopes.leave();
        value
    }

    fn block_inside(&mut self, block: &Block, expected: Option<&Type>) -> Flow {
        for statement in &block.statements {
            self.statement(statement)?;
        }
        match &block.value {
            Some(value) => self.expr(value, expected),
            None => Ok(Tree::unit()),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Flow<()> {
        match statement {
            Statement::Expr(expr) => {
                self.expr(expr, None)?;
            }
            Statement::Const(item) => {
                let value = self.evaluate_const(item, item.name.span);
                self.frame.scopes.bind(
                    &item.name.name,
                    super::scope::Binding {
                        value: Some(value),
                        ty: None,
                        mutable: false,
                    },
                );
            }
            Statement::Let {
                pattern, ty, value, ..
            } => {
                let ty = ty.as_ref().map(|ty| self.resolve(ty));
                let value = match value {
                    Some(expr) => {
                        let value = self.expr(expr, ty.as_ref())?;
                        Some(match &ty {
                            Some(ty) => self.conform(value, ty, expr.span, &binding_place(pattern)),
                            None => value,
                        })
                    }
                    None => None,
                };
                self.bind_typed(pattern, value, ty);
            }
        }
        Ok(())
    }

    /// `if condition { … } else { … }`.
    pub(crate) fn if_expr(
        &mut self,
        condition: &Expr,
        then: &Block,
        otherwise: Option<&Expr>,
        expected: Option<&Type>,
    ) -> Flow {
        match self.condition(condition, "if")? {
            Some(true) => self.block(then, expected),
            Some(false) => match otherwise {
                Some(otherwise) => self.expr(otherwise, expected),
                None => Ok(Tree::unit()),
            },
            None => Ok(Value::POISON),
        }
    }

    /// The truth value of a condition; `None` if it was reported that it is not known.
    fn condition(&mut self, condition: &Expr, keyword: &str) -> Flow<Option<bool>> {
        let value = self.expr(condition, None)?;
        if let Value::Leaf(ValueLeaf::Static(Static {
            value: Scalar::Bool(value),
            ..
        })) = value
        {
            return Ok(Some(value));
        }
        if value.is_poisoned() {
            return Ok(None);
        }
        let ty = value.ty();
        let diagnostic = match &value {
            Value::Leaf(ValueLeaf::Tensor(_)) => {
                let message = format!(
                    "the condition of `{keyword}` must be known while building, found `{ty}`"
                );
                let diagnostic = Diagnostic::new(Code::NotStatic, condition.span, message);
                diagnostic.help("choose between two values with `select(mask, a, b)`")
            }
            _ => {
                let message =
                    format!("the condition of `{keyword}` must be a `bool`, found `{ty}`");
                Diagnostic::new(Code::TypeMismatch, condition.span, message)
            }
        };
        self.report(diagnostic);
        Ok(None)
    }

    /// `for pattern in iterator { … }`.
    pub(crate) fn for_loop(&mut self, pattern: &Pattern, iterator: &Expr, body: &Block) -> Flow {
        match self.iterator(iterator)? {
            Tree::Array(items) => {
                for item in items {
                    if let Round::Done(_) = self.round(body, Some((pattern, item)))? {
                        break;
                    }
                }
            }
            Value::Leaf(ValueLeaf::Range(start, end)) => {
                if end.saturating_sub(start) > UNROLL_LIMIT as i128 {
                    self.unroll_limit(iterator.span);
                    return Ok(Tree::unit());
                }
                for index in start..end {
                    let index = self.loop_index(iterator, index);
                    if let Round::Done(_) = self.round(body, Some((pattern, index)))? {
                        break;
                    }
                }
            }
            Value::Leaf(ValueLeaf::Poison) => {}
            other => {
                let message = format!("cannot loop over `{}`", other.ty());
                let diagnostic = Diagnostic::new(Code::TypeMismatch, iterator.span, message);
                self.report(diagnostic.help("loop over a range `0..n` or an array"));
            }
        }
        Ok(Tree::unit())
    }

    fn iterator(&mut self, iterator: &Expr) -> Flow {
        self.expr(iterator, None)
    }

    /// The index of a round: `usize` if an end of the range is, else as free as a literal.
    fn loop_index(&mut self, iterator: &Expr, index: i128) -> Value {
        let literal = |expr: &Option<Box<Expr>>| {
            let expr = expr.as_deref();
            expr.is_none_or(|expr| matches!(expr.kind, ExprKind::Literal(_)))
        };
        match (&iterator.kind, usize::try_from(index)) {
            (ExprKind::Range { start, end, .. }, Ok(size)) if !(literal(start) && literal(end)) => {
                Static::usize(size).into()
            }
            _ => Static::integer(index).into(),
        }
    }

    fn round(&mut self, body: &Block, binding: Option<(&Pattern, Value)>) -> Flow<Round> {
        self.frame.scopes.enter();
        if let Some((pattern, value)) = binding {
            self.bind(pattern, value);
        }
        let result = self.block(body, None);
        self.frame.scopes.leave();
        match result {
            Ok(_) | Err(Interrupt::Continue) => Ok(Round::Next),
            Err(Interrupt::Break(value)) => Ok(Round::Done(value)),
            Err(interrupt) => Err(interrupt),
        }
    }

    /// `while condition { … }`.
    pub(crate) fn while_loop(&mut self, condition: &Expr, body: &Block) -> Flow {
        for _ in 0..UNROLL_LIMIT {
            match self.condition(condition, "while")? {
                Some(true) => {}
                Some(false) | None => return Ok(Tree::unit()),
            }
            let before = self.error_count();
            if let Round::Done(_) = self.round(body, None)? {
                return Ok(Tree::unit());
            }
            if self.error_count() > before {
                return Ok(Tree::unit());
            }
        }
        self.unroll_limit(condition.span);
        Ok(Tree::unit())
    }

    /// `loop { … }`.
    pub(crate) fn endless_loop(&mut self, body: &Block, span: SpanId) -> Flow {
        for _ in 0..UNROLL_LIMIT {
            let before = self.error_count();
            if let Round::Done(value) = self.round(body, None)? {
                return Ok(value);
            }
            if self.error_count() > before {
                return Ok(Value::POISON);
            }
        }
        self.unroll_limit(span);
        Ok(Value::POISON)
    }

    fn unroll_limit(&mut self, span: SpanId) {
        let message = format!("the loop would be unrolled more than {UNROLL_LIMIT} times");
        self.error(Code::UnrollLimit, span, message);
    }

    /// `a..b`.
    pub(crate) fn range(
        &mut self,
        start: Option<&Expr>,
        end: Option<&Expr>,
        inclusive: bool,
        span: SpanId,
    ) -> Flow {
        let (Some(start), Some(end)) = (start, end) else {
            let message = "a range to loop over needs both ends";
            return Ok(self.error(Code::Unsupported, span, message));
        };
        let first = self.range_end(start)?;
        let last = self.range_end(end)?;
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(Value::POISON);
        };
        let last = if inclusive {
            last.saturating_add(1)
        } else {
            last
        };
        Ok(Value::Leaf(ValueLeaf::Range(first, last)))
    }

    fn range_end(&mut self, expr: &Expr) -> Flow<Option<i128>> {
        let value = self.expr(expr, None)?;
        if let Value::Leaf(ValueLeaf::Static(number)) = &value
            && let Some(value) = number.as_integer()
        {
            return Ok(Some(value));
        }
        if !value.is_poisoned() {
            let message = format!(
                "the end of a range must be an integer known while building, found `{}`",
                value.ty()
            );
            self.error(Code::NotStatic, expr.span, message);
        }
        Ok(None)
    }
}

fn binding_place(pattern: &Pattern) -> String {
    match &pattern.kind {
        crate::ast::PatternKind::Ident { name, .. } => format!("the variable `{}`", name.name),
        _ => "the value".to_owned(),
    }
}
